from attest.config.error_words import did_you_mean


def test_the_nearest_name_may_be_the_last_part_of_a_key():
    known = ["model.hidden_size", "optimizer.lr"]
    assert did_you_mean("hidden_size", known) == " Did you mean model.hidden_size?"
    assert did_you_mean("lr", known) == " Did you mean optimizer.lr?"
    assert did_you_mean("qqqq", known) == ""
    assert did_you_mean("trainer.device", ["trainer.accelerator", "trainer.packed"]) == (
        " Did you mean trainer.accelerator?"
    )

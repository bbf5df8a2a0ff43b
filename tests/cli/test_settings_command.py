"""attest settings: what it explains."""

import pytest


def test_a_word_selects_settings_by_their_keys(cli, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert cli.output("settings", "plateau", "keep_last").splitlines() == [
        "protocol.lr_decay_on_plateau=1.0",
        "    accepts a number above 0 to 1; another value makes",
        "    another experiment",
        "    A further factor of the learning rate after an",
        "    evaluation that does not improve on the best dev result.",
        "",
        "trainer.keep_last=false",
        "    accepts true or false; not part of the run's id",
        "    True if a finished run keeps its last checkpoint. A run",
        "    with more steps continues from it if it would evaluate",
        "    after the last step of the shorter run too",
        "    (protocol.evaluate_every).",
    ]


def test_a_chosen_class_is_explained_before_its_arguments(cli):
    printed = cli.output("settings", "model=structured")
    assert printed.startswith("model: attest.models.StructuredSelfAttention\n    Structured")
    assert "\nmodel.hops=30\n    accepts a whole number" in printed
    assert "protocol." not in printed


def test_all_settings_are_listed_without_a_word(cli):
    printed = cli.output("settings")
    assert {"seed", "paths.home", "optimizer.lr=0.5"} <= set(printed.splitlines())


@pytest.mark.parametrize(
    ("word", "hint"),
    [("lr_decya", "Did you mean protocol.lr_decay?"), ("§", "`attest settings` lists all.")],
)
def test_a_word_that_is_in_no_key(cli, word, hint):
    assert cli.error("settings", word) == f"attest: {word}: no setting has this in its key. {hint}\n"

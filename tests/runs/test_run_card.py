from runs.made_records import made_record

from attest.config.settings import Label, Logger
from attest.runs.run_card import NAME_LENGTH, RunContext, run_card, with_logger_settings

SETTINGS = {
    "model._target_": "attest.models.DiSAN",
    "model.directions": ["forward", "backward"],
    "optimizer._target_": "torch.optim.Adadelta",
    "optimizer.lr": 0.5,
    "dataset.name": "snli",
    "scale": "mini",
    "protocol.name": "paper",
}


def record(**changes):
    facts = {"status": "running", "settings": SETTINGS, "versions": {"model": 2}, "seed": 3}
    return made_record(**{**facts, "environment": {"commit": "c0ffee"}, **changes})


def test_the_card_of_a_run_in_a_table():
    cell = {"paper": "disan", "table": "disan/table1", "row": "disan", "columns": ["test"]}
    origin = RunContext(
        command="attest train", varied=["lr=1"], group="disan/table1", cell=cell, deviations=["train: 2"]
    )
    card = run_card(record(label=Label(table="disan/table1", row="disan")), origin)
    unlabelled = run_card(record(), origin)
    assert unlabelled.name == card.name, "a record that was made without the table's command has the name of its row"
    assert (card.id, card.name, card.group, card.job_type) == ("abc", "disan lr=1 seed=3", "disan/table1", "train")
    assert card.tags == ("paper=disan", "dataset=snli", "scale=mini", "protocol=paper", "mask=forward_backward",
                         "optimizer=Adadelta")  # fmt: skip
    assert card.config["optimizer"] == {"_target_": "torch.optim.Adadelta", "lr": 0.5}, "nested, so that W&B can group"
    assert (card.config["data"], card.config["deviations"]) == ({"fingerprint": "f"}, ["train: 2"])
    assert (card.config["versions"], card.config["commit"], card.config["cell"]) == ({"model": 2}, "c0ffee", cell)


def test_a_mask_that_is_the_default_of_the_class_is_a_tag_too():
    settings = {key: value for key, value in SETTINGS.items() if key != "model.directions"}
    assert "mask=forward_backward" in run_card(record(settings=settings), RunContext(command="")).tags
    settings["model._target_"] = "attest.models.BiLSTM"
    assert not [
        tag for tag in run_card(record(settings=settings), RunContext(command="")).tags if tag.startswith("mask")
    ]


def test_long_names_stay_distinct():
    varied = [f"model.setting_{number}=0.12345" for number in range(9)]
    names = {
        run_card(record(identity=identity), RunContext(command="", varied=varied)).name for identity in ("abc", "abd")
    }
    assert len(names) == 2
    assert max(map(len, names)) <= NAME_LENGTH
    assert all("seed=3" in name for name in names)


def test_choices_of_the_logger_come_first():
    card = run_card(record(), RunContext(command="attest train", group="sweep"))
    own = with_logger_settings(card, Logger(group="mine", job_type="eval", tags=("x",), notes="why"))
    assert (own.group, own.job_type, own.tags[-1], own.notes) == ("mine", "eval", "x", "why")
    assert with_logger_settings(card, Logger()) == card

"""The names, groups and commands under which runs are shown on W&B."""

from attest.config.compose import compose
from attest.config.flat import flatten
from attest.reproduction.run_context import context_in_table, context_of_command, context_of_record, is_named
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.membership import labelled_cell
from attest.runs.identity import code_versions, digest
from attest.runs.records import Record
from attest.runs.run_card import run_card


def started(*overrides):
    settings = compose(overrides)
    return Record(
        id=digest(overrides),
        status="running",
        label=settings.label,
        settings=flatten(settings),
        seed=settings.seed,
        versions=code_versions(settings),
        data={"fingerprint": "f"},
    )


def test_runs_of_a_table_are_a_group_with_distinct_names():
    wanted = cells(load_table("disan/table1"), "mini", ["disan", "no_directions"])
    records = [started(*cell.overrides, f"seed={seed}", "protocol.steps=4") for cell in wanted for seed in (1, 2)]
    found = [labelled_cell(record) for record in records]
    assert [cell and cell.row for cell in found] == [cell.row for cell in wanted for _ in (1, 2)]
    origins = [
        context_in_table(record, "disan/table1", cell) for record, cell in zip(records, found, strict=True) if cell
    ]
    names = [run_card(record, origin).name for record, origin in zip(records, origins, strict=True)]
    assert {origin.group for origin in origins} == {"disan/table1"}
    assert len(set(names)) == 4
    assert "disan protocol.steps=4 seed=1" in names
    assert origins[0].cell == {"paper": "disan", "table": "disan/table1", "row": wanted[0].row, "id": wanted[0].id,
                               "columns": list(wanted[0].panel.columns)}  # fmt: skip
    assert any(text.startswith("protocol.steps 4 instead of") for text in origins[0].deviations)
    assert origins[0].command.startswith("attest train experiment=disan/snli")


def test_a_run_of_no_table_has_no_cell():
    assert labelled_cell(started("model=s2t")) is None
    assert labelled_cell(started("label.table=disan/table1", "label.row=elsewhere")) is None


def test_the_jobs_of_a_sweep_are_told_apart_by_their_overrides():
    jobs = [("model=disan", f"optimizer.lr={rate}", f"seed={seed}", "logger.project=x", "trainer.threads=1")
            for rate in (0.1, 0.2) for seed in (1, 2)]  # fmt: skip
    cards = [
        run_card(started(*job), context_of_command(started(*job), job, "sweep of optimizer.lr, seed")) for job in jobs
    ]
    assert cards[0].name == "DiSAN model=disan optimizer.lr=0.1 seed=1"
    assert len({card.name for card in cards}) == 4
    assert {card.group for card in cards} == {"sweep of optimizer.lr, seed"}
    assert cards[0].notes == "attest train model=disan optimizer.lr=0.1 seed=1 logger.project=x trainer.threads=1"


def test_a_record_alone_is_named_by_its_settings_that_are_not_default():
    record, usual = started("model=s2t", "optimizer.lr=0.3"), started("model=s2t")
    assert context_of_record(record, usual.settings).varied == ["optimizer.lr=0.3"]


def test_settings_outside_the_id_are_in_no_name():
    assert not any(
        map(is_named, ("paths.data=x", "seed=1", "logger=none", "hydra/launcher=joblib", "trainer.threads=1"))
    )
    assert all(map(is_named, ("trainer.precision=bf16", "+protocol.fold=3", "mask=forward")))


def test_the_command_names_the_folder_of_ones_own(own_folder):
    job = ["model=s2t", "seed=1"]
    assert context_of_command(started(*job), job, None).command == (
        f"attest train --config-dir {own_folder} model=s2t seed=1"
    )
    cell = cells(load_table("disan/table1"), "mini", ["disan"])[0]
    command = context_in_table(started(*cell.overrides, "scale=mini"), "disan/table1", cell).command
    assert command.startswith(f"attest train --config-dir {own_folder} experiment=disan/snli ")

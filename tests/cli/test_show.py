"""attest show: which scale it shows, and everything about one run."""

import dataclasses

import pytest
from homes import store_of
from reproduction.made_up import data, record, run_of
from runs.made_records import made_record

from attest.cli.local_tables import at_paper_scale
from attest.config.paths import tracked_results
from attest.config.settings import Label
from attest.reproduction.specs.table import load_table, table_names
from attest.reproduction.tables.cells import cells
from attest.runs.run_folder import weights_file
from attest.runs.store import Store

DIRTY = {"commit": "abcdef", "uncommitted_changes": True, "packages": {"torch": "2.9"}, "gpu": None}


@pytest.fixture(autouse=True)
def two_tables(monkeypatch):
    """Look for the rows of a run in two tables: composing the cells of all takes half a minute."""
    monkeypatch.setattr("attest.reproduction.tables.membership.table_names", lambda: ["disan/table1", "disan/table3"])


@pytest.fixture
def run(home):
    """A short run of DiSAN's row of Table 1 on part of the data, with its weights."""
    made = record(
        "disan", "seed=2", "protocol.steps=200", test=77.8, data=data(train=112_285, fingerprint="part"),
        environment=DIRTY, selected={"step": 120, "rule": "highest dev accuracy"}, finished="2026-01-31T12:00:00Z",
    )  # fmt: skip
    made = dataclasses.replace(made, label=dataclasses.replace(made.label, table="disan/table1"))
    store_of(home, "local").put(made)
    (home / "runs" / made.id).mkdir(parents=True)
    weights_file(home / "runs" / made.id, 120).write_bytes(b"")
    return made


def test_a_table_is_shown_at_the_papers_scale_unless_told_otherwise(home, cli):
    cell_of = {scale: cells(load_table("disan/table3"), scale, ["disan"])[0] for scale in ("paper", "mini")}
    Store(tracked_results() / "records").put(run_of(cell_of["paper"], **{"test/accuracy": 70.0}))
    store_of(home).put(run_of(cell_of["mini"], **{"test/accuracy": 61.0}))
    paper = cli.output("show", "disan/table3", "disan")
    assert paper.startswith("DiSAN, Table 3: natural language inference on MultiNLI (scale=paper; type scale=mini for")
    assert "  Matched     70.00 %   paper 70.977   undecided\n" in paper
    mini = cli.output("show", "disan/table3", "disan", "scale=mini")
    assert "(scale=mini; type scale=paper for the other scale)" in mini
    assert "  Matched     61.00 %\n" in mini
    assert "70." not in mini


def test_a_local_quick_run_does_not_take_over_a_published_row(home, run, cli):
    published = record("disan", "protocol.steps=300", test=70.0)
    Store(tracked_results() / "records").put(published)
    store_of(home, "local").put(record("disan", "seed=3", "protocol.steps=200", test=77.8,
                                                     data=data(train=112_285, fingerprint="part")))  # fmt: skip
    text = cli.output("show", "disan/table1", "disan")
    assert "Test        70.00 %" in text
    assert f"run {published.id}  attest train" in text
    assert "also        2 runs, Test 77.80 ± 0.00 %, 1 uncommitted; train: 112,285 of 549,367" in text


def test_a_run_of_more_than_one_commit_is_shown_with_each(home, cli):
    commits = [{"commit": "a" * 40, "from_step": 0}, {"commit": "b" * 40, "from_step": 3000}]
    made = record("disan", environment={"commit": "b" * 40, "commits": commits})
    store_of(home, "local").put(made)
    text = cli.output("show", made.id)
    assert f"  commit              {'b' * 40}\n" in text
    assert f"  commits             {'a' * 12}, from step 3,001 on {'b' * 12}\n" in text


def test_a_run_is_shown_with_all_that_is_known_of_it(run, home, cli):
    text = cli.output("show", run.id[:7])
    assert text.startswith(f"{run.id}: train, scale=paper, done 2026-01-31T12:00:00Z, with uncommitted changes\n")
    assert "  disan/table1 disan, seed=2: at reduced budget\n" in text
    assert "disan/table3" not in text
    assert "    train: 112,285 of 549,367 labelled examples (20.4%)\n" in text
    command = "attest train experiment=disan/snli model=disan mask=forward_backward scale=paper seed=2"
    assert f"    {command} protocol.steps=200 retry_uncommitted=true\n" in text
    differing, _, others = text.partition("settings that differ from the defaults\n")[2].partition(
        "other settings of the model\n"
    )
    assert differing == "  seed=2  (default 1)\n  protocol.steps=200  (default 400000)\n"
    assert others.startswith("  model._target_=attest.models.DiSAN\n  model.hidden_size=300\n")
    assert "  test/accuracy            77.8\n" in text
    assert "  parameters               2,345,403\n" in text
    assert "  selected    step 120: highest dev accuracy\n" in text
    assert "  train       112,285 examples of 549,367\n" in text
    assert "  commit              abcdef\n" in text
    assert "  packages            torch 2.9\n" in text
    assert f"  {home / 'results/local/records' / run.id}.json\n" in text
    assert f"  {weights_file(home / 'runs' / run.id, 120)}\n" in text


def test_examples_that_are_left_out_are_shown(home, cli):
    facts = data(train=501)
    facts["splits"]["train"] |= {"too_long": 15, "length_limit": 33}
    made = record("disan", data=facts)
    store_of(home, "local").put(made)
    shown = cli.output("show", made.id)
    assert "501 examples of 549,367\n              15 of them left out, with over 33 tokens\n" in shown


def test_a_failed_run_is_shown_with_its_error(home, cli):
    failed = record("disan", status="failed", reason="TrainingError: the loss is \x1b[31mnan", metrics={})
    store_of(home).put(failed)
    text = cli.output("show", failed.id)
    assert "train, scale=paper, failed" in text
    assert "  failed      TrainingError: the loss is \\x1b[31mnan\n" in text


@pytest.mark.parametrize(
    ("folder", "scale", "examples"), [("mini", "mini", "800 examples\n"), ("local", "paper", "800 examples of 3,775\n")]
)
def test_an_evaluation_of_an_earlier_version_has_the_scale_of_its_store(folder, scale, examples, home, cli):
    facts = {"fingerprint": "f", "splits": {"CR/all": {"used": 800}}, "expected": {"splits": {"CR/all": 3_775}}}
    settings = {"encoder": "average x.txt", "tasks": ["CR"]}
    made = made_record("be4b1ef21625", kind="transfer", settings=settings, data=facts)
    store_of(home, folder).put(made)
    text = cli.output("show", made.id)
    assert text.startswith(f"{made.id}: transfer, scale={scale}, done")
    assert f"  CR/all      {examples}" in text


def test_a_run_outside_all_tables_is_shown_with_its_command(home, cli):
    made = record("disan", "scale=mini", "seed=2", "protocol.steps=200")
    store_of(home).put(dataclasses.replace(made, label=Label()))
    printed = cli.output("show", made.id)
    assert "\ncommand\n  attest train mask=forward_backward scale=mini seed=2 protocol.steps=200\n" in printed


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["show", "abc123"], 1, "abc123: no run has this id"),
        (["show", "abc123", "disan"], 2, "disan: a run has no rows; type attest show abc123"),
        (["show", "disan"], 2, "disan: not the full name; type one of disan/choices, disan/"),
        (["show", "table1"], 2, "table1: not the full name; type one of dam/table1, disan/table1, psan/table1, "),
        (["show", "tabel1"], 2, "have digits and the letters a to f alone. Did you mean "),
        (["show", "zzzz"], 2, "zzzz: there is no such table, and ids of runs have digits and the letters a to f alone"),
        (["show", "disan/table99"], 2, "disan/table99: there is no such table. Did you mean disan/table"),
    ],
)
def test_what_cannot_be_shown_is_named(arguments, code, message, cli):
    assert message in cli.error(*arguments, code=code)


def test_without_a_name_all_tables_are_listed(cli):
    lines = cli.output("show").splitlines()
    (line,) = (line for line in lines if line.startswith("disan/table1 "))
    assert line.endswith("  DiSAN, Table 1: natural language inference on SNLI")
    assert sum(line.split(" ")[0] in table_names() for line in lines) == len(table_names())


@pytest.mark.parametrize("name", ["disan/table1", "transfer"])
def test_publishing_nothing_writes_nothing(name, home, cli):
    assert f"attest: {name}: no " in cli.error("publish", name, code=1)
    assert not list((home / "results").rglob("*.md"))


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ([], ["scale=paper"]),
        (["paths.data=x"], ["scale=paper", "paths.data=x"]),
        (["scale=mini"], ["scale=mini"]),
        (["+scale=mini", "paths.data=x"], ["+scale=mini", "paths.data=x"]),
    ],
)
def test_the_papers_scale_is_the_default_of_commands_that_read(overrides, expected):
    assert at_paper_scale(overrides) == expected

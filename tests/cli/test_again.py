"""Runs whose code had uncommitted changes are marked, and one command makes them again."""

import dataclasses
from pathlib import Path

import pytest
from homes import store_of

from attest.reproduction.pages.table_page import render_table
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.system import checkout
from attest.system.leases import lease, lease_file
from attest.training import run
from attest.training.lightning import LightningLearner
from hydra_plugins.attest_sweepers import _uncommitted

ROWS, QUICK = ("additive", "s2t"), ("protocol.steps=2", "protocol.evaluate_every=2", "trainer.on_train=false")
AGAIN = ["reproduce", "disan/table1", "again=uncommitted", "logger=none", "trainer.progress=false"]


@pytest.fixture
def committed(monkeypatch):
    """A checkout without uncommitted changes."""
    for module in (checkout, _uncommitted):
        monkeypatch.setattr(module, "checkout_state", lambda: {"commit": "abc", "uncommitted_changes": False})


@pytest.fixture
def store(settings_with, home_with_corpora, home, committed):
    """The records of two rows of Table 1, of which the second had uncommitted changes."""
    for row, overrides in zip(ROWS, (["model=additive"], ["model=s2t"]), strict=True):
        record = run.run(settings_with(*QUICK, *overrides, "label.table=disan/table1", f"label.row={row}"))
        folder = store_of(home)
        environment = {**record.environment, "uncommitted_changes": row == "s2t"}
        folder.put(dataclasses.replace(record, environment=environment, finished="earlier"))
    return folder


def test_the_record_of_a_run_says_how_it_was_computed(store):
    for record in store:
        kept = {key: record.environment[key] for key in ("accelerator", "attention", "packed")}
        assert kept in [{"accelerator": "cpu", "attention": name, "packed": True} for name in ("native", "reference")]


def test_only_marked_runs_are_made_again_with_their_own_budget(store, cli):
    page = cli.output(*AGAIN)
    after = {record.label.row: record for record in store}
    assert after["additive"].finished == "earlier"
    assert after["s2t"].finished != "earlier"
    assert not after["s2t"].uncommitted
    assert after["s2t"].curve[-1]["step"] == 2
    assert len(after) == 2
    assert "uncommitted" not in page
    finished = after["s2t"].finished
    cli.output(*AGAIN)
    assert {record.finished for record in store} == {"earlier", finished}


def test_the_mark_stands_on_the_page_and_in_the_list_of_runs(store, cli):
    text = cli.output("show", "disan/table1", "s2t", "scale=mini")
    (line,) = [line for line in text.splitlines() if line.startswith("  run ")]
    assert line.endswith("retry_uncommitted=true  uncommitted")
    assert "attest reproduce disan/table1 scale=mini again=uncommitted retrains them" in text
    assert "uncommitted" not in cli.output("show", "disan/table1", "additive", "scale=mini")
    page = render_table(build(load_table("disan/table1"), "mini", list(store)))
    assert "done (1 of 1 runs, 1 uncommitted)" in page
    assert "`attest reproduce disan/table1 scale=mini again=uncommitted` trains these runs again." in page


def test_a_checkout_with_uncommitted_changes_makes_none_of_them_again(store, monkeypatch, cli):
    monkeypatch.setattr(_uncommitted, "checkout_state", lambda: {"commit": "abc", "uncommitted_changes": True})
    assert "again=uncommitted: this checkout has uncommitted changes too; commit them first" in cli.error(*AGAIN)
    assert {record.finished for record in store} == {"earlier"}


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("again=dirty", "again: 'dirty' is not one of uncommitted"),
        ("seeds=2", "seeds: not used with again=uncommitted, which repeats exactly the marked runs"),
    ],
)
def test_selections_that_do_not_fit_are_refused(word, message, cli):
    assert message in cli.error(*AGAIN[:2], *([word] if word.startswith("again") else [AGAIN[2], word]))


def test_a_single_run_is_made_again_by_one_setting(store, settings_with):
    marked = next(record for record in store if record.uncommitted)
    settings = settings_with(*QUICK, "model=s2t")
    assert run.run(settings).finished == "earlier"
    again = run.run(settings_with(*QUICK, "model=s2t", "retry_uncommitted=true"))
    assert (again.id, again.metrics) == (marked.id, marked.metrics)
    assert again.finished != "earlier"
    assert list(Path(settings.paths.runs, again.id).glob("best-*.pt"))


def test_a_run_that_kept_its_checkpoint_is_made_again_from_its_beginning(settings_with, home, monkeypatch):
    """The checkpoint of its end was resumed, and the old weights were recorded under the new commit."""
    settings = settings_with("model=s2t", "trainer.keep_last=true", *QUICK)
    first = run.run(settings)
    folder = store_of(home)
    folder.put(dataclasses.replace(first, environment={**first.environment, "uncommitted_changes": True}))
    steps, plainly = [], LightningLearner.training_step
    monkeypatch.setattr(
        LightningLearner, "training_step", lambda self, *given: steps.append(1) or plainly(self, *given)
    )
    again = run.run(dataclasses.replace(settings, retry_uncommitted=True))
    assert len(steps) == 2
    assert again.metrics == first.metrics
    assert not again.uncommitted


def test_the_files_of_a_run_that_another_process_makes_again_stay(settings_with, home):
    settings = settings_with("model=s2t", *QUICK)
    record = run.run(settings)
    folder = home / "runs" / record.id
    (folder / "last.ckpt").touch()
    with lease(lease_file(folder)):
        assert run.run(settings) == record
        assert (folder / "last.ckpt").exists()

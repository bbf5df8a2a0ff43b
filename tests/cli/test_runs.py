"""attest runs and attest compare, over records made by hand."""

import csv
import dataclasses
import time

import numpy as np
import pytest
from homes import store_of
from reproduction.made_up import record

CURVE = ({"step": 2, "epoch": 1.0, "train/loss": 1.0, "dev/accuracy": 60.0},
         {"step": 4, "epoch": 2.0, "train/loss": 0.5, "dev/accuracy": 70.0})  # fmt: skip
FAILED = {"status": "failed", "error": "...", "reason": "TrainingError: the loss is nan"}


def put(home, row, *overrides, day=1, predicted=(0, 0, 0, 0), **changes):
    """A run of a row of DiSAN's Table 1 at scale mini that ended on a day of January, and its predictions."""
    made = record(row, *overrides, scale="mini", curve=CURVE, finished=f"2026-01-0{day}T12:00:00Z", **changes)
    arrays = {"rows": np.arange(4), "labels": np.array([0, 1, 2, 0]), "predictions": np.array(predicted)}
    store_of(home).put(made, arrays)
    return made


@pytest.fixture
def four(home):
    """Two runs of DiSAN and two without directions, with two seeds each."""
    return [
        put(home, "disan", "seed=1", day=1, test=80.0, predicted=(0, 1, 2, 1)),
        put(home, "disan", "seed=2", day=2, test=81.0, predicted=(0, 1, 2, 0)),
        put(home, "no_directions", "seed=1", day=3, test=77.0, predicted=(0, 1, 0, 0)),
        put(home, "no_directions", "seed=2", day=4, test=78.5, predicted=(1, 1, 2, 0)),
    ]


def listed(text):
    """The first cell of each row of a table in markdown."""
    return [line.split(" | ")[0].removeprefix("| ") for line in text.splitlines()[2:] if line.startswith("| ")]


def test_runs_are_listed_newest_first_with_the_settings_in_which_they_differ(four, cli):
    out = cli.output("runs")
    assert listed(out) == [made.id for made in reversed(four)]
    assert out.startswith("| run | ended (UTC) | row | model.directions | seed | dev | test | time |\n")
    assert f"| {four[0].id} | 2026-01-01 12:00 | disan | [forward,backward] | 1 | 80.00 | 80.00 | 0:04 |" in out


@pytest.mark.parametrize(
    ("query", "places"),
    [
        (["seed=1"], [2, 0]),
        (["seed=1,3"], [2, 0]),
        (["mask=diagonal"], [3, 2]),
        (["mask=diagonal,forward_backward", "seed=2"], [3, 1]),
        (["model=disan", "experiment=disan/snli"], [3, 2, 1, 0]),
        (["model.directions=[forward,backward]"], [1, 0]),
        (["table=disan/table1", "row=disan"], [1, 0]),
        (["since=2026-01-03"], [3, 2]),
        (["until=2026-01-02"], [1, 0]),
        (["since=2026-01-02T13", "until=2026-01-03"], [2]),
        (["status=done", "limit=1"], [3]),
        (["model.gate_biases=3", "seed=1"], [2, 0]),
    ],
)
def test_runs_are_selected_by_settings_table_status_and_time(query, places, four, cli):
    assert listed(cli.output("runs", *query)) == [four[place].id for place in places]


def test_recent_and_failed_runs(four, home, cli):
    failed = put(
        home, "disan", "seed=3", status="failed", error="...", reason="TrainingError: the loss is nan", metrics={}
    )
    now = dataclasses.replace(failed, finished=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 3000)))
    store_of(home).put(now)
    assert listed(cli.output("runs", "since=1h")) == listed(cli.output("runs", "status=failed")) == [failed.id]
    out = cli.output("runs", "limit=2")
    assert "| failed | TrainingError: the loss is nan |" in out
    assert "2 of 5 runs, the newest first; `attest runs limit=5` lists all." in out
    out = cli.output("runs", "status=done", "limit=2")
    assert "2 of 4 runs, the newest first; `attest runs status=done limit=4` lists all." in out
    error = cli.error("compare", failed.id, four[0].id, code=1)
    assert "this run failed (TrainingError: the loss is nan); only finished runs can be compared" in error


def test_runs_are_written_to_a_csv_file_with_all_settings_and_metrics(four, home, cli):
    failed = put(
        home,
        "disan",
        "seed=3",
        day=5,
        status="failed",
        error="...",
        reason="TrainingError: the loss is nan",
        metrics={},
    )
    path = home / "runs.csv"
    done = cli.run("runs", "--to", str(path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"wrote 5 runs to {path}\n")
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [row["run"] for row in rows] == [failed.id, *(made.id for made in reversed(four))]
    assert rows[0]["reason"] == "TrainingError: the loss is nan"
    assert rows[0]["test/accuracy"] == ""
    chosen = {key: rows[4][key] for key in ("seed", "model.directions", "model.decay_scores", "test/accuracy", "ended")}
    assert chosen == {
        "seed": "1", "model.directions": '["forward", "backward"]', "model.decay_scores": "false",
        "test/accuracy": "80.0", "ended": "2026-01-01T12:00:00Z",
    }  # fmt: skip
    cli.output("runs", "status=done", "limit=1", "--to", str(path))
    assert len(path.read_text().splitlines()) == 2


def test_words_that_select_nothing_say_what_to_type(four, cli):
    wanted = "attest: status: attest compare compares finished runs; leave it out (`attest runs` takes it)\n"
    assert cli.error("compare", "status=failed") == wanted
    wanted = "dropout: records do not hold this setting; type head.dropout=... or model.dropout=..."
    assert wanted in cli.error("runs", "dropout=0.25")


def test_models_of_one_class_are_told_apart(home, cli):
    settings = ("experiment=dam/snli", "model.hidden_size=7")
    ngram, rnn = put(home, "s2t", *settings, "model=dam_ngram"), put(home, "s2t", *settings, "model=dam_rnn")
    assert listed(cli.output("runs", "model=dam_ngram")) == [ngram.id]
    assert listed(cli.output("runs", "model=dam_rnn")) == [rnn.id]


def test_runs_are_compared_by_settings_figures_predictions_and_curves(four, home, cli):
    out = cli.output("compare", "model=disan")
    assert out.startswith("\nRuns by model.directions at scale mini\n")
    assert "| [forward,backward] | 2 | 80.00 ± 0.00 | 80.50 ± 0.71 | 80.00 | 2,345,403 | 4.0 | – |" in out
    assert "| -2.75 (-5.93 to +0.43), 2 pairs |" in out
    assert "| [diagonal,diagonal] | 1 | 2 | 4 | 1 | 1 |\n| [diagonal,diagonal] | 2 | 1 | 4 | 1 | 0 |" in out
    (folder,) = (home / "results/mini/comparisons").iterdir()
    assert {path.name for path in folder.iterdir()} == {
        "table.md", "table.csv", "table.tex", "items.csv", "curves.svg", "curves.png",
    }  # fmt: skip
    items = (folder / "items.csv").read_text().splitlines()
    assert items[1:] == [
        f"{four[0].id},{four[2].id},2,contradiction,contradiction,entailment",
        f"{four[0].id},{four[2].id},3,entailment,neutral,entailment",
        f"{four[1].id},{four[3].id},0,entailment,entailment,neutral",
    ]
    assert ">step<" in (folder / "curves.svg").read_text()
    assert cli.output("compare", *(made.id for made in four)) == out


def test_classes_of_one_name_are_told_apart(home, cli, own_folder):
    (own_folder / "mine.py").write_text("from attest.models import DiSAN as Ours\n\n\nclass DiSAN(Ours): ...\n")
    own, other = put(home, "disan", "seed=1"), put(home, "disan", "seed=1", "model._target_=mine.DiSAN")
    out = cli.output("compare", own.id, other.id)
    assert "| attest.models.DiSAN | 1 |" in out
    assert "| mine.DiSAN | 1 |" in out


def test_runs_on_other_data_are_another_row(home, cli):
    own = put(home, "disan", "seed=1")
    other = put(home, "disan", "seed=2", data={**own.data, "fingerprint": "other"})
    out = cli.output("compare", own.id, other.id)
    assert "| data | n |" in out
    assert "| full | 1 |" in out
    assert "| other | 1 |" in out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["runs", "seed=9"], 1, "there is no run with seed=9; `attest runs` lists all runs"),
        (["runs", "table=disan/coverage", "row=cut"], 1, "there is no run with table=disan/coverage row=cut"),
        (["runs", "modle=disan"], 2, "modle: unknown setting. Did you mean model?"),
        (["runs", "since=2026-13-01"], 2, "since=2026-13-01: neither a date nor an age"),
        (["runs", "model=disna"], 2, "model=disna: no such choice. Did you mean disan?"),
        (["runs", "logger=none"], 2, "logger: records do not hold this setting"),
        (["runs", "logger.wandb=true"], 2, "logger.wandb: records do not hold this setting"),
        (["runs", "protocol.evaluation_batch_size=500"], 2, "protocol.evaluation_batch_size: records do not hold this"),
        (["runs", "hidden_size=24"], 2, "hidden_size: records do not hold this setting"),
        (["runs", "status=don"], 2, "Did you mean done?"),
        (["runs", "since=yesterday"], 2, "since=yesterday: neither a date nor an age; type since=2026-01-31, or"),
        (["runs", "row=disan"], 2, "type its table too, as table=disan/table1"),
        (["runs", "table=disan/tabel1"], 2, "Did you mean disan/table1?"),
        (["runs", "limit=0"], 2, "limit: 0 is out of range"),
        (["runs", "since=999999999d"], 2, "since=999999999d: neither a date nor an age"),
        (["compare", "seed=1", "limit=1"], 2, "limit: attest compare compares all runs that the settings select"),
        (["compare"], 2, "attest compare: nothing to compare; name runs by their ids"),
        (["compare", "abcdef"], 1, "abcdef: no run has this id; type an id that `attest runs` lists"),
        (["compare", "seed=9"], 1, "attest: there is no finished run with seed=9; `attest runs` lists all runs\n"),
        (["compare", "seed=1", "mask=diagonal"], 1, "the only run to compare; name another one"),
    ],
)
def test_a_mistake_is_one_sentence(arguments, code, message, four, cli):
    assert message in cli.error(*arguments, code=code)


def test_an_ambiguous_beginning_of_an_id_lists_the_ids(four, home, cli):
    for number in (1, 2):
        store_of(home).put(dataclasses.replace(four[0], id=f"0000000000f{number}"))
    wanted = "attest: 0000000000: 2 ids begin with this (0000000000f1, 0000000000f2); type more characters\n"
    assert cli.error("compare", "0000000000", four[1].id, code=1) == wanted


def test_a_query_in_an_empty_home_names_no_mistake(cli):
    assert "records do not hold" not in cli.error("runs", "seed=1", code=1)


def test_without_any_run_the_command_that_makes_one_is_named(cli):
    assert cli.output("runs") == "there is no run; `attest train` makes one\n"
    assert cli.output("runs", "limit=3") == "there is no run; `attest train` makes one\n"
    wanted = "attest: there is no run; `attest train` makes one\n"
    assert cli.error("runs", "--to", "runs.csv", code=1) == wanted

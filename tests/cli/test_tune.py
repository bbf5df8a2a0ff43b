"""attest tune, as a user types it: small searches, killed ones that go on, and failing ones."""

import json
import random

import pytest
from chaos.sweep import run_with_traps
from homes import records_of, with_corpora

from attest.errors import BusyError
from attest.training import run as training
from hydra_plugins.attest_sweepers import _searching as searching

QUICK = (
    "experiment=dam/stsb", "logger=none", "trainer.progress=false", "protocol.steps=4", "protocol.evaluate_every=2",
    "protocol.batch_size=32", "trainer.on_train=false",
)  # fmt: skip


@pytest.fixture
def hot(own_folder):
    """A search with two settings, of which one is too hot."""
    path = own_folder / "reproduce/own/search_hot.yaml"
    path.parent.mkdir(parents=True)
    text = {"title": "", "reference": "", "source": "", "base": ["experiment=disan/snli", "model=s2t"],
            "settings": {"optimizer.lr": {"values": [0.1, 1e30]}}}  # fmt: skip
    path.write_text(json.dumps(text))


def test_the_same_command_repeats_nothing_and_more_runs_go_on(home_with_corpora, home, monkeypatch, cli):
    first = cli.run("tune", "dam/words", "runs=2", *QUICK)
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("dam/words: 2 finished, 0 failed")
    assert "trial 2: dev pearson" in first.stderr
    records = {record.id: record for record in records_of(home)}
    assert len(records) == 2
    for record in records.values():
        assert record.id in first.stdout
        assert f"{record.metrics['test/pearson']:.4g}" not in first.stdout + first.stderr
    with monkeypatch.context() as patch:
        patch.setattr(training, "train", None)
        assert cli.output("tune", "dam/words", "runs=2", *QUICK) == first.stdout
    cli.output("tune", "dam/words", "runs=3", *QUICK)
    assert {record.id for record in records_of(home)} > records.keys()
    # The command for the best makes runs that this search has made already with its seed.
    again = first.stdout.splitlines()[-1].removeprefix("attest ").replace("seed=1,2,3,4,5", "seed=1").split()
    with monkeypatch.context() as patch:
        patch.setattr(training, "train", None)
        cli.output(*again)


def test_failed_trials_are_recorded_and_passed_over(home_with_corpora, home, hot, monkeypatch, cli):
    command = ["tune", "own/hot", "minutes=9", "logger=none", "trainer.progress=false", "protocol.steps=20"]
    printed = cli.output(*command)
    assert "own/hot: 1 finished, 1 failed" in printed
    assert "the loss is no longer a finite number" in printed
    assert sorted(record.status for record in records_of(home)) == ["done", "failed"]
    monkeypatch.setattr(training, "train", None)
    assert "own/hot: 1 finished, 1 failed" in cli.output(*command)


def test_two_processes_divide_the_trials(home_with_corpora, monkeypatch, cli):
    """The other one has the first trial and leaves its record when this one comes back to it."""
    monkeypatch.setattr(searching, "WAIT_SECONDS", 0.01)
    run, asked = training.run, []

    def busy_at_first(settings, observe):
        asked.append(settings.label.row)
        if len(asked) == 1:
            raise BusyError("the run is being made by process 1")
        return run(settings, observe)

    monkeypatch.setattr(training, "run", busy_at_first)
    assert "3 finished" in cli.output("tune", "dam/words", "runs=3", *QUICK)
    assert asked == ["trial_1", "trial_2", "trial_3", "trial_1"]


def test_what_is_wrong_with_all_trials_ends_the_search(home, cli):
    error = cli.error("tune", "dam/words", "runs=2", *QUICK, f"paths.data={home}", code=1)
    assert "neither sts-train.csv nor sts-train.csv.xz is there" in error
    assert records_of(home) == []


def test_the_time_left_counts_on_one_trial_after_another_without_a_launcher(home_with_corpora, monkeypatch, cli):
    left = []
    monkeypatch.setattr(searching, "progress_line", lambda outcomes, seconds: left.append((list(outcomes), seconds)))
    cli.output("tune", "dam/words", "runs=4", "at_once=2", *QUICK)
    outcomes, seconds = left[0]
    assert len(outcomes) == 2
    assert seconds == pytest.approx(sum(outcome.seconds for outcome in outcomes))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "attest tune: no budget given. Type runs=20 for 20 trials"),
        (["runs=many"], "runs: expected a whole number, got 'many'"),
        (["runs=0"], "runs: 0 is out of range; type a number from 1"),
        (["minutes=nan"], "minutes: nan is no finite number"),
        (["runs=2", "seed=1,2"], "seed=1,2: one seed draws all trials"),
        (["runs=2", "dropuot=0.1"], "dropuot: unknown setting. Did you mean dropout"),
        (["runs=2", "protocol=authors"], "protocol.observe_test: a search chooses on the dev set alone"),
    ],
)
def test_mistakes_are_one_sentence(home, words, message, cli):
    assert message in cli.error("tune", "dam/ngram", *words)
    assert records_of(home) == []


def test_kills_change_nothing(tmp_path, mini_data):
    """SIGKILL at random writes and moments; then the same command ends with the trials of an undisturbed search."""
    command = ("tune", "dam/words", "runs=2", *QUICK, "trainer.checkpoint_seconds=0")

    def finish(home):
        status, said = run_with_traps(home, *command)
        assert status == 0, said
        return {record.id: record.metrics for record in records_of(home)}, int(said.split()[-1])

    expected, moments = finish(with_corpora(tmp_path / "whole", mini_data))
    rng, home = random.Random(5), with_corpora(tmp_path / "killed", mini_data)
    for _ in range(6):
        run_with_traps(home, *command, moment=rng.randrange(1, moments), side=rng.choice(["before", "after"]))
        assert all(expected[record.id] == record.metrics for record in records_of(home))
    assert finish(home)[0] == expected
    assert len(expected) == 2

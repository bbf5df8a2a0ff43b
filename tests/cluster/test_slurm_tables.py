"""A table, a search and a run as jobs of a real SLURM of one node, which have the records of other launchers.

`make test-cluster` runs it. The run that meets its time limit needs two minutes, so it goes on beside the other test,
and is looked at last.
"""

import json

import pytest
from cluster.tables import ARRAY, QUICK, Command, records_in, slowly

LIMITED = ("hydra.launcher.timeout_min=1", "hydra.launcher.signal_delay_s=1")
TABLE = (
    "reproduce", "disan/table1", "rows=additive,s2t,bilstm,no_directions,disan,fast_disan", "seeds=1", *QUICK,
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def limited(cluster, places):
    """A run of over a minute, each of whose jobs may last a minute, and the same run undisturbed."""
    arguments = ("train", "-m", "model=s2t", "seed=1", "protocol.steps=230", "protocol.evaluate_every=100", *QUICK[2:])
    command = Command(places("limited"), *arguments, *slowly(0.5), *ARRAY, *LIMITED, slurm=cluster)
    yield command, arguments
    command.kill()


def test_a_table_is_one_array_with_the_records_of_other_launchers(cluster, places):
    command = Command(places("table"), *TABLE, *ARRAY, slurm=cluster)
    basic = Command(places("basic"), *TABLE)
    joblib = Command(places("joblib"), *TABLE, "hydra/launcher=joblib", "hydra.launcher.n_jobs=2")
    code, printed = command.end()
    assert code == 0, printed
    assert "6 runs: 6 done" in printed
    assert "additive seed=1: accuracy dev" in printed
    assert "sacct" not in printed
    assert "done (1 of 1 runs" in printed
    (launch,) = (command.home / "runs/launches").glob("*/launch.json")
    ids = json.loads(launch.read_text())["cluster_ids"]
    assert len({identity.partition("_")[0] for identity in ids.values()}) == 1
    assert sorted(identity.partition("_")[2] for identity in ids.values()) == list("012345")
    assert len(records_in(command.home)) == 6
    assert command.records() == basic.records()
    assert command.records() == joblib.records()


def test_the_trials_of_a_search_are_jobs(cluster, places):
    command = Command(places("search"), "tune", "dam/words", "runs=1", *QUICK, *ARRAY, slurm=cluster)
    code, printed = command.end()
    assert code == 0, printed
    assert "dam/words: 1 finished, 0 failed" in printed
    assert len(records_in(command.home)) == 1


def test_a_run_that_meets_its_time_limit_twice_ends_with_the_figures_of_an_undisturbed_run(places, limited):
    command, arguments = limited
    undisturbed = Command(places("undisturbed"), *arguments)
    code, printed = command.end(400)
    assert code == 0, printed
    (log,) = (command.home / "runs/launches").glob("*/jobs/*.out")
    assert log.read_text().count("the job is requeued") >= 2
    assert command.records() == undisturbed.records()

"""Tables and sweeps on a real SLURM of one node, which the tests start and disturb: `make test-cluster`.

The run that meets its time limit needs two minutes, so it goes on beside the other tests, and is looked at last.
"""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cluster import slurm as own_slurm
from cluster.tables import QUICK, new_home, records_in, run_here, slowly, variables
from conftest import ROOT

if reason := own_slurm.missing():
    pytest.skip(f"there is no SLURM to test with: {reason}", allow_module_level=True)

ARRAY = ("hydra/launcher=slurm", "hydra.launcher.cpus_per_task=1", "hydra.launcher.mem_gb=null")
LIMITED = ("hydra.launcher.timeout_min=1", "hydra.launcher.signal_delay_s=1")
ROWS = "additive,s2t,bilstm,no_directions,disan,fast_disan"


class Head:
    """A command on the login node."""

    def __init__(self, slurm: own_slurm.Slurm, home: Path, *arguments: str) -> None:
        self.output = home.with_suffix(f".{time.monotonic_ns()}.out")
        environment = {**variables(home), **slurm.variables}
        with self.output.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "attest.cli", *arguments], cwd=ROOT, env=environment, stdout=file, stderr=file
            )

    def end(self, seconds: float = 240) -> tuple[int, str]:
        """Return the exit code and the output of the command, once it has ended."""
        code = self.process.wait(seconds)
        return code, self.output.read_text()


@pytest.fixture(scope="module")
def places(tmp_path_factory, mini_data):
    """Return a function that makes a home, in which the built-in corpora are made already."""
    base = tmp_path_factory.mktemp("cluster")

    return lambda name: new_home(base / name, mini_data)


@pytest.fixture(scope="module")
def cluster():
    with own_slurm.running_slurm() as slurm:
        yield slurm


@pytest.fixture(scope="module", autouse=True)
def limited(cluster, places):
    """A run of over a minute, each of whose jobs may last a minute."""
    home = places("limited")
    arguments = ("train", "-m", "model=s2t", "seed=1", "protocol.steps=230", "protocol.evaluate_every=100")
    head = Head(cluster, home, *arguments, *QUICK[2:], *slowly(0.5), *ARRAY, *LIMITED)
    yield home, arguments, head
    head.process.kill()
    head.process.wait()


def states_in(home: Path) -> list[dict]:
    """Return the states of the jobs of the latest launch, in the order of their numbers."""
    launches = sorted((home / "runs/launches").glob("*/launch.json"))
    paths = sorted(launches[-1].parent.glob("[0-9]*.json")) if launches else []
    return [json.loads(path.read_text()) for path in paths]


def test_a_table_is_one_array_with_the_records_of_other_launchers(cluster, places):
    home = places("table")
    head = Head(cluster, home, "reproduce", "disan/table1", f"rows={ROWS}", "seeds=1", *QUICK, *ARRAY)
    code, printed = head.end()
    assert code == 0, printed
    assert "6 runs: 6 done" in printed
    assert "additive seed=1: accuracy dev" in printed
    assert "sacct" not in printed
    assert "done (1 of 1 runs" in printed
    (launch,) = (home / "runs/launches").glob("*/launch.json")
    ids = json.loads(launch.read_text())["cluster_ids"]
    assert len({identity.partition("_")[0] for identity in ids.values()}) == 1
    assert sorted(identity.partition("_")[2] for identity in ids.values()) == list("012345")
    table = ("reproduce", "disan/table1", "seeds=1", *QUICK)
    assert len(records_in(home)) == 6
    assert records_in(home) == run_here(places("basic"), *table, f"rows={ROWS}")
    jobs = ("hydra/launcher=joblib", "hydra.launcher.n_jobs=2")
    assert records_in(home) == run_here(places("joblib"), *table, f"rows={ROWS}", *jobs)


def test_two_login_nodes_at_once_make_each_run_once(cluster, places):
    home = places("two")
    arguments = ("train", "-m", "model=s2t,additive", *QUICK, *ARRAY, *slowly(0.2))
    heads = [Head(cluster, home, *arguments) for _ in range(2)]
    for code, printed in (head.end() for head in heads):
        assert code == 0, printed
        assert "| s2t | 1 |" in printed
    assert len(records_in(home)) == 2
    logs = [path.read_text() for path in (home / "runs/launches").glob("*/jobs/*.out") if not path.is_symlink()]
    assert sum(text.count("scale=mini, built-in corpus") for text in logs) == 2, "each run begins once"


def test_a_killed_node_daemon_loses_nothing_and_cancelled_jobs_are_named(cluster, places):
    home = places("disturbed")
    arguments = ("train", "-m", "model=s2t", "seed=1,2,3,4", "protocol.steps=40", *QUICK[1:], *ARRAY, *slowly(0.25))
    head = Head(cluster, home, *arguments)
    cluster.wait_until(lambda: any(state["run"] for state in states_in(home)), 120)
    cluster.stop("slurmd", signal.SIGKILL)
    time.sleep(2)
    cluster.start_node()
    (launch,) = (home / "runs/launches").glob("*/launch.json")
    ids = json.loads(launch.read_text())["cluster_ids"]
    cluster.run("scancel", ids["2"], ids["3"])
    code, printed = head.end()
    assert code == 1, printed
    assert "2 of 4 runs failed" in printed
    for number in (2, 3):
        assert f"the job {ids[str(number)]} left no result: it was cancelled" in printed
        assert f"seed={number + 1} failed" in printed
    assert "Traceback" not in printed
    assert len(records_in(home)) == 2
    again = Head(cluster, home, *arguments)
    code, printed = again.end()
    assert code == 0, printed
    assert len(records_in(home)) == 4


def test_a_full_disk_ends_with_a_sentence_and_the_same_command_goes_on(cluster, places):
    home = places("full")
    small = home / "disk"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(small)], check=True)
    try:
        arguments = (
            "train", "-m", "model=s2t", "seed=1,2", "protocol.steps=40", *QUICK[1:], *ARRAY, *slowly(0.25),
            f"paths.runs={small}/runs", f"paths.results={small}/results",
        )  # fmt: skip
        head = Head(cluster, home, *arguments)
        cluster.wait_until(lambda: list(small.glob("runs/*/last.ckpt")), 120)
        with (small / "filler").open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(65536))
            except OSError:
                pass
        code, printed = head.end()
        assert code == 1, printed
        assert "runs failed" in printed
        assert "Traceback" not in printed
        (small / "filler").unlink()
        code, printed = Head(cluster, home, *arguments).end()
        assert code == 0, printed
        assert len(list(small.glob("results/records/*.json"))) == 2
    finally:
        subprocess.run(["umount", "-l", str(small)], check=False)


def test_a_run_that_meets_its_time_limit_twice_ends_with_the_figures_of_an_undisturbed_run(cluster, places, limited):
    home, arguments, head = limited
    code, printed = head.end(400)
    assert code == 0, printed
    (log,) = (home / "runs/launches").glob("*/jobs/*.out")
    assert log.read_text().count("the job is handed in again") >= 2
    assert records_in(home) == run_here(places("undisturbed"), *arguments, *QUICK[2:])

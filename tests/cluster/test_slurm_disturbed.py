"""Tables and sweeps on a real SLURM of one node that is disturbed: `make test-cluster`."""

import json
import signal
import subprocess
import time
from pathlib import Path

from cluster.tables import ARRAY, QUICK, Command, records_in, slowly


def states_in(home: Path) -> list[dict]:
    """Return the states of the jobs of the latest launch, in the order of their numbers."""
    launches = sorted((home / "runs/launches").glob("*/launch.json"))
    paths = sorted(launches[-1].parent.glob("[0-9]*.json")) if launches else []
    return [json.loads(path.read_text()) for path in paths]


def test_two_login_nodes_at_once_make_each_run_once(cluster, places):
    home = places("two")
    arguments = ("train", "-m", "model=s2t,additive", *QUICK, *ARRAY, *slowly(0.2))
    commands = [Command(home, *arguments, slurm=cluster) for _ in range(2)]
    for code, printed in (command.end() for command in commands):
        assert code == 0, printed
        assert "| s2t | 1 |" in printed
    assert len(records_in(home)) == 2
    logs = [path.read_text() for path in (home / "runs/launches").glob("*/jobs/*.out") if not path.is_symlink()]
    assert sum(text.count("scale=mini, built-in corpus") for text in logs) == 2, "each run begins once"


def test_a_killed_node_daemon_loses_nothing_and_cancelled_jobs_are_named(cluster, places):
    home = places("disturbed")
    arguments = ("train", "-m", "model=s2t", "seed=1,2,3,4", "protocol.steps=40", *QUICK[1:], *ARRAY, *slowly(0.25))
    command = Command(home, *arguments, slurm=cluster)
    cluster.wait_until(lambda: any(state["run"] for state in states_in(home)), 120)
    cluster.stop("slurmd", signal.SIGKILL)
    time.sleep(2)
    cluster.start_node()
    (launch,) = (home / "runs/launches").glob("*/launch.json")
    ids = json.loads(launch.read_text())["cluster_ids"]
    cluster.run("scancel", ids["2"], ids["3"])
    code, printed = command.end()
    assert code == 1, printed
    assert "2 of 4 runs failed" in printed
    for number in (2, 3):
        assert f"the job {ids[str(number)]} left no result: it was cancelled" in printed
        assert f"seed={number + 1} failed" in printed
    assert "Traceback" not in printed
    assert len(records_in(home)) == 2
    again = Command(home, *arguments, slurm=cluster)
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
        command = Command(home, *arguments, slurm=cluster)
        cluster.wait_until(lambda: list(small.glob("runs/*/last.ckpt")), 120)
        with (small / "filler").open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(65536))
            except OSError:
                pass
        code, printed = command.end()
        assert code == 1, printed
        assert "runs failed" in printed
        assert "Traceback" not in printed
        (small / "filler").unlink()
        code, printed = Command(home, *arguments, slurm=cluster).end()
        assert code == 0, printed
        assert len(list(small.glob("results/records/*.json"))) == 2
    finally:
        subprocess.run(["umount", "-l", str(small)], check=False)

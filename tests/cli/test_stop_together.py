"""Ctrl-C while joblib's processes make runs: those that have begun save their state, no other one begins."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import pytest
from commands import SOURCES, wait_until_begun
from hydra.core.utils import JobReturn, JobStatus
from places import ROOT

from attest.cli.job_report import check_stop
from attest.errors import MachineError, StoppedError
from attest.runs.launches import JobState, create_launch, is_stopping, processes_here, write_state
from attest.runs.run_folder import checkpoint_file
from attest.system.files import PARTIAL_MARK
from attest.system.processes import start_time
from attest.system.signals import STOP_SIGNALS, Stopped, stop_requests, stopped_by_command
from hydra_plugins.attest_sweepers._stopping import raise_if_stopped, stop_together

SLOW = "trainer.callbacks=[{_target_:cluster.slow.Slow,seconds:0.1}]"
COMMAND = (
    "train", "-m", "model=s2t", "seed=1,2,3", "protocol.steps=1000", "protocol.evaluate_every=500", "logger=none",
    "trainer.threads=1", SLOW, "packages=[attest,torch.optim,cluster]", "hydra/launcher=joblib",
    "hydra.launcher.n_jobs=2",
)  # fmt: skip
JOBS = {"s2t seed=1": ["seed=1"], "s2t seed=2": ["seed=2"], "s2t seed=3": ["seed=3"]}


@contextmanager
def sweep_process(home, mini_data, command=COMMAND, path=()):
    """A sweep in a session of its own, `path` being folders before the tests' on Python's; killed at the end."""
    environment = {
        **os.environ,
        "ATTEST_HOME": str(home),
        "PYTHONPATH": os.pathsep.join([*map(str, path), SOURCES]),
    }
    with subprocess.Popen(
        [sys.executable, "-m", "attest.cli", *command, f"paths.data={mini_data}"], cwd=ROOT, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def wait_until_gone(process, seconds):
    """Wait until no process of the sweep is left: those of joblib look for their end once in a while."""
    with pytest.raises(ProcessLookupError):
        for _ in range(10 * seconds):
            os.killpg(process.pid, 0)
            time.sleep(0.1)


@pytest.fixture
def launch(home):
    return create_launch(home / "runs", "disan/table1", "joblib", JOBS)


LOAD_ONE_AT_ONCE = """
import os, pathlib, sys, time
if "joblib.externals.loky.backend.popen_loky_posix" in sys.orig_argv:
    folder = pathlib.Path(__file__).parent
    try:
        folder.joinpath("first").touch(exist_ok=False)
    except FileExistsError:
        while not folder.joinpath("go").exists():
            time.sleep(0.1)
"""
"""Python runs this when it starts. All processes of joblib but the first one load until the file `go` is there."""


def test_ctrl_c_in_a_terminal_saves_the_run_that_has_begun_and_begins_no_other(home, mini_data, tmp_path, cli):
    """One process makes a run, and the other one still loads."""
    (tmp_path / "sitecustomize.py").write_text(LOAD_ONE_AT_ONCE)
    with sweep_process(home, mini_data, path=[tmp_path]) as process:
        wait_until_begun(home, 1)
        shown = cli.output("status")
        assert "sweep over seed (joblib, " in shown
        assert "3 runs: 1 running, 2 waiting" in shown
        assert len(re.findall(r"\| seed=\d \| running \| step \d+/1,000", shown)) == 1
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the command and to its processes
        assert process.stdout
        assert "stopping: " in next(line for line in process.stdout if "stopping: " in line or "Traceback" in line)
        (tmp_path / "go").touch()
        printed, _ = process.communicate(timeout=120)
        wait_until_gone(process, 10)
    assert process.returncode == 130, printed
    assert "Traceback" not in printed
    assert "stopped: 1 run saved at its last step, 2 runs not begun." in printed
    assert "the same command continues from there" in printed
    assert len(list(home.glob("runs/*/last.ckpt"))) == 1
    assert not list(home.rglob(f"*{PARTIAL_MARK}*"))
    assert not list(home.rglob("lease.json"))
    assert not list(home.rglob("results/*/records/*.json"))
    assert "3 runs: 2 waiting, 1 stopped" in cli.output("status")


def test_when_the_command_is_killed_a_run_is_finished_and_a_process_that_loads_begins_none(home, mini_data, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(LOAD_ONE_AT_ONCE)
    steps = {"protocol.steps=1000": "protocol.steps=20", "protocol.evaluate_every=500": "protocol.evaluate_every=10"}
    command = [steps.get(word, word) for word in COMMAND]
    with sweep_process(home, mini_data, command=command, path=[tmp_path]) as process:
        wait_until_begun(home, 1)
        process.kill()
        process.wait()
        (tmp_path / "go").touch()
        wait_until_gone(process, 60)
    assert len(list(home.rglob("results/*/records/*.json"))) == 1
    assert len(list(home.glob("runs/launches/*/[0-9].json"))) == 1


def test_a_signal_asks_the_jobs_to_stop_and_a_second_one_ends_the_command(launch, capsys):
    write_state(launch.folder, 0, JobState(status="done"))
    with subprocess.Popen(["sleep", "60"]) as job:
        path = launch.folder / "1.json"
        write_state(launch.folder, 1, JobState(status="running"))
        state = json.loads(path.read_text())
        state["holder"] |= {"pid": job.pid, "began": start_time(job.pid)}
        path.write_text(json.dumps(state))
        assert processes_here(launch) == {job.pid}
        with pytest.raises(KeyboardInterrupt), stop_together(launch):
            signal.raise_signal(signal.SIGINT)
            assert job.wait(10) == -signal.SIGTERM
            signal.raise_signal(signal.SIGINT)
    assert is_stopping(launch.folder)
    assert "stopping: runs that have begun save their state" in capsys.readouterr().err
    with pytest.raises(Stopped, match="stopped before it began"):
        check_stop(launch.folder)


def test_a_signal_that_the_command_ignores_stops_no_job(launch):
    earlier = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as shells start a job in the background of a script
    try:
        with stop_together(launch):
            signal.raise_signal(signal.SIGINT)
        assert not is_stopping(launch.folder)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, earlier)


def test_a_launcher_that_fails_because_of_the_signal_has_stopped(launch):
    with pytest.raises(Stopped), stop_together(launch):
        signal.raise_signal(signal.SIGTERM)
        raise MachineError("a worker process was killed")
    with pytest.raises(MachineError), stop_together(launch):
        raise MachineError("a worker process was killed")
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_job_in_the_process_of_the_command_is_interrupted(launch):
    write_state(launch.folder, 0, JobState(status="running"))
    with pytest.raises(KeyboardInterrupt), stop_together(launch):
        signal.raise_signal(signal.SIGINT)


def test_jobs_ignore_the_terminal_and_stop_when_their_command_says_so():
    earlier = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    try:
        with pytest.raises(Stopped), stopped_by_command():
            with stop_requests() as request:
                signal.raise_signal(signal.SIGINT)
                assert not request.received
                signal.raise_signal(signal.SIGTERM)
                assert request.received, "training saves its state first"
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)  # late: the job has ended
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)


def test_the_command_says_how_many_runs_were_saved(launch):
    (launch.runs_folder / "ab").mkdir()
    checkpoint_file(launch.runs_folder / "ab").touch()
    write_state(launch.folder, 0, JobState(status="stopped", run="ab"))
    returns = {name: JobReturn(status=JobStatus.FAILED, _return_value=StoppedError("stopped")) for name in JOBS}
    with pytest.raises(Stopped, match="^stopped: 1 run saved at its last step, 2 runs not begun. `attest"):
        raise_if_stopped(returns, launch)
    write_state(launch.folder, 1, JobState(status="stopped", run="cd"))
    before = "1 run saved at its last step, 1 run stopped before its first step, 1 run not begun"
    with pytest.raises(Stopped, match=f"^stopped: {before}. `attest"):
        raise_if_stopped(returns, launch)
    write_state(launch.folder, 2, JobState(status="stopped"))  # while it read its data
    with pytest.raises(Stopped, match="last step, 2 runs stopped before their first steps. `attest"):
        raise_if_stopped(returns, launch)
    raise_if_stopped({"s2t seed=1": JobReturn(status=JobStatus.COMPLETED, _return_value="ab")}, launch)

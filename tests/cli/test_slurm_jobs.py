"""The two sides of hydra/launcher=slurm without a SLURM: its commands are scripts. `make test-cluster` starts one."""

import json
import signal
from dataclasses import replace

import pytest
from submitit.core.utils import FailedJobError
from write_file import write_file

from attest.errors import AttestError, BusyError, DataError, MachineError
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import cells
from attest.runs.launches import JobState, create_launch, read_launch, with_cluster_ids, write_state
from attest.runs.run_folder import step_file
from attest.system import slurm
from attest.system.signals import Stopped, stop_requests
from hydra_plugins.attest_launchers import _array, _job
from hydra_plugins.attest_sweepers import _watching
from hydra_plugins.attest_sweepers._inputs import check_inputs_of_cells
from hydra_plugins.attest_sweepers._settings_check import check_all_settings

JOBS = {"s2t seed=1": ["model=s2t", "seed=1"], "s2t seed=2": ["model=s2t", "seed=2"]}


@pytest.fixture
def launch(home):
    return create_launch(home / "runs", "disan/table1", "slurm", JOBS)


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Return a function that makes a command of SLURM print a text, and notes its arguments in the file `calls`."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    def make(name, text="", code=0):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\necho {name} $* >> {tmp_path}/calls\ncat <<'END'\n{text}\nEND\nexit {code}\n")
        path.chmod(0o755)
        return tmp_path / "calls"

    return make


def overrides_of(launch, name):
    return [*JOBS[name], *launch.hydra_overrides(name)]


def test_the_queue_is_asked_once_in_a_while_and_may_not_answer(command):
    calls = command("squeue", "7_0\n7_1")
    queue = slurm.SlurmQueue()
    assert queue.jobs() == queue.jobs() == {"7_0", "7_1"}
    assert calls.read_text().count("squeue") == 1
    command("squeue", code=1)
    assert slurm.SlurmQueue().jobs() is None


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ("CANCELLED", "the job 7_1 left no result: it was cancelled"),
        ("OUT_OF_MEMORY", "more memory than it had asked for (hydra.launcher.mem_gb)"),
        ("FAILED", "its process ended (FAILED)"),
    ],
)
def test_a_job_without_a_result_says_what_became_of_it(state, text, command):
    command("scontrol", f"JobId=9 ArrayJobId=7 JobState={state} Reason=None")
    assert text in slurm.describe_end("7_1")
    command("scontrol", code=1)
    assert slurm.describe_end("7_1") == "the job 7_1 left no result: its process ended"


def test_an_array_holds_as_many_jobs_as_the_cluster_allows(command):
    command("scontrol", "AccountingStorageHost = x\nMaxArraySize            = 501\n")
    assert slurm.largest_array() == 500
    command("scontrol", code=1)
    assert slurm.largest_array() == 1000


def test_jobs_that_are_in_the_queue_already_are_not_handed_in_again(launch):
    earlier = with_cluster_ids(launch, {0: "7_0", 1: "7_1"})
    again = create_launch(launch.runs_folder, "disan/table1", "slurm", JOBS)
    queued = _array.queued_jobs_of_earlier_launches(again, [0, 1], {"7_1", "9"})
    assert queued == {1: ("7_1", earlier, 1)}
    _array.link_files(again, queued)
    write_state(earlier.folder, 1, JobState(status="done", run="ab"))
    state = again.state(1)
    assert state is not None
    assert state.run == "ab"
    assert _array.queued_jobs_of_earlier_launches(again, [0, 1], set()) == {}


def test_jobs_find_their_launch(launch):
    found, numbers = _array.launch_of([overrides_of(launch, name) for name in JOBS])
    assert (found, numbers) == (launch, [0, 1])
    (launch.folder / "launch.json").unlink()
    with pytest.raises(AttestError, match="the file of this launch is missing"):
        _array.launch_of([overrides_of(launch, name) for name in JOBS])


def test_the_end_of_each_job_is_what_it_wrote_or_what_the_queue_says(launch, command, monkeypatch):
    monkeypatch.setattr(_array, "GONE_SECONDS", 0)
    monkeypatch.setattr(_array, "POLL_SECONDS", 0)
    monkeypatch.setattr(slurm, "MIN_SECONDS_BETWEEN_QUERIES", 0)
    command("squeue", "")
    command("scontrol", "JobState=CANCELLED")
    launch = with_cluster_ids(launch, {0: "7_0", 1: "7_1"})
    write_state(launch.folder, 0, JobState(status="done", run="ab"))
    write_state(launch.folder, 1, JobState(status="running", run="cd"))
    write_file(launch.log(1), "step 1\nslurmstepd: killed\n\n")
    states = _array.wait(launch, [0, 1], slurm.SlurmQueue())
    assert states[0].status == "done"
    text = "the job 7_1 left no result: it was cancelled; its last line: slurmstepd: killed"
    assert (states[1].status, states[1].run, states[1].error) == ("failed", "cd", text)
    assert launch.state(1).error == text


def test_a_cluster_that_takes_no_jobs_is_named(launch, command, monkeypatch):
    command("scontrol", code=1)

    class Refusing:
        def map_array(self, *arguments):
            raise FailedJobError("sbatch: error: Unable to contact\nslurm controller")

    monkeypatch.setattr(_array, "executor", lambda launcher, launch: Refusing())
    with pytest.raises(MachineError, match="SLURM refused the jobs .sbatch: error: Unable to contact slurm controll"):
        _array.submit(None, launch, {0: overrides_of(launch, "s2t seed=1")})


def test_ctrl_c_leaves_the_jobs_in_the_queue(launch, monkeypatch, command):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    command("squeue", "")
    monkeypatch.setattr(_array, "submit", lambda launcher, launch, jobs: with_cluster_ids(launch, {0: "7_0", 1: "7_1"}))
    monkeypatch.setattr(_array, "wait", interrupted)
    with pytest.raises(Stopped, match="detached: 2 jobs continue. `attest status` shows them, `scancel 7` cancels"):
        _array.launch_array(None, [overrides_of(launch, name) for name in JOBS])
    assert _array.detached_message(replace(launch, cluster_ids={}), [0, 1]).startswith(
        "stopped before SLURM confirmed the jobs"
    )


def test_an_error_of_a_job_keeps_its_class():
    busy = _array.exception_of(JobState(status="busy", kind="BusyError", error="run ab is in progress"))
    assert type(busy) is BusyError
    assert type(_array.exception_of(JobState(status="failed", kind="DataError", error="x:1: no"))) is DataError
    other = _array.exception_of(JobState(status="failed", kind="KeyError", error="KeyError: 'x'"))
    assert (type(other), str(other)) == (AttestError, "KeyError: 'x'")


@pytest.mark.parametrize(
    ("state", "requeued"), [("RUNNING", True), ("PREEMPTED", True), ("COMPLETING", False), ("CANCELLED", False)]
)
def test_a_job_that_is_told_to_go_is_handed_in_again_unless_it_was_cancelled(
    state, requeued, launch, command, monkeypatch
):
    calls = command("scontrol", f"JobId=7 JobState={state}")
    for name, value in {
        "SUBMITIT_EXECUTOR": "slurm",
        "SLURM_JOB_ID": "7",
        "SUBMITIT_FOLDER": launch.folder / "jobs",
    }.items():
        monkeypatch.setenv(name, str(value))

    def stopped(*arguments):
        raise Stopped("stopped after step 3 of 9")

    with pytest.raises(SystemExit):
        _job.run_job(stopped, overrides_of(launch, "s2t seed=1"))
    assert ("scontrol requeue 7" in calls.read_text()) is requeued


def test_a_job_that_cannot_be_handed_in_again_says_so(command):
    command("scontrol", code=1)
    with pytest.raises(MachineError, match="job 7: its run is saved, but SLURM could not requeue it"):
        _job.requeue("7")


def test_jobs_that_make_no_step_end(launch, monkeypatch):
    monkeypatch.setenv("SUBMITIT_FOLDER", str(launch.folder / "jobs"))
    overrides = overrides_of(launch, "s2t seed=1")
    write_state(launch.folder, 0, JobState(status="stopped", run="ab"))
    note = step_file(launch.runs_folder / "ab")
    note.parent.mkdir()
    for step in (5, 9, 9, 9):
        note.write_text(json.dumps({"step": step}))
        _job.check_progress(overrides)
    with pytest.raises(
        MachineError, match="3 jobs in a row ended at step 9 of the run; give each more time with hydra"
    ):
        _job.check_progress(overrides)
    assert launch.state(0).status == "failed"


def test_the_signal_of_a_cluster_is_a_stop_request_where_it_has_a_handler():
    with stop_requests() as request:
        assert signal.SIGUSR2 not in request.earlier
    earlier = signal.signal(signal.SIGUSR2, lambda number, frame: None)
    try:
        with stop_requests() as request:
            signal.raise_signal(signal.SIGUSR2)
            assert request.received
    finally:
        signal.signal(signal.SIGUSR2, earlier)


def test_the_device_of_the_login_node_does_not_count(mini_data, capsys, monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    table = cells(load_table("disan/table1"), "mini", ["s2t"])
    settings = [f"paths.data={mini_data}", "trainer.accelerator=gpu"]
    check_inputs_of_cells(table, settings, elsewhere=True)
    assert capsys.readouterr().err == ""
    with pytest.raises(AttestError, match="torch finds no GPU"):
        check_inputs_of_cells(table, settings)


def test_a_device_that_does_not_exist_is_found_before_jobs_are_handed_in():
    with pytest.raises(AttestError, match="'cuda' has another name here. Did you mean gpu"):
        check_all_settings({"seed=1": ["seed=1", "trainer.accelerator=cuda"]})


def test_lines_name_what_has_changed(launch, command, capsys):
    command("squeue", "")
    watcher = _watching.Watcher(launch, slurm.SlurmQueue().jobs)
    for state in ("running", "running", "done"):
        write_state(launch.folder, 0, JobState(status=state, figures="accuracy test 70", run=""))
        views = watcher.look()
        for view in watcher.newly_ended(views):
            print(view.name, "ended")
        watcher.print_counts(views)
    assert watcher.newly_ended(watcher.look()) == []
    printed = capsys.readouterr()
    assert printed.err.splitlines() == ["2 runs: 1 running, 1 waiting", "2 runs: 1 waiting, 1 done"]
    assert printed.out == "s2t seed=1 ended\n"
    (launch.folder / "launch.json").unlink()
    assert watcher.look() == []
    assert read_launch(launch.folder) is None


def test_the_launcher_composes_and_needs_a_slurm(home, mini_data, monkeypatch, cli):
    printed = cli.output("train", "-m", "hydra/launcher=slurm", "--cfg", "hydra", "-p", "hydra.launcher")
    assert "hydra_plugins.attest_launchers.SlurmLauncher" in printed
    monkeypatch.setenv("PATH", "/nowhere")
    error = cli.error("train", "-m", "seed=1,2", "hydra/launcher=slurm", f"paths.data={mini_data}")
    assert "there is no SLURM here, since srun is not on PATH" in error


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("submitit_folder=/somewhere", "`attest status` looks for the files of jobs in the folder of runs"),
        ("max_num_timeout=3", "a job that reaches its time limit is requeued until its run is done"),
        ("max_num_timeout=0", "a job that reaches its time limit is requeued until its run is done"),
    ],
)
def test_a_setting_that_jobs_cannot_heed_is_named(home, mini_data, setting, reason, cli):
    command = ["train", "-m", "seed=1,2", "hydra/launcher=slurm", f"paths.data={mini_data}"]
    printed = cli.error(*command, f"hydra.launcher.{setting}")
    assert f"hydra.launcher.{setting}: hydra/launcher=slurm has no such setting, because {reason}" in printed
    assert not (home / "runs/launches").exists()


def test_a_setting_that_jobs_cannot_heed_is_named_in_a_file_too(tmp_path, cli):
    write_file(tmp_path / "hydra/launcher/my_cluster.yaml", "defaults: [slurm]\nmax_num_timeout: 3\n")
    command = ["reproduce", "disan/table1", "rows=s2t", "--config-dir", str(tmp_path), "hydra/launcher=my_cluster"]
    assert "hydra.launcher.max_num_timeout=3: hydra/launcher=slurm has no such setting" in cli.error(*command)

"""Launches: what a command writes about its jobs, what jobs write about themselves, and how both are read."""

import json
import os
import subprocess

import pytest

from attest.reproduction.pages.terminal.launches import count_line, ending_line, heading, progress_of
from attest.runs.job_views import JobView, job_views, seconds_left
from attest.runs.launches import (
    JobState,
    all_launches,
    create_launch,
    processes_here,
    read_launch,
    with_cluster_ids,
    write_state,
)
from attest.runs.notes.step import StepNote
from attest.runs.run_folder import step_file
from attest.system.leases import lease, lease_file
from attest.system.processes import start_time

JOBS = {"disan seed=1": ["model=disan", "seed=1"], "disan seed=2": ["model=disan", "seed=2"]}


@pytest.fixture
def launch(tmp_path):
    return create_launch(tmp_path / "runs", "disan/table1", "slurm", JOBS, "attest reproduce disan/table1")


def statuses(launch, queued=None):
    return [view.status for view in job_views(launch, queued)]


def with_holder(path, **fields):
    """The state in a file, with other facts about the process that works on the job."""
    state = json.loads(path.read_text())
    return {**state, "holder": {**state["holder"], **fields}}


def test_a_launch_is_read_as_it_was_written(launch):
    changed = with_cluster_ids(launch, {0: "7_0", 1: "7_1"})
    assert read_launch(launch.folder) == changed
    assert changed.command_is_alive
    assert changed.log(1) == launch.folder / "jobs/7_1_0_log.out"
    assert launch.log(1) is None
    assert launch.hydra_overrides("disan seed=2") == [f"hydra.sweeper.launch='{launch.id}'", "hydra.sweeper.job=1"]
    path = launch.folder / "launch.json"
    path.write_text("{half")
    assert read_launch(launch.folder) is None
    assert list(all_launches(launch.runs_folder)) == []


def test_a_job_waits_until_it_says_otherwise(launch):
    assert statuses(launch) == ["waiting", "waiting"]
    (launch.folder / "0.json").write_text("{half")
    assert statuses(launch) == ["waiting", "waiting"]
    write_state(launch.folder, 0, JobState(status="running"))
    write_state(launch.folder, 1, JobState(status="done", run="ab", figures="accuracy test 84"))
    assert statuses(launch) == ["running", "done"]
    assert progress_of(job_views(launch)[1]) == "accuracy test 84  run ab"


def test_a_job_runs_while_the_lease_of_its_run_is_held(launch):
    folder = launch.runs_folder / "abc"
    with lease(lease_file(folder)):
        write_state(launch.folder, 0, JobState(status="running", run="abc"))
        step_file(folder).write_text(json.dumps({"step": 300, "steps": 400, "first": 100, "seconds": 20.0}))
        (view, _) = job_views(launch)
        assert (view.status, view.step, view.steps, view.seconds_left) == ("running", 300, 400, 10.0)
        assert progress_of(view) == "step 300/400  0:10 left"
    launch = with_cluster_ids(launch, {0: "7_0"})
    assert statuses(launch)[0] == "stopped"
    assert statuses(launch, {"7_0"})[0] == "waiting", "it is in the queue again"
    assert progress_of(job_views(launch)[0]) == "step 300/400  starts from the beginning, since it has no checkpoint"
    (folder / "last.ckpt").touch()
    assert progress_of(job_views(launch)[0]) == "step 300/400  goes on from its checkpoint"


def test_a_job_that_is_killed_while_it_reads_data_has_stopped(launch):
    with subprocess.Popen(["sleep", "60"]) as process:
        write_state(launch.folder, 0, JobState(status="running"))
        path = launch.folder / "0.json"
        began = start_time(process.pid)
        path.write_text(json.dumps(with_holder(path, pid=process.pid, began=began)))
        assert statuses(launch)[0] == "running"
        process.kill()
    assert statuses(launch)[0] == "stopped"
    path.write_text(json.dumps(with_holder(path, place="elsewhere")))
    assert statuses(launch)[0] == "running", "another machine's processes are not known here"


def test_a_job_whose_run_another_process_makes_waits(launch):
    write_state(launch.folder, 0, JobState(status="busy", run="abc", error="in progress elsewhere"))
    (view, _) = job_views(launch)
    assert (view.status, view.error) == ("waiting", "")


def test_a_job_that_stops_goes_on_later(launch):
    write_state(launch.folder, 0, JobState(status="stopped", run="abc"))
    assert statuses(launch)[0] == "stopped"


def test_a_failed_job_is_named_by_table_row_seed_run_and_log(launch):
    launch = with_cluster_ids(launch, {0: "7_0"})
    write_state(launch.folder, 0, JobState(status="failed", run="abc", kind="DataError", error="file:3: \x1b broken"))
    line = ending_line(job_views(launch)[0], launch.title)
    log = launch.folder / "jobs/7_0_0_log.out"
    assert line == f"disan/table1 disan seed=1 failed: file:3: \\x1b broken (run abc, log {log})"
    assert progress_of(job_views(launch)[0]) == f"file:3: \x1b broken  log {log}"
    assert heading(launch, job_views(launch)).startswith("disan/table1 (slurm 7, 20")
    assert count_line(job_views(launch)) == "2 runs: 1 waiting, 1 failed"


def test_the_time_left_is_that_of_the_jobs_that_run_and_of_those_that_wait():
    def view(status, **fields):
        return JobView(number=0, name="", status=status, **fields)

    running = [view("running", seconds=60.0, seconds_left=30.0), view("running", seconds=60.0, seconds_left=30.0)]
    assert seconds_left([]) is None
    assert seconds_left([view("running"), view("waiting")]) is None
    assert seconds_left(running) == 30
    assert seconds_left([*running, view("waiting"), view("waiting"), view("done")]) == 30 + 90


def test_a_state_that_the_disk_refuses_does_not_stop_the_job(launch):
    write_state(launch.folder / "missing", 0, JobState(status="running"))
    assert not (launch.folder / "missing").exists()


def test_a_note_tells_the_steps_of_this_process_from_earlier_ones(tmp_path):
    note = StepNote(tmp_path / "step.json")
    note.write(101, 400)
    step = note.read()
    assert step is not None
    assert (step.step, step.steps, step.first, step.seconds) == (101, 400, 101, 0.0)


def test_a_process_with_the_id_of_a_dead_one_is_not_stopped(launch):
    write_state(launch.folder, 0, JobState(status="running"))
    assert processes_here(launch) == {os.getpid()}
    path = launch.folder / "0.json"
    path.write_text(json.dumps(with_holder(path, began="1")))
    assert processes_here(launch) == set()
    assert statuses(launch)[0] == "stopped"

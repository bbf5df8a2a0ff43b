"""attest status: what is launched, from any terminal that shares the folder."""

import re
import shlex
from dataclasses import replace

import pytest

from attest.errors import DataError
from attest.runs.launches import JobState, create_launch, with_cluster_ids, write_launch, write_state
from attest.runs.run_folder import command_file
from attest.system.leases import lease, lease_file
from attest.system.slurm import SlurmQueue
from attest.training.schedule import Schedule

JOBS = {"disan seed=1": ["model=disan", "seed=1"], "s2t seed=1": ["model=s2t", "seed=1"]}


def test_nothing_is_launched(home, cli):
    assert cli.output("status") == "nothing runs or waits here; `attest runs` lists finished runs\n"
    assert cli.output("status", "disan/table1") == (
        "nothing of disan/table1 was launched here; `attest runs table=disan/table1` lists its runs, "
        "`attest reproduce disan/table1` starts it\n"
    )
    unknown = "no such table, and no such sweep was launched here."
    assert f"disan/tabel1: {unknown} Did you mean disan/table1?" in cli.error("status", "disan/tabel1")
    assert f"foo: {unknown} There are: " in cli.error("status", "foo")
    assert "table1: not the full name; type one of dam/table1, disan/table1" in cli.error("status", "table1")


def test_jobs_of_a_table_and_runs_of_single_commands(home, cli):
    launch = create_launch(home / "runs", "disan/table1", "joblib", JOBS)
    write_state(launch.folder, 0, JobState(status="done", run="ab", figures="accuracy dev 71  test 70"))
    with lease(lease_file(home / "runs/cd")):
        printed = cli.output("status")
    assert "disan/table1 (joblib, " in printed
    assert "2 runs: 1 waiting, 1 done" in printed
    assert "| disan seed=1 | done | accuracy dev 71  test 70  run ab |" in printed
    assert "Runs of single commands" in printed
    assert "| run cd | running |" in printed
    assert cli.output("status", "disan/table1").count("disan seed=1") == 1


def test_a_finished_launch_is_shown_when_it_is_asked_for(home, cli):
    launch = create_launch(home / "runs", "disan/table1", "joblib", JOBS)
    for number in range(2):
        write_state(launch.folder, number, JobState(status="done", run="ab", figures="accuracy test 70"))
    assert cli.output("status").startswith("nothing runs or waits here")
    assert "2 runs: 2 done" in cli.output("status", "disan/table1")


def test_the_latest_launch_is_shown_if_a_job_of_it_failed(home, cli):
    launch = create_launch(home / "runs", "sweep over seed", "basic", JOBS)
    write_state(launch.folder, 0, JobState(status="done", run="ab", figures="accuracy test 70"))
    write_state(launch.folder, 1, JobState(status="failed", error="model.directions: unknown setting"))
    assert "2 runs: 1 done, 1 failed" in cli.output("status")


def test_runs_in_the_process_of_a_sweep_are_shown_as_those_of_other_launchers(home, mini_data, monkeypatch, cli):
    shown = []

    def train_one(config, hidden, report):
        report.write("running", "ab")
        with lease(lease_file(home / "runs/ab")):
            shown.append(cli.output("status"))
        raise DataError("file:3: broken")

    monkeypatch.setattr("attest.cli.job.train_one", train_one)
    assert cli.run("train", "-m", "seed=1,2", f"paths.data={mini_data}").returncode == 1
    assert "sweep over seed (basic, " in shown[0]
    assert "2 runs: 1 running, 1 waiting" in shown[0]
    assert "2 runs: 1 running, 1 failed" in shown[1]
    assert "| seed=1 | failed | file:3: broken |" in shown[1]


def test_settings_of_a_run_are_refused(home, cli):
    assert "model: attest status accepts only these settings: paths.*" in cli.error("status", "model=disan")


def test_the_queue_of_a_cluster_is_asked_once(home, cli, monkeypatch):
    for number, title in enumerate(["disan/table1", "disan/table2"]):
        launch = create_launch(home / "runs", title, "slurm", JOBS)
        with_cluster_ids(launch, {0: f"{number}_0", 1: f"{number}_1"})
    questions = []
    monkeypatch.setattr(SlurmQueue, "jobs", lambda queue: questions.append(queue) or frozenset({"0_0", "1_1"}))
    printed = cli.output("status")
    assert len(questions) == 1
    assert printed.count("2 runs: 2 waiting") == 2


def test_an_interrupted_run_is_shown_with_the_command_that_continues_it(home, mini_data, monkeypatch, cli):
    monkeypatch.setattr("attest.runs.notes.step.NOTE_SECONDS", 0)
    plainly = Schedule.on_train_batch_end

    def stop(self, *arguments):
        self.stop_request.received = True
        plainly(self, *arguments)

    arguments = ["model=s2t", "protocol.steps=8", f"paths.data={mini_data}", "logger=none"]
    with monkeypatch.context() as patch:
        patch.setattr(Schedule, "on_train_batch_end", stop)
        assert cli.run("train", *arguments).returncode == 130
    printed = cli.output("status")
    (folder,) = (path.parent for path in home.glob("runs/*/last.ckpt"))
    assert f"| SourceToToken seed=1 run {folder.name} | stopped | step 1/8  goes on from its checkpoint | 20" in printed
    assert (
        f"To continue a stopped run, type its command:\n  {folder.name}  attest train {' '.join(arguments)}" in printed
    )
    assert "1 interrupted run not listed here; `attest status` shows how to continue" in cli.run("runs").stderr
    error = cli.error("show", folder.name[:6], code=1)
    assert f"{folder.name}: this run has not ended, so it has no record; " in error
    cli.output("train", *arguments)
    assert not command_file(folder).exists()
    assert cli.output("status").startswith("nothing runs or waits here")


@pytest.mark.parametrize("command", ["train", "reproduce"])
def test_an_interrupted_launch_is_shown_with_the_command_that_continues_it(command, home, mini_data, monkeypatch, cli):
    wanted = {
        "train": ["-m", "model=s2t", "seed=1,2"],
        "reproduce": ["disan/table1", "rows=[s2t,multi_head]", "seeds=1"],
    }
    arguments = [command, *wanted[command], "protocol.steps=8", f"paths.data={mini_data}", "logger=none"]
    with monkeypatch.context() as patch:
        patch.setattr(Schedule, "on_train_batch_end", stop_after_two_steps(Schedule.on_train_batch_end))
        assert cli.run(*arguments).returncode == 130
    printed = cli.output("status")
    assert re.search(
        r"runs: \d waiting, 1 stopped\nLast wrote: 20..-..-.. ..:.. \(UTC\)\nTo continue, type:  ", printed
    )
    assert f"type:  {shlex.join(['attest', *arguments])}\n\n| job | state |" in printed
    assert "| stopped | step 2/8  goes on from its checkpoint |" in printed, "the step that the command named"


@pytest.mark.parametrize("by", ["flag", "variable"])
def test_the_command_of_a_launch_names_the_folder_of_the_users_own(by, home, mini_data, tmp_path, monkeypatch, cli):
    """It is typed in another terminal, which may be in another folder and have no ATTEST_PATH."""
    (tmp_path / "mine/conf").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    if by == "variable":
        monkeypatch.setenv("ATTEST_PATH", "mine")
    typed = ["-m", "model=s2t", "seed=1,2", "protocol.steps=8", f"paths.data={mini_data}", "logger=none"]
    with monkeypatch.context() as patch:
        patch.setattr(Schedule, "on_train_batch_end", stop_after_two_steps(Schedule.on_train_batch_end))
        assert cli.run("train", *(["-cd", "mine"] if by == "flag" else []), *typed).returncode == 130
    monkeypatch.chdir(home)
    monkeypatch.delenv("ATTEST_PATH", raising=False)
    command = shlex.join(["attest", "train", "--config-dir", str(tmp_path / "mine"), *typed])
    assert f"To continue, type:  {command}\n" in cli.output("status")


def stop_after_two_steps(plainly):
    """Return the end of a step that stops the run after its second one; `plainly` is the present one."""

    def end_step(self, trainer, *arguments):
        self.stop_request.received = trainer.global_step == 2
        plainly(self, trainer, *arguments)

    return end_step


def test_a_launch_that_may_go_on_is_shown_without_a_command(home, cli):
    launch = create_launch(home / "runs", "sweep over seed", "basic", JOBS, "attest train -m seed=1,2")
    assert "To continue" not in cli.output("status"), "its process is alive"
    write_state(launch.folder, 0, JobState(status="stopped"))
    assert "To continue, type:  attest train -m seed=1,2\n" in cli.output("status")
    write_launch(replace(launch, command="attest train -m '\x1b[31m'"))
    assert "To continue" not in cli.output("status")

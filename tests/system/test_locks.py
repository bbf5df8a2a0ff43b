"""One process per run: the lease of a live process is respected, that of a dead one is taken over."""

import errno
import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from commands import Command
from conftest import ROOT

from attest.errors import BusyError, LeaseLostError
from attest.runs.step_note import StepNote
from attest.runs.store import Store
from attest.system import locks, processes
from attest.system.files import discard, write_text
from attest.system.holders import Holder, create_lease, held_tokens, read_holder
from attest.system.locks import Lease, heartbeat_stopped, lease, lease_beside, remove_dead_lease, remove_if_dead
from attest.training import run

ELSEWHERE = Holder(host="other", place="ffffffff", pid=1, began="5", token="t")


def test_the_second_is_told_who_holds_it(tmp_path):
    path = tmp_path / "run/lease.json"
    with lease(path):
        with pytest.raises(BusyError, match=rf"run run is in progress in process {os.getpid()} on"), lease(path):
            pass
        assert read_holder(path) is not None
    assert list(path.parent.iterdir()) == []
    with lease(path):
        pass


def test_the_lease_of_a_file_or_folder_stands_beside_it(tmp_path):
    assert lease_beside(tmp_path / "a.zip") == tmp_path / "a.zip.lease.json"


def test_a_dead_process_of_this_machine_is_known_at_once(tmp_path):
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    path = tmp_path / "lease.json"
    create_lease(path, replace(Holder.here(), pid=child.pid))
    with lease(path):
        assert read_holder(path).pid == os.getpid()


def test_a_later_process_with_the_same_number_is_not_the_holder(tmp_path):
    path = tmp_path / "lease.json"
    create_lease(path, replace(Holder.here(), began="1"))
    with lease(path):
        assert read_holder(path).began == processes.start_time(os.getpid())


def test_another_machines_lease_counts_until_its_heart_is_silent(tmp_path):
    path = tmp_path / "lease.json"
    create_lease(path, ELSEWHERE)
    with pytest.raises(BusyError, match="process 1 on other"), lease(path):
        pass
    os.utime(path, (time.time() - 61, time.time() - 61))
    with lease(path):
        assert read_holder(path) != ELSEWHERE


def test_a_silent_process_of_this_machine_is_alive_all_the_same(tmp_path):
    """The process may be suspended, or its machine asleep."""
    path, parent = tmp_path / "lease.json", os.getppid()
    create_lease(path, replace(Holder.here(), pid=parent, began=processes.start_time(parent)))
    os.utime(path, (time.time() - 3600, time.time() - 3600))
    with pytest.raises(BusyError), lease(path):
        pass


def test_a_lease_that_this_process_could_not_remove_does_not_block_it(tmp_path):
    """The disk failed when the lease was to be removed, and the sweep of this process comes to the run again."""
    path, left = tmp_path / "lease.json", Holder.here()
    create_lease(path, left)
    with lease(path):
        assert read_holder(path) != left
    held_tokens.add(left.token)
    create_lease(path, left)
    with pytest.raises(BusyError), lease(path):
        pass
    held_tokens.remove(left.token)


def test_the_heart_beats_for_its_own_lease_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "HEARTBEAT_SECONDS", 0.01)
    path = tmp_path / "lease.json"
    create_lease(path, ELSEWHERE)
    os.utime(path, (0, 0))
    mine = Lease(path, "run")
    heart = threading.Thread(target=locks.keep_heartbeat, args=(mine, threading.Event()), daemon=True)
    heart.start()
    heart.join(timeout=60)
    assert not heart.is_alive(), "it stops by itself"
    assert path.stat().st_mtime == 0
    assert mine.lost


def test_the_heart_beats(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "HEARTBEAT_SECONDS", 0.02)
    path = tmp_path / "lease.json"
    with lease(path):
        os.utime(path, (0, 0))
        deadline = time.time() + 60
        while heartbeat_stopped(path) and time.time() < deadline:
            time.sleep(0.01)
        assert not heartbeat_stopped(path)


def test_a_lease_in_a_read_only_folder_is_looked_at_by_the_clock_of_this_machine(tmp_path, monkeypatch):
    path = tmp_path / "lease.json"
    create_lease(path, ELSEWHERE)

    def refuse(*arguments):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "touch", refuse)
    assert locks.is_held(path)
    os.utime(path, (0, 0))
    assert not locks.is_held(path)


def test_a_passing_error_of_the_disk_does_not_stop_the_heart(tmp_path, monkeypatch):
    """One ESTALE ended the heartbeat for good, and after a minute another machine took over a live run."""
    path, beats = tmp_path / "lease.json", []

    def fail_twice(target, *times):
        beats.append(target)
        if len(beats) < 3:
            raise OSError(errno.ESTALE, "Stale file handle")

    monkeypatch.setattr(locks.os, "utime", fail_twice)
    monkeypatch.setattr(locks, "HEARTBEAT_SECONDS", 0.001)
    with lease(path):
        deadline = time.time() + 60
        while len(beats) < 4 and time.time() < deadline:
            time.sleep(0.001)
    assert len(beats) >= 4


def taken_over(path):
    """Another machine takes the lease at `path` over, whose heart it has not heard for a minute."""
    os.utime(path, (0, 0))
    remove_dead_lease(path, replace(read_holder(path), place="ffffffff"))  # which finds no such holder
    locks.remove_tree(read_holder(path).folder(path))
    path.unlink()
    create_lease(path, ELSEWHERE)


def test_a_loser_writes_nothing_and_says_so(tmp_path):
    path, file = tmp_path / "run/lease.json", tmp_path / "run/last.ckpt"
    with pytest.raises(LeaseLostError, match="run run was taken over by process 1 on other, since this"), lease(path):
        write_text(file, "mine")
        taken_over(path)
        file.write_text("the winner's")
        with pytest.raises(LeaseLostError):
            discard(file)
        write_text(file, "mine, too late")
    assert file.read_text() == "the winner's"
    assert read_holder(path) == ELSEWHERE
    assert sorted(p.name for p in path.parent.iterdir()) == ["last.ckpt", "lease.json"]


def test_a_loss_that_the_heart_has_found_ends_the_steps_too(tmp_path):
    path, note = tmp_path / "run/lease.json", StepNote(tmp_path / "run/step")
    with pytest.raises(LeaseLostError), lease(path) as mine:
        note.write(1)
        taken_over(path)
        assert not mine.beat()
        StepNote(note.path).write(2)
    assert note.last_step() == 1


def test_a_write_between_its_check_and_its_move_is_fenced(tmp_path, monkeypatch):
    """The process is suspended there, for as long as another machine needs to take the run over."""
    path, file, move = tmp_path / "run/lease.json", tmp_path / "run/last.ckpt", os.replace

    def suspended(*paths):
        monkeypatch.setattr(os, "replace", move)
        taken_over(path)
        file.write_text("the winner's")
        move(*paths)

    with pytest.raises(LeaseLostError), lease(path):
        monkeypatch.setattr(os, "replace", suspended)
        write_text(file, "mine, too late")
    assert file.read_text() == "the winner's"


def test_another_disk_than_that_of_the_lease_is_written_to(tmp_path, monkeypatch):
    path, file, move = tmp_path / "run/lease.json", tmp_path / "records/a.json", os.replace

    def across(source, target):
        if Path(source).parent != Path(target).parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        move(source, target)

    with lease(path):
        monkeypatch.setattr(os, "replace", across)
        write_text(file, "a record")
        monkeypatch.setattr(os, "replace", move)
    assert file.read_text() == "a record"
    assert [p.name for p in file.parent.iterdir()] == ["a.json"]


def test_an_unreadable_lease_is_waited_for(tmp_path, monkeypatch):
    path, seconds = tmp_path / "run/lease.json", iter(range(1000))
    with lease(path) as mine:
        monkeypatch.setattr(locks.time, "sleep", lambda seconds: None)
        monkeypatch.setattr(locks.time, "monotonic", lambda: next(seconds))
        answers = [OSError(errno.EIO, "Input/output error")] * 3
        monkeypatch.setattr(locks, "read_holder", lambda path: pop_or(answers, mine.holder))
        mine.check()
        assert answers == []
        answers += [OSError(errno.EIO, "Input/output error")] * 100
        with pytest.raises(OSError, match="Input/output"):
            mine.check()
        assert not mine.lost
        monkeypatch.undo()


def pop_or(answers, otherwise):
    """Raise the next of the errors, or return what there is otherwise."""
    if answers:
        raise answers.pop()
    return otherwise


def test_a_link_that_was_made_though_the_disk_reports_an_error_counts(tmp_path, monkeypatch):
    path, link = tmp_path / "lease.json", os.link

    def link_and_fail(*paths):
        link(*paths)
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "link", link_and_fail)
    with lease(path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_lease_is_taken_over(tmp_path):
    path = tmp_path / "lease.json"
    path.write_text("{")
    with lease(path):
        assert read_holder(path) is not None


def test_nobody_takes_a_newer_lease_away(tmp_path):
    path = tmp_path / "lease.json"
    create_lease(path, ELSEWHERE)
    remove_dead_lease(path, replace(ELSEWHERE, token="an older one"))
    assert read_holder(path) == ELSEWHERE
    remove_dead_lease(path, ELSEWHERE)
    assert read_holder(path) == ELSEWHERE, "its heart beats again"
    os.utime(path, (0, 0))
    remove_dead_lease(path, ELSEWHERE)
    assert not path.exists()


def test_a_dead_lease_is_removed_though_its_folder_is_in_use(tmp_path, monkeypatch):
    """NFS keeps a deleted file in the folder for as long as a process has it open."""
    path = tmp_path / "lease.json"
    create_lease(path, ELSEWHERE)
    os.utime(path, (0, 0))
    folder = ELSEWHERE.folder(path)
    folder.mkdir(exist_ok=True)

    def refuse(folder):
        raise OSError(errno.ENOTEMPTY, "Directory not empty")

    monkeypatch.setattr(locks, "remove_tree", refuse)
    remove_dead_lease(path, ELSEWHERE)
    assert (path.exists(), folder.exists()) == (False, False)


@pytest.mark.parametrize("attempt", range(10))
def test_of_many_that_find_a_dead_holder_one_succeeds(attempt, tmp_path):
    path, won, barrier, last = tmp_path / "lease.json", [], threading.Barrier(8), threading.Barrier(8)
    create_lease(path, replace(Holder.here(), pid=2**22 + 1))  # no such process

    def attempt_once():
        barrier.wait()
        try:
            with lease(path):
                won.append(1)
                last.wait()  # held until all have tried
        except BusyError:
            last.wait()

    threads = [threading.Thread(target=attempt_once) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_slow_process_does_not_remove_what_a_quicker_one_wrote(tmp_path):
    """Both saw the same dead holder, and the quicker has taken over when the slower comes to remove it."""
    path, dead = tmp_path / "lease.json", replace(Holder.here(), pid=2**22 + 1)
    create_lease(path, dead)
    with lease(path):
        quick = read_holder(path)
        remove_dead_lease(path, dead)
        assert read_holder(path) == quick


def test_a_process_killed_while_it_took_a_lease_away_stops_nobody(tmp_path):
    path, dead = tmp_path / "lease.json", replace(Holder.here(), pid=2**22 + 1)
    create_lease(path, dead)
    create_lease(locks.removal_lock(path), dead)
    with lease(path):
        pass
    assert list(tmp_path.iterdir()) == []
    create_lease(path, dead)
    create_lease(locks.removal_lock(path), dead)
    remove_if_dead(path)
    assert list(tmp_path.iterdir()) == []


def test_processes():
    assert processes.is_alive(os.getpid(), processes.start_time(os.getpid()))
    assert not processes.is_alive(os.getpid(), "1")
    assert len(processes.process_namespace()) == 8


def test_processes_share_a_sweep(home, mini_data, tmp_path):
    """Each run is carried out once, and all processes end when all runs are done.

    The first process is held in its first run until another one has begun the other run.
    """
    sweep = (
        "train", "-m", "model=s2t", "logger=none", "protocol.steps=4", "protocol.evaluate_every=2",
        "trainer.progress=false", "trainer.on_train=false", f"paths.data={mini_data}",
        f"trainer.callbacks=[{{_target_:cluster.slow.Held,folder:{tmp_path}}}]",
        "packages=[attest,torch.optim,cluster]",
    )  # fmt: skip

    def start(*more):
        return Command(*sweep, *more, PYTHONPATH=str(ROOT / "tests"))

    commands = [start("seed=1,2")]
    wait_for_files(tmp_path, 1)
    commands.append(start("seed=1,2", "hydra/launcher=joblib", "hydra.launcher.n_jobs=2"))
    wait_for_files(tmp_path, 2)
    (tmp_path / "go").touch()
    commands.append(start("seed=2", "hydra/launcher=submitit_local"))
    errors = [command.communicate()[1] for command in commands]
    assert [command.returncode for command in commands] == [0, 0, 0], errors
    assert sorted(record.seed for record in Store(home / "results/mini/records")) == [1, 2]
    assert not list(home.rglob("lease.json"))
    assert len(list(tmp_path.glob("*.begun"))) == 2, errors


def wait_for_files(folder, count, seconds=300):
    """Return when so many runs have left a file in a folder; fail if that takes too long."""
    until = time.monotonic() + seconds
    while len(list(folder.glob("*.begun"))) < count:
        assert time.monotonic() < until, "the runs have not begun"
        time.sleep(0.1)


def test_a_run_is_not_made_while_somebody_else_makes_it(settings_with, monkeypatch):
    settings = settings_with("protocol.steps=2", "model=s2t")
    from attest.data.prepare import prepare
    from attest.runs.identity import run_id

    folder = Path(settings.paths.runs) / run_id(settings, prepare(settings).fingerprint)
    folder.mkdir(parents=True)
    (folder / "lease.json").write_text(json.dumps(asdict(ELSEWHERE)))
    monkeypatch.setattr(run, "train", lambda *arguments: pytest.fail("made twice"))
    with pytest.raises(BusyError):
        run.run(settings)

"""The lease of a dead process is removed once, and never a newer lease in its place."""

import errno
import os
import threading
from dataclasses import replace

from system.holders_elsewhere import ELSEWHERE, dead_holder

from attest.errors import BusyError
from attest.system import leases
from attest.system.holders import create_lease, read_holder
from attest.system.leases import lease, remove_dead_lease, remove_if_dead


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

    monkeypatch.setattr(leases, "remove_tree", refuse)
    monkeypatch.setattr(leases, "RETRY_SECONDS", 0)
    remove_dead_lease(path, ELSEWHERE)
    assert (path.exists(), folder.exists()) == (False, False)


def test_of_many_that_find_a_dead_holder_one_succeeds(tmp_path):
    for attempt in range(10):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        assert successes_at_a_dead_holder(folder) == 1
        assert list(folder.iterdir()) == []


def successes_at_a_dead_holder(folder):
    """Return how many of eight threads that try at the same time get the lease of a dead holder."""
    path, won, barrier, last = folder / "lease.json", [], threading.Barrier(8), threading.Barrier(8)
    create_lease(path, dead_holder())

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
    return len(won)


def test_a_slow_process_does_not_remove_what_a_quicker_one_wrote(tmp_path):
    """Both saw the same dead holder, and the quicker has taken over when the slower comes to remove it."""
    path, dead = tmp_path / "lease.json", dead_holder()
    create_lease(path, dead)
    with lease(path):
        quick = read_holder(path)
        remove_dead_lease(path, dead)
        assert read_holder(path) == quick


def test_a_process_killed_while_it_took_a_lease_away_stops_nobody(tmp_path):
    path, dead = tmp_path / "lease.json", dead_holder()
    create_lease(path, dead)
    create_lease(leases.removal_lock(path), dead)
    with lease(path):
        pass
    assert list(tmp_path.iterdir()) == []
    create_lease(path, dead)
    create_lease(leases.removal_lock(path), dead)
    remove_if_dead(path)
    assert list(tmp_path.iterdir()) == []

"""The heartbeat by which other machines know that the holder of a lease is alive."""

import errno
import os
import threading
import time
from pathlib import Path

from system.holders_elsewhere import ELSEWHERE

from attest.system import leases
from attest.system.holders import create_lease
from attest.system.leases import Lease, heartbeat_stopped, lease


def test_the_heart_beats_for_its_own_lease_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 0.01)
    path = tmp_path / "lease.json"
    create_lease(path, ELSEWHERE)
    os.utime(path, (0, 0))
    mine = Lease(path, "run")
    heart = threading.Thread(target=leases.keep_heartbeat, args=(mine, threading.Event()), daemon=True)
    heart.start()
    heart.join(timeout=60)
    assert not heart.is_alive(), "it stops by itself"
    assert path.stat().st_mtime == 0
    assert mine.lost


def test_the_heart_beats(tmp_path, monkeypatch):
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 0.02)
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
    assert leases.is_held(path)
    os.utime(path, (0, 0))
    assert not leases.is_held(path)


def test_a_passing_error_of_the_disk_does_not_stop_the_heart(tmp_path, monkeypatch):
    """One ESTALE ended the heartbeat for good, and after a minute another machine took over a live run."""
    path, beats = tmp_path / "lease.json", []

    def fail_twice(target, *times):
        beats.append(target)
        if len(beats) < 3:
            raise OSError(errno.ESTALE, "Stale file handle")

    monkeypatch.setattr(leases.os, "utime", fail_twice)
    monkeypatch.setattr(leases, "HEARTBEAT_SECONDS", 0.001)
    with lease(path):
        deadline = time.time() + 60
        while len(beats) < 4 and time.time() < deadline:
            time.sleep(0.001)
    assert len(beats) >= 4

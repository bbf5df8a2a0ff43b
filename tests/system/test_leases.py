"""The lease of a live process is respected, and that of a dead one is taken over."""

import errno
import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from marks import linux
from system.holders_elsewhere import ELSEWHERE, dead_holder

from attest.errors import BusyError
from attest.system import leases, processes
from attest.system.holders import Holder, create_lease, held_tokens, read_holder
from attest.system.leases import lease, lease_beside


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


@linux
def test_a_process_that_has_ended_holds_nothing_though_its_parent_has_not_asked_for_its_end(tmp_path):
    """As in a container whose first process asks for none."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        began = processes.start_time(child.pid)
        path = tmp_path / "lease.json"
        create_lease(path, replace(Holder.here(), pid=child.pid, began=began))
        with pytest.raises(BusyError), lease(path):
            pass
        child.kill()
        while processes.stat_fields(child.pid)[0] != "Z":
            time.sleep(0.01)
        with lease(path):
            assert read_holder(path).pid == os.getpid()


def test_ctrl_c_while_a_lease_is_released_leaves_it_to_the_next(tmp_path, monkeypatch):
    path = tmp_path / "lease.json"

    def interrupted(mine):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(leases, "release", interrupted)
        with pytest.raises(KeyboardInterrupt), lease(path):
            pass
    with lease(path):
        pass


def test_a_dead_process_of_this_machine_is_known_at_once(tmp_path):
    path = tmp_path / "lease.json"
    create_lease(path, dead_holder())
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

"""Removal of a lease's folder, in which another process may still have files."""

import errno

import pytest
from system.holders_elsewhere import dead_holder

from attest.system import leases
from attest.system.holders import Holder, create_lease, read_holder


@pytest.fixture
def busy(tmp_path, monkeypatch):
    """A folder that rmtree empties only in the attempt whose number is put into the list."""
    folder, attempts, last = tmp_path / "folder", [], []
    folder.mkdir()

    def rmtree(path):
        attempts.append(path)
        if len(attempts) not in last:
            raise OSError(errno.ENOTEMPTY, "Directory not empty", str(path))
        path.rmdir()

    monkeypatch.setattr(leases.shutil, "rmtree", rmtree)
    monkeypatch.setattr(leases, "REMOVAL_PAUSE_SECONDS", 0)
    return folder, attempts, last


def test_a_folder_into_which_another_process_writes_is_removed(busy):
    folder, attempts, last = busy
    last.append(3)
    leases.remove_tree(folder)
    assert (folder.exists(), len(attempts)) == (False, 3)
    leases.remove_tree(folder)  # which is gone
    assert len(attempts) == 3


def test_a_folder_that_stays_in_use_is_left_with_an_error(busy):
    """NFS keeps a deleted file for as long as a process has it open, and answered for ever that there is one."""
    folder, attempts, _ = busy
    with pytest.raises(OSError, match="not empty"):
        leases.remove_tree(folder)
    assert len(attempts) == leases.REMOVAL_ATTEMPTS


def test_the_lease_of_a_process_that_has_begun_meanwhile_stays(tmp_path, monkeypatch):
    """The holder that seemed dead releases its lease, and a third process begins, while a second one removes it."""
    path, dead = tmp_path / "lease.json", dead_holder()
    fresh, partial_path = Holder.here(), leases.partial_path
    create_lease(path, dead)

    def path_while_others_go_on(folder):
        if folder == dead.folder(path):
            path.unlink()
            create_lease(path, fresh)
        return partial_path(folder)

    monkeypatch.setattr(leases, "partial_path", path_while_others_go_on)
    leases.remove_dead_lease(path, dead)
    assert read_holder(path) == fresh

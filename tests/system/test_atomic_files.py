import os
import time

import pytest

from attest.system.files import atomic_folder, atomic_path, partial_path, remove_partials, write_json
from attest.system.processes import process_namespace


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    write_json(tmp_path / "a.json", {"old": 1})
    with pytest.raises(RuntimeError, match="half way"), atomic_path(tmp_path / "a.json") as temporary:
        temporary.write_text("{")
        raise RuntimeError("half way")
    assert (tmp_path / "a.json").read_text().split() == ["{", '"old":', "1", "}"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_not_a_number_is_not_json(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "a.json", float("nan"))
    assert not list(tmp_path.iterdir())


def test_the_first_of_two_folders_stays(tmp_path):
    with atomic_folder(tmp_path / "a") as slow:
        (slow / "who").write_text("slow")
        with atomic_folder(tmp_path / "a") as quick:
            (quick / "who").write_text("quick")
    assert (tmp_path / "a/who").read_text() == "quick"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_only_what_the_dead_left_is_removed(tmp_path):
    mine = partial_path(tmp_path / "a.json")
    mine.touch()
    dead = mine.with_name(mine.name.replace(str(os.getpid()), "999999999"))
    dead.mkdir()
    (dead / "part").touch()
    remove_partials(tmp_path)
    assert mine.exists()
    assert not dead.exists()


def test_old_files_of_a_living_process_stay_and_those_of_other_machines_go(tmp_path):
    mine = partial_path(tmp_path / "a.json")
    theirs = mine.with_name(mine.name.replace(process_namespace(), "00000000"))
    for path in (mine, theirs):
        path.touch()
        os.utime(path, (0, 0))
    remove_partials(tmp_path)
    assert (mine.exists(), theirs.exists()) == (True, False)


def test_a_wrong_clock_of_this_machine_makes_no_file_of_another_old(tmp_path, monkeypatch):
    """A machine whose clock was a day ahead deleted the folders of leases that others held."""
    mine = partial_path(tmp_path / "a.json")
    theirs = mine.with_name(mine.name.replace(process_namespace(), "00000000"))
    theirs.touch()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 25 * 3600)
    remove_partials(tmp_path)
    assert list(tmp_path.iterdir()) == [theirs]

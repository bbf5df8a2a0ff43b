"""A file written in parts: what is complete stays, what is not is written again, and two processes do not mix."""

import errno

import pytest

from attest.errors import BusyError, DataError, StorageError
from attest.system.resumable import resumable_file


def write(path, parts, identity="x", stop=None):
    """Write the parts from where an earlier call was cut off, and return how many were there already."""
    with resumable_file(path, identity) as file:
        start = file.done
        for number, part in enumerate(parts[start:], start + 1):
            file.append(part, number)
            if number == stop:
                raise KeyboardInterrupt
    return start


def test_a_cut_file_is_continued_only_by_the_same_work(tmp_path):
    path, parts = tmp_path / "out", [b"ab", b"cde", b"f"]
    with pytest.raises(KeyboardInterrupt):
        write(path, parts, stop=2)
    assert not path.exists()
    with pytest.raises(KeyboardInterrupt):
        write(path, [b"other", b"one"], "another identity", stop=1)
    assert write(path, parts) == 2
    assert path.read_bytes() == b"abcdef"
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_a_finished_file_removes_what_other_work_left(tmp_path):
    path, beside = tmp_path / "out[1]", tmp_path / "out[1].npy"
    for target, identity in ((path, "y"), (path, "z"), (beside, "y")):
        with pytest.raises(KeyboardInterrupt):
            write(target, [b"ab"], identity, stop=1)
    with resumable_file(path, "z") as held:
        assert held.done == 1
        assert write(path, [b"other"]) == 0
        names = {each.name.partition(".unfinished-")[0] for each in tmp_path.iterdir()}
        assert names == {"out[1]", ".out[1]", ".out[1].npy"}
        assert len(list(tmp_path.iterdir())) == 5  # two files of z, which is being written, and two of another name
        held.append(b"c", 2)
    assert path.read_bytes() == b"abc"
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("length", [200, 239, 255])
def test_a_name_that_is_too_long_is_a_sentence(length, tmp_path):
    with pytest.raises(StorageError, match=r"cannot write .*/nnn+: the name is too long, .*; choose a shorter name"):
        write(tmp_path / ("n" * length), [b"a"])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("damage", ["no note", "a cut note", "a cut file"])
def test_damaged_remains_are_written_again(damage, tmp_path):
    path, parts = tmp_path / "out", [b"ab", b"cde", b"f"]
    with pytest.raises(KeyboardInterrupt):
        write(path, parts, stop=2)
    (note,) = tmp_path.glob("*.json")
    if damage == "no note":
        note.unlink()
    elif damage == "a cut note":
        note.write_bytes(note.read_bytes()[:5])
    else:
        note.with_suffix("").write_bytes(b"a")
    assert write(path, parts) == 0
    assert path.read_bytes() == b"abcdef"


def test_two_processes_do_not_write_one_file(tmp_path):
    with resumable_file(tmp_path / "out", "x"), pytest.raises(BusyError, match="out: another process writes it"):
        write(tmp_path / "out", [b"a"])


def test_wrong_data_leave_nothing(tmp_path):
    with pytest.raises(DataError), resumable_file(tmp_path / "out", "x") as file:
        file.append(b"a", 1)
        raise DataError("wrong")
    assert not list(tmp_path.iterdir())


def test_a_refused_write_is_a_sentence(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(StorageError, match="cannot write .*/out: no space is left there"):
        write(tmp_path / "out", [b"a"])


def test_what_is_written_stays_if_the_input_cannot_be_read_for_a_while(tmp_path):
    path, parts = tmp_path / "out", [b"ab", b"cde"]
    with pytest.raises(DataError, match="in.txt"), resumable_file(path, "x") as file:
        file.append(parts[0], 1)
        raise DataError("in.txt: cannot read the file") from OSError(errno.EIO, "input/output error")
    assert write(path, parts) == 1
    with pytest.raises(DataError, match="line 2"), resumable_file(path, "y") as file:
        file.append(parts[0], 1)
        raise DataError("in.txt: line 2 has no label")
    assert write(path, parts, "y") == 0


def test_a_file_that_another_process_finishes_meanwhile_is_not_touched(tmp_path, monkeypatch):
    path = tmp_path / "out"

    def lock_after_the_other(file, operation):
        monkeypatch.undo()
        write(path, [b"whole"])  # it renames the file that is open here

    monkeypatch.setattr("attest.system.resumable.fcntl.flock", lock_after_the_other)
    with pytest.raises(BusyError, match="out: another process has just written it; repeat the command"):
        write(path, [b"whole"])
    assert path.read_bytes() == b"whole"

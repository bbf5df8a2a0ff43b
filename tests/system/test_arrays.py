"""Files of arrays: what was written comes back, and damage is said in one sentence."""

import numpy as np
import pytest

from attest.errors import StorageError
from attest.system.arrays import read_arrays, write_arrays

ARRAYS = {"keys": np.arange(12, dtype=np.uint8).reshape(3, 4), "spans": np.zeros((0, 2), np.int32)}


@pytest.fixture
def path(tmp_path):
    write_arrays(tmp_path / "a.npz", ARRAYS)
    return tmp_path / "a.npz"


def test_arrays_come_back(path):
    found = read_arrays(path)
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array, strict=True)
    assert list(read_arrays(path, "spans")) == ["spans"]


def test_a_cut_file_is_named(path):
    content = path.read_bytes()
    for end in range(0, len(content), 7):
        path.write_bytes(content[:end])
        with pytest.raises(StorageError, match=r"a.npz: not readable"):
            read_arrays(path)


def test_a_changed_byte_is_named_or_changes_nothing(path):
    content, refused = path.read_bytes(), 0
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
        try:
            found = read_arrays(path, *ARRAYS)
        except StorageError:
            refused += 1
        else:
            assert all((found[name] == array).all() for name, array in ARRAYS.items())
    assert refused > len(content) / 3


def test_a_missing_array_is_named(path):
    with pytest.raises(StorageError, match="not readable .*offsets is not"):
        read_arrays(path, "keys", "offsets")


def test_objects_are_not_read(tmp_path):
    np.savez(tmp_path / "a.npz", rows=np.array([{}], dtype=object))
    with pytest.raises(StorageError, match="allow_pickle"):
        read_arrays(tmp_path / "a.npz")


@pytest.mark.parametrize("content", [b"", b"words\n", b"\x80\x04."])
def test_a_file_of_another_format_is_named_without_advice_to_unpickle_it(content, tmp_path):
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(StorageError, match=r"a.npz: not readable \(it is no .npz file\)$"):
        read_arrays(tmp_path / "a.npz")


def test_a_single_array_is_no_file_of_named_arrays(tmp_path):
    np.save(tmp_path / "a.npy", np.ones(2))
    with pytest.raises(StorageError, match=r"a.npy: not readable \(it is no .npz file\)$"):
        read_arrays(tmp_path / "a.npy")


def test_an_entry_that_says_it_is_encrypted_is_named(path):
    content = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        content[content.index(mark) + place] |= 1
    path.write_bytes(content)
    with pytest.raises(StorageError, match=r"a.npz: not readable \(.*encrypted"):
        read_arrays(path, *ARRAYS)

"""Files of tensors: what was written comes back, and damage is named in one sentence."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file

from attest.errors import StorageError
from attest.system.safetensors import read_tensors, write_tensors

TENSORS = {
    "b.weight": torch.arange(6, dtype=torch.float32).reshape(2, 3),
    "steps": torch.tensor(7),
    "mask": torch.tensor([True, False, True]),
    "half": torch.tensor([0.5, -2.0], dtype=torch.bfloat16),
    "none": torch.zeros(0, 4),
}
TEXTS = {"attest": "café", "other": "{}"}


@pytest.fixture
def path(tmp_path):
    write_tensors(tmp_path / "a.safetensors", TENSORS, TEXTS)
    return tmp_path / "a.safetensors"


def test_tensors_and_texts_come_back(path):
    tensors, texts = read_tensors(path)
    assert texts == TEXTS
    assert tensors.keys() == TENSORS.keys()
    for name, tensor in TENSORS.items():
        assert (tensors[name].dtype, tensors[name].shape) == (tensor.dtype, tensor.shape)
        assert tensors[name].equal(tensor)


def test_the_formats_own_library_reads_the_file(path):
    tensors = load_file(path)
    assert all(tensors[name].equal(tensor) for name, tensor in TENSORS.items())


def test_tied_tensors_are_written_twice(tmp_path):
    x = torch.ones(2, 2)
    write_tensors(tmp_path / "a", {"x": x, "y": x, "row": x[1]}, {})
    assert read_tensors(tmp_path / "a")[0]["row"].equal(torch.ones(2))


def test_the_file_follows_the_format_byte_by_byte(tmp_path):
    write_tensors(tmp_path / "a", {"x": torch.tensor([[1.0, -2.0]])}, {})
    content = (tmp_path / "a").read_bytes()
    end = 8 + int.from_bytes(content[:8], "little")
    assert end % 8 == 0
    assert json.loads(content[8:end])["x"] == {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}
    assert content[end:] == bytes.fromhex("0000803f000000c0")  # 1 and -2, little endian


def test_a_cut_file_is_named(path):
    content = path.read_bytes()
    for end in range(len(content)):
        path.write_bytes(content[:end])
        with pytest.raises(StorageError, match=r"a.safetensors: damaged or cut off .*; delete it"):
            read_tensors(path)


def test_a_changed_byte_is_named(path):
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    padding = range(len(content[:start].rstrip()), start)
    for place in set(range(len(content))) - set(padding):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(StorageError, match=r"a.safetensors: damaged or cut off"):
            read_tensors(path)


def test_a_file_of_another_program_lacks_the_checksum(tmp_path):
    save_file(TENSORS, tmp_path / "a")
    with pytest.raises(StorageError, match="its checksum is missing or wrong"):
        read_tensors(tmp_path / "a")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(StorageError, match="nothing: damaged or cut off .FileNotFoundError"):
        read_tensors(tmp_path / "nothing")

"""Files of tensors: what was written comes back, and damage is named in one sentence."""

import json
from contextlib import nullcontext

import pytest
import torch

from attest.errors import StorageError
from attest.system.safetensors import CHECKSUM, checksum, read_tensors, write_tensors

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


WRONG = [{"shape": [-1, -2]}, {"shape": [3]}, {"data_offsets": [-4, 4]}, {"data_offsets": [0, 4]}, {"dtype": "Q8"}]


@pytest.mark.parametrize("wrong", [{}, *WRONG, {"extra": 1}])
def test_impossible_headers_are_named(wrong, tmp_path):
    index = {"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8], **wrong}}
    own = {CHECKSUM: checksum([{}, index], [bytes(8)])}
    header = json.dumps({"__metadata__": own, **index}).encode()
    (tmp_path / "a").write_bytes(len(header).to_bytes(8, "little") + header + bytes(8))
    with pytest.raises(StorageError, match="damaged or cut off") if wrong else nullcontext():
        read_tensors(tmp_path / "a")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(StorageError, match="nothing: damaged or cut off .FileNotFoundError"):
        read_tensors(tmp_path / "nothing")

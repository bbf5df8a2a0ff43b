"""Files of named tensors in the format safetensors: numbers and texts alone, so that a hostile file runs no code.

A file begins with the length of its header (8 bytes, little endian). The header is JSON: the type, the shape and the
place of each tensor, and texts of the writer's own (`__metadata__`). The bytes of the tensors follow it without gaps.
One of the texts is a checksum, since a changed byte of a tensor is still a number.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attest.errors import StorageError
from attest.system.failures import raise_machine_error
from attest.system.files import atomic_path

DTYPES = {
    "F64": torch.float64,
    "I64": torch.int64,
    "F32": torch.float32,
    "I32": torch.int32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I16": torch.int16,
    "I8": torch.int8,
    "U8": torch.uint8,
    "BOOL": torch.bool,
}
"""The names of types in the format. Tensors are written in this order, so each begins at a multiple of its size."""
NAMES = {dtype: name for name, dtype in DTYPES.items()}
CHECKSUM = "sha256"
"""The key of the checksum of the rest of the header and of all tensors."""
LENGTH_BYTES = 8
MAX_HEADER_BYTES = 100_000_000
"""The largest header that other readers of the format accept."""


def write_tensors(path: Path, tensors: Mapping[str, Tensor], texts: Mapping[str, str]) -> None:
    """Write tensors and texts, both by name, to a file that replaces an earlier one atomically."""
    order = list(DTYPES)
    named = sorted(tensors.items(), key=lambda item: (order.index(NAMES[item[1].dtype]), item[0]))
    index, end = {}, 0
    for name, tensor in named:
        start, end = end, end + tensor.numel() * tensor.element_size()
        index[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [start, end]}
    own = {**texts, CHECKSUM: checksum([texts, index], (tensor_bytes(tensor) for _, tensor in named))}
    header = json.dumps({"__metadata__": own, **index}, separators=(",", ":")).encode()
    header += b" " * (-len(header) % LENGTH_BYTES)
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        file.write(len(header).to_bytes(LENGTH_BYTES, "little") + header)
        for _, tensor in named:
            file.write(tensor_bytes(tensor))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Return the tensors and the texts of a file, both by name.

    Raise StorageError if the file is missing or damaged, and MachineError if the disk does not give it.
    """
    try:
        with path.open("rb") as file:
            content = bytearray(path.stat().st_size)
            if file.readinto(content) != len(content):
                raise ValueError("it became shorter while it was read")
        return parse_tensors(content)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, RuntimeError) as error:
        raise_machine_error(error)
        reason = " ".join(str(error).split())[:120]
        raise StorageError(f"{path}: damaged or cut off ({type(error).__name__}: {reason}); delete it") from error


def parse_tensors(content: bytearray) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Return the tensors, as views of the content of a file, and its texts; raise an error if they do not fit."""
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    start = LENGTH_BYTES + length
    if len(content) < LENGTH_BYTES or length > MAX_HEADER_BYTES or start > len(content):
        raise ValueError("the header is longer than the file")
    index: dict[str, Any] = json.loads(content[LENGTH_BYTES:start])
    texts: dict[str, str] = index.pop("__metadata__", {})
    if any(not isinstance(text, str) for text in texts.values()):
        raise ValueError("the header holds something else than texts")
    check_places(index.values(), len(content) - start)
    data = memoryview(content)[start:]
    if texts.pop(CHECKSUM) != checksum([texts, index], [data]):
        raise ValueError("its checksum is wrong")
    return {name: tensor_at(content, start, **entry) for name, entry in index.items()}, texts


def check_places(entries: Iterable[Mapping[str, Any]], size: int) -> None:
    """Raise ValueError unless the places of tensors fill `size` bytes without gaps and overlaps."""
    places = sorted(tuple(entry["data_offsets"]) for entry in entries)
    borders = [(0, 0), *places, (size, size)]
    if any(end != start for (_, end), (start, _) in pairwise(borders)) or any(start > end for start, end in places):
        raise ValueError(f"the tensors do not fill the {size:,} bytes after the header")


def tensor_at(content: bytearray, start: int, dtype: str, shape: list[int], data_offsets: list[int]) -> Tensor:
    """Return the tensor at a place of a file whose tensors begin at the byte `start`; raise ValueError if it differs
    in size from its shape."""
    kind, count, (first, end) = DTYPES[dtype], prod(shape), data_offsets
    if count * kind.itemsize != end - first:
        raise ValueError(f"a tensor of shape {shape} has {end - first:,} bytes")
    if not count:
        return torch.empty(shape, dtype=kind)
    return torch.frombuffer(content, dtype=kind, count=count, offset=start + first).reshape(shape)


def checksum(header: Sequence[Mapping[str, Any]], pieces: Iterable[bytes | memoryview]) -> str:
    """Return the hash of the content of a header and of the bytes of tensors."""
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def tensor_bytes(tensor: Tensor) -> memoryview:
    """Return the bytes of a tensor, row by row."""
    flat = tensor.detach().cpu().contiguous().reshape(-1)
    return flat.view(torch.uint8).numpy().data if len(flat) else memoryview(b"")

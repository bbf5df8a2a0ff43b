"""A watch on the operations that make the processor wait for a device, or that copy between both.

It works on any device. On `meta`, whose tensors have shapes and no values, every operation that needs a value on the
processor fails, so a training step that runs there waits for nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any
from unittest import mock

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

WAITING = (
    "_local_scalar_dense",
    "_unique2",
    "bincount",
    "equal",
    "is_nonzero",
    "masked_select",
    "nonzero",
    "unique_consecutive",
)
"""The operations whose result, or the shape of whose result, the processor has to ask from the device."""


class Watch(TorchDispatchMode):
    """A context that lists all operations (`names`), and those on tensors of a device that wait (`waits`) or copy
    (`copies`)."""

    def __init__(self, device: str) -> None:
        super().__init__()
        self.device = device
        self.names: list[str] = []
        self.waits: list[str] = []
        self.copies: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run an operation, and note it if it waits or copies."""
        kwargs = kwargs or {}
        given = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)]
        on_device = [tensor for tensor in given if tensor.device.type == self.device]
        name = func._schema.name.removeprefix("aten::")
        self.names.append(name)
        if on_device and waits(name, args, kwargs):
            self.waits.append(name)
        result = func(*args, **kwargs)
        made = [leaf for leaf in tree_leaves(result) if isinstance(leaf, Tensor)]
        places = {tensor.device.type for tensor in (*given, *made) if tensor.dim() or tensor.device.type == self.device}
        if self.device in places and len(places) > 1:
            self.copies.append(name)
        return result


def waits(name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Return whether an operation on tensors of a device waits for it."""
    if name == "repeat_interleave":
        return named.get("output_size") is None
    if name in ("index", "index_put", "index_put_", "_index_put_impl_", "_unsafe_index"):
        return any(place is not None and place.dtype in (torch.bool, torch.uint8) for place in arguments[1])
    return name in WAITING


@contextmanager
def without_values() -> Iterator[str]:
    """Yield the name of the device without values, on which autocast, which torch lacks there, does nothing."""
    autocast, enabled = torch.autocast, torch.is_autocast_enabled

    def silent(device_type: str, *arguments: Any, **options: Any) -> Any:
        return nullcontext() if device_type == "meta" else autocast(device_type, *arguments, **options)

    def off(device_type: str) -> bool:
        return device_type != "meta" and enabled(device_type)

    with mock.patch.object(torch, "autocast", silent), mock.patch.object(torch, "is_autocast_enabled", off):
        yield "meta"

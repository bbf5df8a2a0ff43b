"""The declaration of a kernel's parameters, and the check of a tensor against it.

A declaration has the parameters in the order of the C++ function, one line for each kind:

    keys, queries: T (N, D)      tensors of the type T, with these sizes
    first: int64 (B)             a tensor of a fixed type
    product: T (S+, 4H)?         None, or a tensor with S rows or more, and four times H columns
    x: T (*)                     a tensor of any shape, with * numbers
    skip_self: bool              a number: bool, int or float
    N, D, T                      sizes of earlier tensors, and whether T is bf16, which the call fills in

T and U are types of matrices, fp32 or bf16. A letter means the same size or type wherever it stands in a declaration.
Every tensor must be contiguous and in the memory of the CPU.
"""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

Argument = Tensor | int | float | None

MATRIX_TYPES = (torch.float32, torch.bfloat16)
"""The types of matrices for which there are kernels."""
FIXED_TYPES: Mapping[str, torch.dtype] = {"float32": torch.float32, "int64": torch.int64, "int32": torch.int32}
"""The types of tensors that a declaration may name."""
NUMBERS = {"bool": ctypes.c_bool, "int": ctypes.c_int64, "float": ctypes.c_float}
"""The types of numbers that a declaration may name, and what they are in C++."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel, as it is declared."""

    name: str
    type: str
    """The type of a tensor or a number; empty for a size or type that the call fills in."""
    shape: str
    """The shape of a tensor, as in "(S+, 4H)"; empty for all other parameters."""
    optional: bool

    @cached_property
    def sizes(self) -> list[tuple[int, str, bool]]:
        """The factor and the letter of each size of a tensor, and whether the tensor may be larger."""
        sizes = [size.strip() for size in self.shape.strip("()").split(",")]
        return [(int(size[0]) if size[0].isdigit() else 1, size.strip("0123456789+"), "+" in size) for size in sizes]

    @property
    def c_type(self) -> Any:
        """The type of the parameter in C++."""
        if self.type:
            return ctypes.c_void_p if self.shape else NUMBERS[self.type]
        return ctypes.c_bool if self.name in ("T", "U") else ctypes.c_int64


def parse_declaration(text: str) -> list[Parameter]:
    """Return the parameters of a declaration."""
    return [parameter for line in text.strip().splitlines() for parameter in parse_line(line.strip())]


def parse_line(line: str) -> list[Parameter]:
    """Return the parameters of a line of a declaration."""
    names, _, kind = line.partition(":")
    kind, parenthesis, shape = kind.partition("(")
    shape = parenthesis + shape.removesuffix("?")
    return [Parameter(name.strip(), kind.strip(), shape, line.endswith("?")) for name in names.split(",")]


def bind_tensor(tensor: Tensor, parameter: Parameter, types: dict[str, torch.dtype], known: dict[str, Any]) -> bool:
    """Bind the letters of a parameter's type and sizes to those of a tensor; return whether the tensor fits.

    A letter that an earlier tensor has bound must mean the same again. `types` gets the meaning of a type, and `known`
    whether a type is bf16, the meaning of the letters of sizes, and the shape itself.
    """
    if parameter.type not in types and tensor.dtype in MATRIX_TYPES:
        types[parameter.type], known[parameter.type] = tensor.dtype, tensor.dtype is torch.bfloat16
    if types.get(parameter.type) is not tensor.dtype or not bind_shape(tensor.shape, parameter, known):
        return False
    known[parameter.shape] = tensor.shape
    return True


def bind_shape(shape: torch.Size, parameter: Parameter, known: dict[str, Any]) -> bool:
    """Bind the letters of a parameter's sizes to those of a shape, in `known`; return whether the shape fits."""
    if parameter.shape == "(*)":
        return known.setdefault("*", shape.numel()) == shape.numel()
    if len(shape) != len(parameter.sizes):
        return False
    for size, (factor, letter, more) in zip(shape, parameter.sizes, strict=True):
        declared = factor * known.setdefault(letter, size // factor)
        if size != declared and not (more and size > declared):
            return False
    return True


def describe_argument(argument: Argument) -> str:
    """Return the type, shape and place of an argument for an error message."""
    if not isinstance(argument, Tensor):
        return repr(argument)
    if argument.layout is not torch.strided:
        return f"{argument.layout} {tuple(argument.shape)}".removeprefix("torch.")
    order = "" if argument.is_contiguous() else "non-contiguous "
    freed = argument.is_cpu and argument.numel() and not argument.data_ptr()
    kind = str(argument.dtype).removeprefix("torch.")
    return f"{order}{kind} {tuple(argument.shape)} on {argument.device}{' without memory' if freed else ''}"


def describe_declared(parameter: Parameter, known: Mapping[str, Any]) -> str:
    """Return the declaration of a tensor for an error message, with the sizes that earlier tensors have decided."""
    kinds = {True: "bfloat16", False: "float32", None: "float32 or bfloat16"}
    kind = parameter.type if parameter.type in FIXED_TYPES else kinds[known.get(parameter.type)]
    letters = dict.fromkeys(letter for _, letter, _ in parameter.sizes if letter in known)
    sizes = ", ".join(f"{letter} = {known[letter]}" for letter in letters)
    return f"{kind} {parameter.shape}{f' with {sizes}' if sizes else ''}, contiguous, on the CPU"

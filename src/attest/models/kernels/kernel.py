"""C++ kernels as functions that check their arguments before C++ gets an address."""

import ctypes
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from attest.models.kernels.declaration import Argument, description, fits, parse_line, wish
from attest.models.kernels.library import load_library


class Kernel:
    """A C++ function of native/, called with the tensors and numbers of its declaration, in that order."""

    def __init__(self, name: str, declaration: str) -> None:
        self.name = name
        lines = [line.strip() for line in declaration.strip().splitlines()]
        self.parameters = [parameter for line in lines for parameter in parse_line(line)]
        self.given = [parameter for parameter in self.parameters if parameter.type]
        """The parameters that a caller gives."""

    @cached_property
    def function(self) -> Callable[..., bytes | None]:
        """The C++ function, in a library that is built and loaded when it is first needed."""
        function = getattr(load_library(), self.name)
        function.argtypes = [*(parameter.c_type for parameter in self.parameters), ctypes.c_int]
        function.restype = ctypes.c_char_p
        return function  # type: ignore[no-any-return]

    def __call__(self, *arguments: Argument) -> None:
        """Run the kernel with torch's number of threads; raise ValueError if the arguments are not as declared."""
        passed, sizes = self.check(arguments)
        values = iter(passed)
        everything = [next(values) if parameter.type else sizes[parameter.name] for parameter in self.parameters]
        wrong = self.function(*everything, torch.get_num_threads())
        if wrong is not None:
            raise ValueError(f"{self.name}: {wrong.decode()}")

    def check(self, arguments: Sequence[Argument]) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments with addresses in place of tensors, and what the letters of the declaration mean.

        Raise ValueError if an argument is not as declared.
        """
        passed: list[Any] = []
        known: dict[str, Any] = {}
        for parameter, argument in zip(self.given, arguments, strict=True):
            if not parameter.shape or (argument is None and parameter.optional):
                passed.append(argument)
                continue
            if not isinstance(argument, Tensor) or not fits(argument, parameter, known):
                raise ValueError(f"{self.name}: {parameter.name} is {description(argument)}; use {wish(parameter, known)}")
            passed.append(argument.data_ptr())
        return passed, known

"""C++ kernels as functions that check their arguments before C++ gets an address."""

import ctypes
from collections.abc import Callable
from functools import cached_property
from typing import Any

import torch

from attest.models.kernels.declaration import (
    FIXED_TYPES,
    Argument,
    Parameter,
    bind_tensor,
    describe_argument,
    describe_declared,
    parse_declaration,
)
from attest.models.kernels.library import load_library


class Kernel:
    """A C++ function of native/, called with the tensors and numbers of its declaration, in that order."""

    def __init__(self, name: str, declaration: str) -> None:
        self.name = name
        self.parameters = parse_declaration(declaration)
        self.given = sum(1 for parameter in self.parameters if parameter.type)
        """The number of arguments that a caller gives."""
        self.plan = [(p.name, p.type, p.shape, p.optional, p) for p in self.parameters]
        """The parameters as tuples, which are quicker to read in a loop that runs many times a training step."""

    @cached_property
    def function(self) -> Callable[..., bytes | None]:
        """The C++ function, in a library that is built and loaded when it is first needed."""
        function = getattr(load_library(), self.name)
        function.argtypes = [*(parameter.c_type for parameter in self.parameters), ctypes.c_int]
        function.restype = ctypes.c_char_p
        return function  # type: ignore[no-any-return]

    def __call__(self, *arguments: Argument) -> None:
        """Run the kernel with torch's number of threads; raise ValueError if the arguments are not as declared."""
        wrong = self.function(*self.check(arguments), torch.get_num_threads())
        if wrong is not None:
            raise ValueError(f"{self.name}: {wrong.decode()}")

    def check(self, arguments: tuple[Argument, ...]) -> list[Any]:
        """Return the arguments of the C++ function, with addresses in place of tensors.

        Raise ValueError if an argument is not as declared.
        """
        if len(arguments) != self.given:
            raise ValueError(f"{self.name}: {len(arguments)} arguments were given; give {self.given}")
        passed: list[Any] = []
        types, known = dict(FIXED_TYPES), {}
        remaining = iter(arguments)
        for name, kind, shape, optional, parameter in self.plan:
            if not kind:
                passed.append(known[name])
                continue
            argument: Any = next(remaining)
            if not shape or (optional and argument is None):
                passed.append(argument)
                continue
            try:
                # Most tensors have the type and the shape of an earlier one, which are quick to compare.
                alike = types.get(kind) is argument.dtype and known.get(shape) == argument.shape
                if not (alike or bind_tensor(argument, parameter, types, known)):
                    raise self.refusal(argument, parameter, known)
                address = argument.data_ptr() if argument.is_cpu and argument.is_contiguous() else None
            except (AttributeError, RuntimeError):  # not a tensor, or one without addresses, such as a sparse one
                address = None
            if not address and (address is None or argument.numel()):  # torch can free the memory of a shape
                raise self.refusal(argument, parameter, known)
            passed.append(address)
        return passed

    def refusal(self, argument: Argument, parameter: Parameter, known: dict[str, Any]) -> ValueError:
        """Return the error that says how an argument differs from its declaration."""
        given, declared = describe_argument(argument), describe_declared(parameter, known)
        return ValueError(f"{self.name}: {parameter.name} is {given}; use {declared}")

"""Functions of C++ kernels as torch operators, which can be differentiated and traced."""

from collections.abc import Callable
from typing import Any

import torch


class Operator:
    """A function as a torch operator of its own; in inference mode it is called without torch's operator machinery.

    The first call of an operator loads torch's compiler, which takes a second: a command that encodes a sentence would
    wait for it as long as for everything else. In inference mode there is neither a gradient nor a graph.
    """

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.function = function
        self.operator = torch.library.custom_op(name, function, mutates_args=())
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any) -> Any:
        """Return what the function computes."""
        if not torch.compiler.is_compiling() and torch.is_inference_mode_enabled():
            return self.function(*arguments)
        return self.operator(*arguments)

    def register_fake(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Register the function that returns results without values, for tracing."""
        return self.operator.register_fake(function)

    def register_autograd(self, backward: Callable[..., Any], *, setup_context: Callable[..., Any]) -> None:
        """Register the gradient, and what is remembered for it."""
        self.operator.register_autograd(backward, setup_context=setup_context)


def operator(name: str) -> Callable[[Callable[..., Any]], Operator]:
    """Return a decorator that makes a function the operator of this name, which begins with "attest::"."""
    return lambda function: Operator(name, function)

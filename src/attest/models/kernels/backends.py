"""The choice between kernels and plain torch, for attention, LSTMs and Adadelta: by device or by the user."""

import sys
from functools import cache
from typing import Literal

from torch import Tensor

from attest.models.arguments import check_choice
from attest.models.kernels import library
from attest.models.kernels.attention import STEEPEST
from attest.models.kernels.declaration import MATRIX_TYPES
from attest.models.kernels.derivatives import is_transformed

Backend = Literal["auto", "native", "compiled", "reference"]

_wanted: Backend = "auto"
_used: set[Backend] = set()


def use(backend: Backend) -> None:
    """Select the back end of this process.

    native: C++ kernels on the CPU. compiled: torch.compile of the reference. reference: plain torch. auto: the fastest
    that is available. On a GPU, native is replaced by compiled without a warning, and for numbers or a scale that the
    kernels do not take by reference; `used` returns the back ends that have computed.
    """
    global _wanted
    check_choice("the attention back end", backend, Backend)
    _wanted = backend
    _used.clear()


def backend_for(*tensors: Tensor, scale: float = 1.0) -> Backend:
    """Return the back end for an operation on these tensors; `scale` is the c of DiSAN's scores.

    One tensor that the kernels do not take is enough for the reference, and so is a transform of torch.func.
    """
    x = next((x for x in tensors if not x.is_cpu or x.dtype not in MATRIX_TYPES), tensors[0])
    wanted: Backend = "reference" if is_transformed() else _wanted
    backend = backend_of(x.device.type, str(x.dtype).removeprefix("torch."), wanted, scale > STEEPEST)
    _used.add(backend)
    return backend


def backend_of(device: str, dtype: str, wanted: Backend, steep: bool) -> Backend:
    """Return the back end for a device and dtype, without the reason for it."""
    return choose_backend(device, dtype, wanted, steep)[0]


# As torch.compiler.assume_constant_result does, which would load the compiler: it does not trace how kernels are built.
backend_of._dynamo_marked_constant = True  # type: ignore[attr-defined]


def used() -> tuple[Backend, ...]:
    """Return the names of the back ends that have computed something since the last call of `use`, sorted."""
    return tuple(sorted(_used))


@cache
def choose_backend(device: str, dtype: str, wanted: Backend = "auto", steep: bool = False) -> tuple[Backend, str]:
    """Return the back end for a device and dtype, and the reason for it.

    `steep` says that the scale is above STEEPEST. If the kernels cannot be built, a warning is printed.
    """
    if wanted in ("reference", "compiled"):
        return wanted, "chosen by trainer.attention"
    if device != "cpu":
        return "compiled", f"torch.compile of the reference: there is no C++ kernel for {device}"
    if dtype not in {str(kind).removeprefix("torch.") for kind in MATRIX_TYPES}:
        return "reference", f"the kernels take fp32 and bf16, and no {dtype}"
    if steep:
        return "reference", f"the kernels support a scale of up to {STEEPEST:g}"
    try:
        library.load_library()
    except library.UnavailableError as error:
        print(f"attest: attention runs without kernels, many times slower: {error}", file=sys.stderr)
        return "reference", str(error)
    return "native", "C++ kernels for this processor"

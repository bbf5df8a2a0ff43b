"""Which implementation runs: chosen by device, or by the user."""

import sys
from functools import cache
from typing import Literal, get_args

from torch import Tensor

from attest.models.kernels import library
from attest.models.kernels.attention import STEEPEST

Backend = Literal["auto", "native", "compiled", "reference"]

_wanted: Backend = "auto"


def use(backend: Backend) -> None:
    """native: C++ on the CPU. compiled: torch.compile of the reference. reference: plain torch. auto: the best."""
    global _wanted
    if backend not in get_args(Backend):
        raise ValueError(f"the attention back end is one of {', '.join(get_args(Backend))}; got {backend!r}")
    _wanted = backend


def backend_for(x: Tensor, scale: float = 1.0) -> Backend:
    return choose_backend(x.device.type, str(x.dtype).removeprefix("torch."), _wanted, scale > STEEPEST)[0]


@cache
def choose_backend(device: str, dtype: str, wanted: Backend = "auto", steep: bool = False) -> tuple[Backend, str]:
    """The back end for tensors of a kind, and why. A back end that was wanted and cannot be had is said aloud."""
    if wanted in ("reference", "compiled"):
        return wanted, "chosen by trainer.attention"
    if device != "cpu":
        return "compiled", f"torch.compile of the reference: there is no kernel of our own for {device}"
    if dtype == "float64":
        return "reference", "the kernels compute in fp32"
    if steep:
        return "reference", f"the kernels take a scale of up to {STEEPEST:g}"
    try:
        library.load_library()
    except library.UnavailableError as error:
        print(f"attest: no kernels, so that attention takes many times longer: {error}", file=sys.stderr)
        return "reference", str(error)
    return "native", "C++ kernels for this processor"

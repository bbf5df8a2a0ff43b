"""ELU without a gradient, three times as fast as torch's on a CPU."""

import torch
import torch.nn.functional as F
from torch import Tensor

from attest.models.kernels.backends import backend_for
from attest.models.kernels.kernel import Kernel

FORWARD = Kernel(
    "elu_forward",
    """
    x: T (*)
    *, T
    y: T (*)
    """,
)


def elu(x: Tensor) -> Tensor:
    """Return elu(x): x above 0, exp(x) - 1 below. In inference mode the C++ kernel computes it, else torch."""
    if torch.compiler.is_compiling() or not torch.is_inference_mode_enabled() or backend_for(x) != "native":
        return F.elu(x)
    x = x.contiguous()
    y = torch.empty_like(x)
    FORWARD(x, y)
    return y

"""ELU without a gradient: with AVX-512 instructions three times as fast as torch's."""

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
FASTER = torch.backends.cpu.get_cpu_capability() == "AVX512"
"""True on processors where the kernel is faster than torch. With AVX2 it takes 1.2 times as long, in bf16 1.7 times."""


def elu(x: Tensor) -> Tensor:
    """Return elu(x): x above 0, exp(x) - 1 below. In inference mode the C++ kernel computes it where that is faster."""
    in_kernel = FASTER and not torch.compiler.is_compiling() and torch.is_inference_mode_enabled()
    if not in_kernel or backend_for(x) != "native":
        return F.elu(x)
    x = x.contiguous()
    y = torch.empty_like(x)
    FORWARD(x, y)
    return y

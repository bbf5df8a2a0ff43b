"""The C++ kernels of Adadelta: a step of a parameter, and one of the rows of a table that a batch has touched."""

import torch
from torch import Tensor

from attest.models.kernels.backends import backend_for
from attest.models.kernels.kernel import Kernel

STEP = Kernel(
    "adadelta",
    """
    weight, gradient, square, delta: float32 (*)
    *
    lr, rho, eps, decay: float
    """,
)
STEP_ROWS = Kernel(
    "adadelta_rows",
    """
    table: float32 (V, E)
    rows: int64 (R)
    gradient: float32 (R, E)
    square, delta: float32 (V, E)
    seen: int32 (V)?
    now: int
    V, R, E
    lr, rho, eps: float
    """,
)


def takes_kernel(parameter: Tensor, gradient: Tensor) -> bool:
    """Return whether the C++ kernels update a parameter; all others, such as those in bf16, are updated by torch."""
    plain = parameter.dtype == gradient.dtype == torch.float32 and parameter.is_contiguous()
    return plain and backend_for(parameter, gradient) == "native"

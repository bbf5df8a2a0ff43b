"""Values and gradients of every encoder on a GPU beside plain torch in double precision on the processor.

It needs torch and numpy alone. Without a GPU the processor's fast path is compared in its place.

Legend: B sentences, T words of the longest, D features of a word, W features of a sentence.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from attest.models import (
    Additive,
    BiLSTM,
    BiLSTMMax,
    CNNMax,
    DiSAN,
    FastDiSAN,
    MultiHead,
    SourceToToken,
    StructuredSelfAttention,
)  # fmt: skip
from attest.models.kernels import backends
from attest.system.devices import compute_fp32_exactly

FEATURES, HIDDEN = 50, 48
LENGTHS = (40, 23, 7, 2, 1, 0)
ENCODERS: dict[str, Callable[[], nn.Module]] = {
    "additive": lambda: Additive(FEATURES),
    "s2t": lambda: SourceToToken(FEATURES),
    "multi_head": lambda: MultiHead(FEATURES, HIDDEN, heads=4),
    "bilstm": lambda: BiLSTM(FEATURES, HIDDEN),
    "bilstm_max": lambda: BiLSTMMax(FEATURES, HIDDEN),
    "cnn_max": lambda: CNNMax(FEATURES, HIDDEN),
    "structured": lambda: StructuredSelfAttention(FEATURES, HIDDEN, attention_size=20, hops=4),
    "disan": lambda: DiSAN(FEATURES, HIDDEN),
    "disan_no_directions": lambda: DiSAN(FEATURES, HIDDEN, directions=("none",)),
    "fast_disan": lambda: FastDiSAN(FEATURES, HIDDEN),
}
PICKS_ONE = ("bilstm_max", "cnn_max")
"""The encoders whose gradient goes to the largest of several words, which rounding to bf16 can exchange."""
LIMITS = {"fp32": 1e-5, "bf16": 0.05}
"""The largest error of a value or gradient, as a part of the largest value or gradient."""
RESULTS = {"fp32": (torch.float32,), "bf16": (torch.bfloat16, torch.float32)}
"""The types that a value may have: autocast leaves some layers in fp32, and none may be in fp16."""


@dataclass(frozen=True)
class Comparison:
    """The errors of one encoder in one number format."""

    encoder: str
    number_format: str
    value: float
    gradient: float
    result: torch.dtype
    """The type of the value."""

    @property
    def passed(self) -> bool:
        """Whether both errors are within the limit of the format, and the value is of its type or in fp32."""
        if self.result not in RESULTS[self.number_format]:
            return False
        limit = LIMITS[self.number_format]
        exchanged = self.number_format == "bf16" and self.encoder in PICKS_ONE
        return self.value <= limit and (exchanged or self.gradient <= limit)


def compare_all(device: str) -> Iterator[Comparison]:
    """Yield a comparison for each encoder and number format on a device: cuda or cpu."""
    compute_fp32_exactly()
    for name, make in ENCODERS.items():
        torch.manual_seed(0)
        plain = make().double()
        x_BTD = torch.randn(len(LENGTHS), max(LENGTHS), FEATURES, dtype=torch.float64)
        mask_BT = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS)[:, None]
        weights_BW = torch.randn(len(LENGTHS), plain.width, dtype=torch.float64)  # type: ignore[arg-type]
        backends.use("reference")
        right = outcome(plain, x_BTD, mask_BT, weights_BW)
        for number_format in LIMITS:
            fast = make()
            fast.load_state_dict({key: value.float() for key, value in plain.state_dict().items()})
            backends.use("auto")
            half = torch.autocast(device, torch.bfloat16) if number_format == "bf16" else nullcontext()
            with half:
                tensors = (x_BTD.float(), mask_BT, weights_BW.float())
                ours = outcome(fast.to(device), *(tensor.to(device) for tensor in tensors))
            errors = relative_error(ours[:1], right[:1]), relative_error(ours[1:], right[1:])
            yield Comparison(name, number_format, *errors, result=ours[0].dtype)
    backends.use("auto")


def outcome(module: nn.Module, x_BTD: Tensor, mask_BT: Tensor, weights_BW: Tensor) -> list[Tensor]:
    """Return the output of a module without dropout, the gradient of its input, and those of its parameters."""
    for part in module.modules():
        part.training = isinstance(part, nn.RNNBase)  # cuDNN gives gradients of an LSTM in training mode alone
    x_BTD = x_BTD.clone().requires_grad_()
    y_BW = module(x_BTD, mask_BT)
    parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
    gradients = torch.autograd.grad((y_BW * weights_BW).sum(), [x_BTD, *parameters], allow_unused=True)
    return [y_BW.detach(), *(gradient for gradient in gradients if gradient is not None)]


def relative_error(ours: Sequence[Tensor], right: Sequence[Tensor]) -> float:
    """Return the largest absolute difference, divided by the largest absolute entry of all right tensors together.

    Some gradients, such as that of a bias in front of a softmax, are 0 but for rounding, and so have no scale alone.
    """
    differences = [(one.double().cpu() - other).abs().max() for one, other in zip(ours, right, strict=True)]
    return float(max(differences) / max(tensor.abs().max() for tensor in right))

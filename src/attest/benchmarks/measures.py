"""What can be measured, by the names that specs use."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attest.benchmarks import (
    convergence,
    core,
    encoder_memory,
    encoding,
    epoch,
    memory,
    ngrams,
    optimizer,
    recurrent,
    step,
    structured,
    transfer,
)

Row = Mapping[str, Any]
"""What was measured of one variant in one case: {"case", "variant", "unit", "values"}, values as they came."""

MEASURES: Mapping[str, Callable[..., Sequence[Row]]] = {
    "core": core.measure,
    "step": step.measure,
    "encoding": encoding.measure,
    "encoder_memory": encoder_memory.measure,
    "epoch": epoch.measure,
    "memory": memory.measure,
    "optimizer": optimizer.measure,
    "convergence": convergence.measure,
    "ngrams": ngrams.measure,
    "ngrams_memory": ngrams.measure_memory,
    "recurrent": recurrent.measure,
    "transfer": transfer.measure,
    "structured": structured.measure,
    "structured_memory": structured.measure_memory,
}

"""A training step of SSA on pairs, whose hidden layer has 18,000 x 4,000 weights, each with Adagrad's sum of squares.

Its time beside that of its matrix products, and the peak of a process that makes some steps and nothing else.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from attest.benchmarks import snli_shaped
from attest.benchmarks.step import batches, dense_operations, fast, stepper
from attest.benchmarks.subprocesses import fresh
from attest.benchmarks.timing import interleaved, rates, row
from attest.config.compose import compose
from attest.system.environment import PeakMemory
from attest.training.tasks import SentenceTask


def measure(
    *, settings: Sequence[str], words: int, rounds: int, warmup: int = 3, examples: int = 6400
) -> list[dict[str, Any]]:
    """Seconds of a step, and of its matrix products at the measured rate."""
    composed, split = compose(settings), snli_shaped.split(examples, words)
    module = fast(composed, words)
    variants = {
        name: stepper(module, batches(composed, split), half=half) for name, half in (("fp32", False), ("bf16", True))
    }
    seconds = interleaved(variants, rounds, warmup)
    operations = [dense_operations(module, batch) for batch in islice(batches(composed, split), rounds)]
    rows, case = [], f"batches of {composed.protocol.batch_size}"
    for name, per_second in rates().items():
        rows.append(row(case, name, seconds[name]))
        rows.append(row(case, f"floor {name}", [number / per_second for number in operations]))
    return rows


def measure_memory(
    *, settings: Sequence[str], words: int, steps: int, repeats: int, limit: int, examples: int = 6400
) -> list[dict[str, Any]]:
    """Peaks of fresh processes in all they hold, torch itself too; `limit` is in bytes."""
    case = f"batches of {compose(settings).protocol.batch_size}"
    found = [fresh(peak, list(settings), words, steps, examples) for _ in range(repeats)]
    return [
        row(case, "limit", [limit / 2**20], unit="MiB"),
        row(case, "process", [peak / 2**20 for peak, _ in found], unit="MiB"),
        row(case, "weights, gradients, sums of squares", [found[0][1] / 2**20], unit="MiB"),
    ]


def peak(settings: Sequence[str], words: int, steps: int, examples: int) -> tuple[int, int]:
    """In bytes: the highest use of this process while it trains, and what a step cannot do without."""
    memory, composed = PeakMemory("cpu"), compose(settings)
    module = fast(composed, words)
    once = stepper(module, batches(composed, snli_shaped.split(examples, words)))
    for _ in range(steps):
        once()
    return memory.bytes(), indispensable(module)


def indispensable(module: SentenceTask) -> int:
    """Bytes of all parameters, their sums of squares, and their gradients but those of word vectors, which hold only
    the rows of a batch."""
    table = module.words.trained
    return sum(p.nbytes * (2 if p is table else 3) for p in module.parameters() if p.requires_grad)

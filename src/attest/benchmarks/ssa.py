"""Time and memory of a training step of SSA on pairs, whose hidden layer has 18,000 x 4,000 weights.

Every weight has a gradient and Adagrad's sum of squares, so the memory is that of more than 200 million numbers.
"""

from collections.abc import Sequence
from typing import Any

from attest.benchmarks import random_pairs
from attest.benchmarks.step import dense_operations, endless_batches, fast_module, make_step, timed_batches
from attest.benchmarks.subprocesses import run_in_new_process
from attest.benchmarks.timing import matrix_product_rates, number_formats, result_row, time_in_turns
from attest.config.compose import compose
from attest.system.memory import PeakMemory
from attest.training.tasks import SentenceTask


def measure(
    *, settings: Sequence[str], words: int, rounds: int, warmup: int = 3, examples: int = 6400
) -> list[dict[str, Any]]:
    """Return the seconds of a step in each number format, and those of its matrix products at the measured rate."""
    composed, split = compose(settings), random_pairs.random_split(examples, words)
    module = fast_module(composed, words)
    variants = {
        name: make_step(module, endless_batches(composed, split), number_format=name) for name in number_formats()
    }
    seconds = time_in_turns(variants, rounds, warmup)
    operations = [dense_operations(module, batch) for batch in timed_batches(composed, split, rounds, warmup)]
    rows, case = [], f"batches of {composed.protocol.batch_size}"
    for name, per_second in matrix_product_rates().items():
        rows.append(result_row(case, name, seconds[name]))
        rows.append(result_row(case, f"floor {name}", [number / per_second for number in operations]))
    return rows


def measure_memory(
    *, settings: Sequence[str], words: int, steps: int, repeats: int, limit: int, examples: int = 6400
) -> list[dict[str, Any]]:
    """Return rows for the peak memory of training, including torch itself, in MiB, each measured in a new process.

    Further rows hold `limit`, which is given in bytes, and the memory that a step needs at least.
    """
    case = f"batches of {compose(settings).protocol.batch_size}"
    peaks = [run_in_new_process(peak_and_required, list(settings), words, steps, examples) for _ in range(repeats)]
    return [
        result_row(case, "limit", [limit / 2**20], unit="MiB"),
        result_row(case, "process", [peak / 2**20 for peak, _ in peaks], unit="MiB"),
        result_row(case, "weights, gradients, sums of squares", [peaks[0][1] / 2**20], unit="MiB"),
    ]


def peak_and_required(settings: Sequence[str], words: int, steps: int, examples: int) -> tuple[int, int]:
    """Return the peak memory of this process in training and the bytes that a step needs at least."""
    memory, composed = PeakMemory("cpu"), compose(settings)
    module = fast_module(composed, words)
    run_step = make_step(module, endless_batches(composed, random_pairs.random_split(examples, words)))
    for _ in range(steps):
        run_step()
    return memory.bytes(), required_bytes(module)


def required_bytes(module: SentenceTask) -> int:
    """Return the bytes of all parameters, sums of squares and gradients.

    The gradient of the word vectors is not counted, since it has only the rows of a batch.
    """
    table = module.words.trained
    return sum(p.nbytes * (2 if p is table else 3) for p in module.parameters() if p.requires_grad)

"""Seconds in training steps for one pass over SNLI, for each model of DiSAN's Table 1."""

from collections.abc import Mapping, Sequence
from typing import Any

from attest.benchmarks import snli_shaped
from attest.benchmarks.step import batches, fast, stepper
from attest.benchmarks.timing import interleaved, row
from attest.config.compose import compose


def measure(
    *, settings: Sequence[str], models: Mapping[str, Sequence[str]], words: int, rounds: int, examples: int = 6400
) -> list[dict[str, Any]]:
    """Steps at SNLI's shapes, times the steps of an epoch."""
    split, variants, steps = snli_shaped.split(examples, words), {}, 0.0
    for name, overrides in models.items():
        composed = compose([*settings, *overrides])
        steps = composed.dataset.expected["train"] / composed.protocol.batch_size
        for half in (False, True):
            module = fast(composed, words)
            variants[name, half] = stepper(module, batches(composed, split), half=half)
    seconds = interleaved({f"{name}/{half}": step for (name, half), step in variants.items()}, rounds)
    return [
        row(name, "bf16" if half else "fp32", [value * steps for value in seconds[f"{name}/{half}"]])
        for name, half in variants
    ]

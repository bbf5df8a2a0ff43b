"""Time of the training steps of an epoch of SNLI, for each model of DiSAN's Table 1."""

from collections.abc import Mapping, Sequence
from typing import Any

from attest.benchmarks import random_pairs
from attest.benchmarks.step import endless_batches, fast_module, make_step
from attest.benchmarks.timing import number_formats, result_row, time_in_turns
from attest.config.compose import compose


def measure(
    *, settings: Sequence[str], models: Mapping[str, Sequence[str]], words: int, rounds: int, examples: int = 6400
) -> list[dict[str, Any]]:
    """Return the seconds of an epoch for each model in each number format; `models` maps a name to further overrides.

    A step is timed on `random_pairs` over `words` words, and multiplied by the number of steps in an epoch of SNLI.
    """
    split, variants, steps = random_pairs.random_split(examples, words), {}, {}
    for name, overrides in models.items():
        composed = compose([*settings, *overrides])
        steps[name] = composed.dataset.expected["train"] / composed.protocol.batch_size
        for number_format in number_formats():
            module, batches = fast_module(composed, words), endless_batches(composed, split)
            variants[name, number_format] = make_step(module, batches, number_format=number_format)
    seconds = time_in_turns({"/".join(key): step for key, step in variants.items()}, rounds)
    return [
        result_row(name, number_format, [value * steps[name] for value in seconds[f"{name}/{number_format}"]])
        for name, number_format in variants
    ]

"""Time to encode sentences, compared with the time of the matrix products alone."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import torch

from attest.benchmarks import random_pairs
from attest.benchmarks.step import fast_module
from attest.benchmarks.timing import matrix_product_rate, result_row, time_in_turns
from attest.config.compose import compose
from attest.data.splits.split import Split
from attest.system import malloc
from attest.training.outputs import outputs_of_split


def measure(
    *, settings: Sequence[str], models: Mapping[str, Sequence[str]], words: int, sentences: int, rounds: int
) -> list[dict[str, Any]]:
    """Return the seconds to encode `sentences` random sentences with each model, and a lower bound.

    `models` maps a name to further overrides. Short sentences come first, as in evaluation and transfer. The lower
    bound ("floor fp32") is the time of the matrix products at the rate of a large product.
    """
    malloc.keep_freed_memory()  # as attest encode does
    split = Split.from_sentences(random_pairs.random_split(sentences, words).sentences[0])
    modules = {name: fast_module(compose([*settings, *overrides]), words) for name, overrides in models.items()}
    variants = {
        name: partial(outputs_of_split, module, split, 100, lambda batch, module=module: module.encode(batch)[0])
        for name, module in modules.items()
    }
    seconds, per_second = time_in_turns(variants, rounds), matrix_product_rate(torch.float32)
    rows = []
    for name, module in modules.items():
        products = sum(p.numel() for p in module.encoder.parameters() if p.dim() == 2)
        rows.append(result_row(name, "fp32", seconds[name]))
        rows.append(result_row(name, "floor fp32", [2.0 * int(split.word_counts().sum()) * products / per_second]))
    return rows

"""Sentences to vectors with a trained encoder, beside the matrix products that it cannot do without."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import torch

from attest.benchmarks import snli_shaped
from attest.benchmarks.step import fast
from attest.benchmarks.timing import interleaved, rate, row
from attest.config.compose import compose
from attest.data.split import Split
from attest.training.evaluation import outputs_of


def measure(
    *, settings: Sequence[str], models: Mapping[str, Sequence[str]], words: int, sentences: int, rounds: int
) -> list[dict[str, Any]]:
    """All sentences once, short ones first, as evaluation and transfer encode them."""
    split = Split.from_sentences(snli_shaped.split(sentences, words).sentences[0])
    modules = {name: fast(compose([*settings, *overrides]), words) for name, overrides in models.items()}
    variants = {
        name: partial(outputs_of, module, split, 100, lambda batch, module=module: module.encode(batch)[0])
        for name, module in modules.items()
    }
    seconds, per_second = interleaved(variants, rounds), rate(torch.float32)
    rows = []
    for name, module in modules.items():
        products = sum(p.numel() for p in module.encoder.parameters() if p.dim() == 2)
        rows.append(row(name, "fp32", seconds[name]))
        rows.append(row(name, "floor fp32", [2.0 * int(split.word_counts().sum()) * products / per_second]))
    return rows

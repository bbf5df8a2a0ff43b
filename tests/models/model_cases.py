"""Every encoder and matcher at small sizes, for tests of what all of them promise: 7 features and 3 hidden ones."""

import torch

from attest.models import DAM
from attest.models.encoders import (
    PSAN,
    Additive,
    BiLSTM,
    BiLSTMMax,
    CNNMax,
    DiSAN,
    FastDiSAN,
    MultiHead,
    SourceToToken,
    StructuredSelfAttention,
)

ENCODERS = {
    "psan": lambda **settings: PSAN(7, divisions=(0, 0), **settings),
    "additive": lambda **settings: Additive(7, **settings),
    "s2t": lambda **settings: SourceToToken(7, **settings),
    "multi_head": lambda **settings: MultiHead(7, 3, heads=2, **settings),
    "bilstm": lambda **settings: BiLSTM(7, 3, **settings),
    "bilstm_max": lambda **settings: BiLSTMMax(7, 3, **settings),
    "bilstm_max_torch": lambda **settings: BiLSTMMax(7, 3, initialisation="torch", **settings),
    "cnn_max": lambda **settings: CNNMax(7, 3, **settings),
    "structured": lambda **settings: StructuredSelfAttention(7, 3, attention_size=5, hops=2, **settings),
    "structured_biases": lambda **settings: StructuredSelfAttention(7, 3, hops=1, biases=True, **settings),
    "disan": lambda **settings: DiSAN(7, 3, **settings),
    "diagonal": lambda **settings: DiSAN(7, 3, directions=("diagonal", "diagonal"), **settings),
    "none": lambda **settings: DiSAN(7, 3, directions=("none",), **settings),
    "sum": lambda **settings: DiSAN(7, 3, fusion="sum", **settings),
    "no_fusion": lambda **settings: DiSAN(7, 3, fusion="none", **settings),
    "one_bias": lambda **settings: DiSAN(7, 3, gate_biases=1, **settings),
    "scalar": lambda **settings: DiSAN(7, 3, scores="scalar", **settings),
    "units": lambda **settings: DiSAN(7, 3, dropout_at="units", **settings),
    "words": lambda **settings: DiSAN(7, 3, dropout_at="words", **settings),
    "fast": lambda **settings: FastDiSAN(7, 3, **settings),
    "fast_exp": lambda **settings: FastDiSAN(7, 3, pair_weight="exp", **settings),
    "fast_four_heads": lambda **settings: FastDiSAN(7, 3, directions=("forward", "backward") * 2, **settings),
    "fast_none": lambda **settings: FastDiSAN(7, 3, directions=("none",), **settings),
}
LENGTHS = torch.tensor([11, 5, 2, 1, 0])
MASK = torch.arange(11) < LENGTHS[:, None]
CONTEXTS = {
    "dam": {"attention": "feed_forward"},
    "dam_recurrence": {"context": "recurrence", "attention": "general", "compared": "projected"},
    "dam_convolution": {"context": "convolution", "span": 3},
    "dam_ngrams": {"context": "ngrams", "span": 3, "attention": "feed_forward", "features": "all"},
}


def dam(context):
    return lambda **settings: DAM(
        7, 3, **{"initialisation": "uniform", "initial": 0.8, **CONTEXTS[context], **settings}
    )


MODELS = {
    **ENCODERS,
    "psan_levels": lambda **settings: PSAN(7, **settings),
    **{name: dam(name) for name in CONTEXTS},
}
CLASSES = (
    "additive", "s2t", "multi_head", "bilstm", "bilstm_max", "bilstm_max_torch", "cnn_max", "structured", "disan",
    "fast", "psan_levels", *CONTEXTS,
)  # fmt: skip
"""The names of models that have all classes of layers between them, for promises that no option of a class changes."""


def inputs_of(model):
    """Word vectors, a mask, and phrases for an encoder that needs them; a matcher gets an even number of sentences."""
    mask = torch.cat([MASK, MASK[:1]]) if model.pairs else MASK
    phrases = (torch.randint(0, 8, mask.shape),) if model.levels else ()
    return torch.randn(*mask.shape, 7), (mask, *phrases)

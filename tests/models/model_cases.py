"""Every encoder and matcher at small sizes, for tests of what all of them promise: 7 features and 3 hidden ones."""

import torch
from models.encoders.test_contract import ENCODERS, MASK

from attest.models import DAM, PSAN

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

"""The check that padding has no influence on the sentence vectors of an encoder that is not Attest's."""

import copy
import logging
from contextlib import suppress

import numpy as np
import torch

from attest.config.locate import is_built_in
from attest.data.batches.batch import gather
from attest.data.splits.split import Split
from attest.models.kernels import backends
from attest.models.modes import evaluating
from attest.training.tasks import SentenceTask

EXAMPLES = 64
"""The number of the first training examples of which two are encoded."""
TOLERANCE = 1e-3
"""The largest difference that is due to rounding, as a part of the largest number in the vectors."""

log = logging.getLogger(__name__)


def warn_if_padding_matters(task: SentenceTask, training: Split) -> None:
    """Log a warning if padding changes the vectors of the user's own encoder.

    This sets the back end of attention to reference and resets `backends.used()`; call `backends.use` afterwards.
    """
    cls = type(task.encoder)
    if is_built_in(cls.__module__):
        return
    difference, largest = 0.0, 0.0
    with suppress(Exception):  # an encoder that fails here fails in training too, where the error names its code
        difference, largest = influence_of_padding(task, training)
    if difference > TOLERANCE * largest:
        log.warning(
            "model: %s.%s: padding changes the sentence vectors: by up to %.2g (of numbers up to %.2g) in a batch with "
            "a longer sentence, so figures depend on the batches; mask padding as described in docs/extend.md, "
            '"An encoder", and raise `version`',
            cls.__module__, cls.__qualname__, difference, largest,
        )  # fmt: skip


@torch.no_grad()
def influence_of_padding(task: SentenceTask, training: Split) -> tuple[float, float]:
    """Return how much the vectors of the shortest of the first training examples differ between a batch of its own and
    one with the longest of them, and the largest number in them.

    A copy of the task on the CPU computes them, so the task, and torch's generators, stay as they are.
    """
    length_N = training.max_lengths()[:EXAMPLES]
    shortest = int(np.where(length_N > 0, length_N, length_N.max(initial=0)).argmin())
    both = np.array([shortest, int(length_N.argmax())])
    backends.use("reference")
    with torch.random.fork_rng(devices=[]), evaluating(twin := copy.deepcopy(task)):
        alone, beside = (torch.cat([*twin.encode(gather(training, i))], dim=1)[0] for i in (both[:1], both))
    return float((alone - beside).abs().max()), float(alone.abs().max())

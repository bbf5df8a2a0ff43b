"""Streams of random numbers: each is keyed by the seed of the run and by the purpose of its numbers.

A stream depends on nothing that was drawn before, so a run that resumes draws the same numbers as a run without a
break. The streams of earlier versions keep their keys, because every record depends on them. Some of these keys
coincide: numpy takes [seed] and [seed, 0] for one key. A new purpose needs no entry here, and shares its stream with no
other.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
import torch

EARLIER_KEYS: Mapping[str, Callable[..., Sequence[int]]] = {
    "random folds": lambda seed: [seed],
    "drawn sets": lambda seed: [seed],
    "held-out dev": lambda seed, fold: [seed, fold],
    "order of examples": lambda seed, epoch: [seed, epoch],
    "order of batches": lambda seed, epoch: [seed, epoch, 1],
    "sample of examples": lambda seed: [seed, *b"examples"],
    "setting of a trial": lambda seed, trial, *key: [seed, trial, *key],
    "weights": lambda seed: [seed, *b"weights", 0],
    "dropout": lambda seed, step: [seed, *b"dropout", step],
}
"""The keys of the purposes that there were before keys were hashed."""


def seed_sequence(seed: int, purpose: str, *numbers: int) -> np.random.SeedSequence:
    """Return the start of the stream for a purpose, and for `numbers` such as an epoch or a step.

    Numbers of different purposes, or with different `numbers`, are independent, except for the keys in EARLIER_KEYS.
    """
    if (key := EARLIER_KEYS.get(purpose)) is not None:
        return np.random.SeedSequence(key(seed, *numbers))
    digest = hashlib.sha256(repr((purpose, numbers)).encode()).digest()
    return np.random.SeedSequence([seed, *np.frombuffer(digest, "<u4").tolist()])


def numpy_generator(seed: int, purpose: str, *numbers: int) -> np.random.Generator:
    """Return numpy's generator for a purpose, as `seed_sequence` keys it."""
    return np.random.default_rng(seed_sequence(seed, purpose, *numbers))


def torch_seed(seed: int, purpose: str, *numbers: int) -> int:
    """Return a seed for torch's generators for a purpose, as `seed_sequence` keys it.

    The seed has 63 bits, of which torch's generator of the CPU uses the low 32. Of 400,000 steps, about 19 pairs
    therefore draw the same numbers there.
    """
    state = seed_sequence(seed, purpose, *numbers).generate_state(1, np.uint64)
    return int(state[0] >> np.uint64(1))


def seed_torch(seed: int, device: torch.device) -> None:
    """Seed torch's generators of the CPU and of one device, for each step of a training.

    `torch.manual_seed` seeds all kinds of devices. For each kind that is missing here it notes the stack of its caller,
    which takes a millisecond in all, a fifth of a small model's step.
    """
    torch.default_generator.manual_seed(seed)
    if device.type == "cuda":
        torch.cuda.manual_seed(seed)
    elif device.type == "mps":
        torch.mps.manual_seed(seed)


@contextmanager
def seeded_generator(seed: int) -> Iterator[None]:
    """Seed torch's generator of the CPU for the context alone; torch.manual_seed would seed those of GPUs too."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        yield

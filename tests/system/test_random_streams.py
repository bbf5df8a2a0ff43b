"""Streams of random numbers: those of earlier versions stay as they are, new ones are shared with no other."""

import re

import numpy as np
import pytest
import torch
from places import ROOT

from attest.system.random_streams import EARLIER_KEYS, numpy_generator, seed_torch, torch_seed

KEYS = {
    "random folds": ((), lambda seed: seed),
    "drawn sets": ((), lambda seed: seed),
    "held-out dev": ((3,), lambda seed: [seed, 3]),
    "order of examples": ((7,), lambda seed: [seed, 7]),
    "order of batches": ((7,), lambda seed: [seed, 7, 1]),
    "sample of examples": ((), lambda seed: [seed, *b"examples"]),
    "setting of a trial": ((4, *b"model.scale"), lambda seed: [seed, 4, *b"model.scale"]),
    "weights": ((), lambda seed: [seed, *b"weights", 0]),
    "dropout": ((12,), lambda seed: [seed, *b"dropout", 12]),
}
"""Purpose -> its numbers here, and the key that numpy got for it in versions before there were purposes."""


@pytest.mark.parametrize("purpose", EARLIER_KEYS)
@pytest.mark.parametrize("seed", [0, 1, 2**32 + 5])
def test_earlier_streams_are_what_they_were(purpose, seed):
    numbers, key = KEYS[purpose]
    drawn = numpy_generator(seed, purpose, *numbers).permutation(50)
    assert drawn.tolist() == np.random.default_rng(key(seed)).permutation(50).tolist()


def test_torchs_seeds_are_what_they_were():
    assert torch_seed(1, "weights") == 2582588688870845063
    assert torch_seed(3, "dropout", 17) == 8764082151007207360


def test_new_streams_coincide_with_no_other():
    kinds = [
        ("a",),
        ("b",),
        ("a", 0),
        ("a", 0, 0),
        ("a", 1),
        ("weights of teachers",),
        *((name, *KEYS[name][0]) for name in KEYS),
    ]
    firsts = {(seed, kind): numpy_generator(seed, *kind).integers(2**62) for seed in (0, 1) for kind in kinds}
    shared = {("random folds",), ("drawn sets",)}  # as the documentation says
    apart = [number for (_, kind), number in firsts.items() if kind not in shared]
    assert len(set(apart)) == len(apart)


def test_every_stream_is_keyed_here():
    """Benchmarks measure no figure of a paper; stratified folds and transfer follow other libraries to the number."""
    own = ("system/random_streams.py", "benchmarks/", "transfer/", "data/splits/folds.py")
    sources = {
        path.relative_to(ROOT / "src/attest").as_posix(): path.read_text() for path in ROOT.glob("src/attest/**/*.py")
    }
    wild = {
        name: found
        for name, text in sources.items()
        if not name.startswith(own)
        and (found := re.findall(r"default_rng|SeedSequence|RandomState\(|manual_seed\((?!torch_seed\()", text))
    }
    assert not wild


def test_a_seed_of_one_device_draws_what_torchs_own_seed_draws():
    torch.manual_seed(5)
    expected = torch.rand(3)
    seed_torch(5, torch.device("cpu"))
    assert torch.equal(torch.rand(3), expected)


@pytest.mark.parametrize(("kind", "seeded"), [("cuda", ["cuda"]), ("mps", ["mps"]), ("meta", [])])
def test_no_other_device_is_seeded(kind, seeded, monkeypatch):
    calls = []
    for name in ("cuda", "mps"):
        monkeypatch.setattr(getattr(torch, name), "manual_seed", lambda seed, name=name: calls.append((name, seed)))
    seed_torch(5, torch.device(kind))
    assert calls == [(name, 5) for name in seeded]

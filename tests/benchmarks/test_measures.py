"""Each benchmark measures what it says, on toy sizes."""

import time

import numpy as np
import pytest
import torch

from attest.attention.feature import reference
from attest.benchmarks import MEASURES, encoder_memory, snli_shaped, spec, step
from attest.benchmarks.ngrams import VARIANTS
from attest.benchmarks.timing import Ratio, interleaved
from attest.configuration import compose
from attest.errors import SettingsError
from attest.kernels import backends
from attest.matchers.context import NGrams
from attest.matchers.scores import FeedForwardScores

NARROW = ["scale=paper", "logger=none", "hidden_size=8", "vectors.size=8"]


def test_variants_take_turns_and_warming_up_does_not_count():
    calls = []
    seconds = interleaved({"a": lambda: calls.append("a"), "b": lambda: time.sleep(0.002)}, rounds=4, warmup=2)
    assert len(calls) == 6
    assert [len(values) for values in seconds.values()] == [4, 4]
    assert min(seconds["b"]) >= 0.002


def test_a_ratio_is_taken_round_by_round():
    # The machine was twice as slow in every second round, for both.
    base, other = np.array([3.0, 6.0] * 10), np.array([1.0, 2.0] * 10)
    assert Ratio.of(base, other) == Ratio(3.0, 3.0, 3.0)
    unequal = Ratio.of(base, np.array([1.0, 1.1, 0.9]))
    assert unequal.low <= unequal.median == 4.5 <= unequal.high


def test_sentence_pairs_are_as_long_as_snlis():
    split = snli_shaped.split(5000, 100)
    for ragged, (mean, deviation) in zip(split.sentences, (snli_shaped.PREMISE, snli_shaped.HYPOTHESIS), strict=True):
        assert abs(ragged.lengths.mean() - mean) < 0.3
        assert abs(ragged.lengths.std() - deviation) < 0.6
        assert ragged.lengths.min() >= 1
    assert split.sentences[0].tokens.max() < 102


@pytest.mark.parametrize(
    ("name", "options", "variants"),
    [
        ("core", {"words": 40, "features": 16, "lengths": [5], "rounds": 2},
         ["eager", "compiled", "kernel", "two exponentials"]),
        ("memory", {"batch": 2, "features": 16, "lengths": [20], "repeats": 1}, ["eager", "kernel"]),
        ("encoder_memory", {"batch": 2, "features": 16, "lengths": [6], "repeats": 1},
         [f"{name}, {way}" for name in ("multi-head", "DiSAN", "PSAN") for way in ("eager", "fast") for _ in range(2)]),
        ("ngrams", {"batch": 2, "features": 4, "cases": [[5, 2]], "rounds": 1}, ["naive", "fast"]),
        ("epoch", {"settings": NARROW, "models": {"s2t": ["model=s2t"]}, "words": 50, "rounds": 2, "examples": 100},
         ["fp32", "bf16"]),
        ("encoding",
         {"settings": NARROW, "models": {"s2t": ["model=s2t"]}, "words": 50, "sentences": 30, "rounds": 2},
         ["fp32", "floor fp32"]),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")  # torch.compile's own
def test_rows_of(name, options, variants):
    if name == "core" and backends.choice("cpu", "float32")[0] != "native":
        pytest.skip("there are no kernels here")
    rows = MEASURES[name](**options)
    assert [row["variant"] for row in rows] == variants
    assert all(row["values"] and min(row["values"]) >= 0 for row in rows)


def test_rows_of_step():
    rows = MEASURES["step"](settings=NARROW, words=50, rounds=2, examples=100)
    found = {(row["case"], row["variant"]) for row in rows}
    assert found >= {(case, name) for case in ("unsorted", "by_length") for name in ("plain", "fp32", "bf16")}
    assert ("Lightning's loop, unsorted, fp32", "Lightning") in found
    assert all(row["values"] for row in rows)


def test_rows_of_optimizer_cover_every_optimiser():
    rows = MEASURES["optimizer"](vocabularies=[50, 70], words=5, features=4, rounds=2)
    assert len(rows) == 10


def test_rows_of_convergence_are_paired_by_seed(mini_data, capsys):
    settings = [f"paths.data={mini_data}", "protocol.steps=2", "protocol.evaluate_every=1"]
    rows = MEASURES["convergence"](cases={"absent": ["scale=paper"], "mini": settings}, seeds=1)
    assert "absent: left out" in capsys.readouterr().err
    assert [(row["variant"], row["seed"], len(row["values"])) for row in rows] == [
        (variant, 1, 2) for variant in ("plain", "fp32", "fp32, by length", "bf16")
    ]


def test_fast_and_plain_steps_are_the_same_function():
    """Without dropout: the same loss, and the same weights after a step. So what is timed is the same work."""
    settings = compose([*NARROW, "dropout=0"])
    split = snli_shaped.split(64, 50)
    losses, weights = [], []
    for module, backend in ((step.fast(settings, 50), "auto"), (step.plain(settings, 50), "reference")):
        backends.use(backend)
        optimizer = module.configure_optimizers()
        batch = next(step.batches(settings, split))
        loss = module.training_step(batch, 0)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        weights.append([p.detach().clone() for p in module.parameters()])
    torch.testing.assert_close(*losses)
    torch.testing.assert_close(*weights, rtol=1e-3, atol=1e-4)


def test_operations_are_counted_by_word_and_by_pair():
    settings = compose([*NARROW, "model=s2t"])
    batch = next(step.batches(settings, snli_shaped.split(64, 50)))
    words = sum(int((tokens != 0).sum()) for tokens in batch.sentences)
    # s2t: two 8 x 8 matrices for a word; head: 32 x 8 and 8 x 3 for a pair; 2 operations, forward and twice backward.
    assert step.dense_operations(step.fast(settings, 50), batch) == 6 * (words * 128 + 64 * (256 + 24))


def test_benchmarks_are_read_and_typos_refused():
    assert set(spec.names()) == {
        "convergence",
        "core",
        "encoder_memory",
        "encoding",
        "epoch",
        "memory",
        "ngrams",
        "ngrams_memory",
        "optimizer",
        "step",
    }
    for name in spec.names():
        loaded = spec.load(name)
        assert loaded.measure == name
    with pytest.raises(SettingsError, match="Did you mean 'core'"):
        spec.load("cores")


def test_saved_bytes_count_each_piece_of_memory_once():
    x = torch.randn(8, 4, requires_grad=True)
    y = x * 1.0

    def once():
        (y.sigmoid() + y[:4].exp().sum() + y.square()).sum()

    assert encoder_memory.saved_bytes(once) == 4 * (32 + 16 + 32)  # the results of sigmoid and exp, and y


def test_naive_and_fast_ngram_attention_are_the_same_function():
    ngrams, attention = NGrams(4, 3, "doubled", 0.0), FeedForwardScores(8, 4)
    x = torch.randn(4, 5, 4, requires_grad=True)
    parameters = [x, *ngrams.parameters(), *attention.parameters()]
    found = [function(ngrams, attention, x) for function in VARIANTS.values()]
    torch.testing.assert_close(*found)
    gradients = [torch.autograd.grad((scores**2).sum(), parameters) for scores in found]
    torch.testing.assert_close(*gradients)


def test_the_eager_variant_is_the_reference():
    from attest.benchmarks.core import FUNCTIONS

    assert FUNCTIONS["eager"] is reference

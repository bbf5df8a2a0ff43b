"""Each benchmark measures what it says, on toy sizes."""

import time
from itertools import product

import commands
import numpy as np
import pytest
import torch

from attest.benchmarks import (
    bench,
    encoder_memory,
    feature_attention_memory,
    ngrams,
    optimizer,
    random_pairs,
    spec,
    ssa,
    step,
    timing,
)
from attest.benchmarks.bench import MEASURES
from attest.benchmarks.ngrams import VARIANTS
from attest.benchmarks.optimizer import OPTIMIZERS
from attest.benchmarks.ratio import Ratio
from attest.benchmarks.timing import time_in_turns
from attest.benchmarks.transfer import random_examples, solve_sequentially
from attest.config.compose import compose
from attest.errors import MachineError, SettingsError
from attest.models.kernels import backends
from attest.models.matchers.context import NGrams
from attest.models.matchers.scores import FeedForwardScores
from attest.reproduction.pages import benchmarks
from attest.transfer.cross_validation import nested_problems, solve
from attest.transfer.settings import CLASSIFIERS


@pytest.fixture(autouse=True)
def forked_processes(monkeypatch):
    """Let measurements fork their processes; test_memory.py starts them as a benchmark does."""
    for module in (encoder_memory, feature_attention_memory, ngrams, step, ssa):
        monkeypatch.setattr(module, "run_in_new_process", commands.call)


NARROW = ["scale=paper", "logger=none", "hidden_size=8", "vectors.size=8"]
FORMATS = timing.number_formats()


def test_formats_without_instructions_are_not_measured(monkeypatch):
    monkeypatch.setattr(timing, "matrix_product_rate", lambda dtype: dtype.itemsize)
    for has_instructions, rates in ((True, {"fp32": 4, "bf16": 2}), (False, {"fp32": 4})):
        monkeypatch.setattr(timing, "has_bfloat16", lambda device, answer=has_instructions: answer)
        assert timing.matrix_product_rates() == rates


def test_variants_take_turns_and_warming_up_does_not_count():
    calls = []
    seconds = time_in_turns({"a": lambda: calls.append("a"), "b": lambda: time.sleep(0.002)}, rounds=4, warmup=2)
    assert len(calls) == 6
    assert [len(values) for values in seconds.values()] == [4, 4]
    assert min(seconds["b"]) >= 0.002


def test_a_ratio_is_taken_round_by_round():
    # The machine was twice as slow in every second round, for both.
    base, other = np.array([3.0, 6.0] * 10), np.array([1.0, 2.0] * 10)
    assert Ratio.from_times(base, other) == Ratio(3.0, 3.0, 3.0)
    unequal = Ratio.from_times(base, np.array([1.0, 1.1, 0.9]))
    assert unequal.low <= unequal.median == 4.5 <= unequal.high


def test_sentence_pairs_are_as_long_as_snlis():
    split = random_pairs.random_split(5000, 100)
    for ragged, (mean, deviation) in zip(split.sentences, (random_pairs.PREMISE, random_pairs.HYPOTHESIS), strict=True):
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
         FORMATS),
        ("encoding",
         {"settings": NARROW, "models": {"s2t": ["model=s2t"]}, "words": 50, "sentences": 30, "rounds": 2},
         ["fp32", "floor fp32"]),
        ("recurrent", {"cases": [[4, 1, 6]], "features": 8, "rounds": 1},
         [f"{way} {name}" for name in FORMATS for way in ("padded", "packed")] + [f"floor {name}" for name in FORMATS]),
        ("transfer", {"classifiers": {"lbfgs": "sklearn"}, "examples": 40, "width": 3, "folds": 2, "rounds": 1,
                      "jobs": 1},
         ["one after another", "side by side"]),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")  # torch.compile's own
def test_rows_of(name, options, variants):
    if name == "core" and backends.choose_backend("cpu", "float32")[0] != "native":
        pytest.skip("there are no kernels here")
    rows = MEASURES[name](**options)
    assert [row["variant"] for row in rows] == variants
    assert all(row["values"] and min(row["values"]) >= 0 for row in rows)


STRUCTURED = [*NARROW, "experiment=ssa/snli", "head.hidden_size=20", "model.hops=3", "model.attention_size=5"]


def test_rows_of_structured():
    rows = MEASURES["structured"](settings=STRUCTURED, words=50, rounds=2, warmup=1, examples=150)
    assert [row["variant"] for row in rows] == [text for name in FORMATS for text in (name, f"floor {name}")]
    assert {(row["case"], row["unit"], len(row["values"])) for row in rows} == {("batches of 50", "s", 2)}
    assert all(min(row["values"]) > 0 for row in rows)


def test_the_peak_of_a_process_grows_with_its_weights_and_their_sums():
    small, large = (
        MEASURES["structured_memory"](
            settings=[*STRUCTURED, f"head.hidden_size={size}"], words=50, steps=2, repeats=1, limit=2**30, examples=150
        )
        for size in (20, 400_000)
    )
    assert [row["variant"] for row in small] == ["limit", "process", "weights, gradients, sums of squares"]
    assert small[0]["values"] == [1024]
    weights = 4 * (400_000 - 20) * (3 * 16 + 3 + 1)  # of the hidden layer, its biases and the logits
    needed = (large[2]["values"][0] - small[2]["values"][0]) * 2**20
    assert needed == pytest.approx(3 * weights, rel=1e-4)
    grown = (large[1]["values"][0] - small[1]["values"][0]) * 2**20
    assert 3 * weights < grown < 8 * weights  # what is freed is kept, and not all of it fits again


def test_operations_of_the_gated_encoder_are_counted():
    settings = compose(STRUCTURED)
    module = step.fast_module(settings, 50)
    batch = next(step.endless_batches(settings, random_pairs.random_split(64, 50)))
    words = sum(int((tokens != 0).sum()) for tokens in batch.sentences)
    lstm, attention = 2 * 4 * 8 * (8 + 8), 5 * 16 + 3 * 5
    head = 2 * 3 * 16 * 16 + 48 * 20 + 20 * 3
    assert step.dense_operations(module, batch) == 6 * (words * (lstm + attention) + 50 * head)


def test_rates_are_measured_where_time_is(monkeypatch):
    monkeypatch.setattr(bench, "matrix_product_rates", lambda: {"fp32": 1e9, "bf16": 2e9})
    monkeypatch.setattr(bench, "run_in_new_process", lambda function, *arguments: function(*arguments))
    for unit, metrics in (("MiB", set()), ("s", {"rate/fp32", "rate/bf16"})):
        rows = [{"case": "a", "variant": "b", "unit": unit, "values": [1.0]}]
        monkeypatch.setattr(bench, "MEASURES", {"optimizer": lambda rows=rows, **options: rows})
        record = bench.run_benchmark(spec.load_benchmark("optimizer"))
        assert set(record.metrics) == metrics
        assert ("matrix products at GFLOPS" in benchmarks.describe_machine(record)) == bool(metrics)


def test_rows_of_step():
    rows = MEASURES["step"](settings=NARROW, words=50, rounds=2, examples=100)
    found = {(row["case"], row["variant"]) for row in rows}
    assert found >= {
        (case, name) for case in ("unsorted", "by_length") for name in ("plain", "plain, memory kept", *FORMATS)
    }
    assert ("Lightning's loop, unsorted, fp32", "Lightning") in found
    assert all(row["values"] for row in rows)


def test_the_floor_of_a_step_is_that_of_the_batches_that_are_timed():
    settings, split = compose(NARROW), random_pairs.random_split(200, 50)
    batches, taken = step.endless_batches(settings, split), []
    timing.time_in_turns({"fp32": lambda: taken.append(next(batches))}, rounds=2, warmup=3)
    timed = list(step.timed_batches(settings, split, rounds=2, warmup=3))
    assert [each.sentences[0].tolist() for each in timed] == [each.sentences[0].tolist() for each in taken[3:]]


def test_rows_of_optimizer_cover_every_optimiser():
    rows = MEASURES["optimizer"](vocabularies=[50, 70], words=5, features=4, rounds=2)
    assert [(row["case"], row["variant"]) for row in rows] == list(product(("50", "70"), OPTIMIZERS))


def test_rows_of_convergence_are_paired_by_seed(mini_data, capsys):
    settings = [f"paths.data={mini_data}", "protocol.steps=2", "protocol.evaluate_every=1"]
    rows = MEASURES["convergence"](cases={"absent": ["scale=paper"], "mini": settings}, seeds=1)
    messages = capsys.readouterr().err
    assert "absent: left out" in messages
    assert ("bf16: left out: this processor has no instructions for it" in messages) == ("bf16" not in FORMATS)
    assert [(row["variant"], row["seed"], len(row["values"])) for row in rows] == [
        (variant, 1, 2) for variant in ("plain", "fp32", "fp32, by length", *FORMATS[1:])
    ]


def test_fast_and_plain_steps_are_the_same_function():
    """Without dropout: the same loss, and the same weights after a step. So what is timed is the same work."""
    settings = compose([*NARROW, "dropout=0"])
    split = random_pairs.random_split(64, 50)
    losses, weights = [], []
    for module, backend in ((step.fast_module(settings, 50), "auto"), (step.plain_module(settings, 50), "reference")):
        backends.use(backend)
        optimizer = module.configure_optimizers()
        batch = next(step.endless_batches(settings, split))
        loss = module.training_step(batch, 0)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        weights.append([p.detach().clone() for p in module.parameters()])
    torch.testing.assert_close(*losses)
    torch.testing.assert_close(*weights, rtol=1e-3, atol=1e-4)


def test_operations_are_counted_by_word_and_by_pair():
    settings = compose([*NARROW, "model=s2t"])
    batch = next(step.endless_batches(settings, random_pairs.random_split(64, 50)))
    words = sum(int((tokens != 0).sum()) for tokens in batch.sentences)
    # s2t: two 8 x 8 matrices for a word; head: 32 x 8 and 8 x 3 for a pair; 2 operations, forward and twice backward.
    assert step.dense_operations(step.fast_module(settings, 50), batch) == 6 * (words * 128 + 64 * (256 + 24))


def test_each_benchmark_has_a_measure_and_typos_are_refused():
    assert [spec.load_benchmark(name).name for name in spec.benchmark_names()] == sorted(MEASURES)
    with pytest.raises(SettingsError, match="Did you mean core"):
        spec.load_benchmark("cores")


def test_nothing_passes_for_kernels_that_cannot_be_built(monkeypatch):
    monkeypatch.setattr(bench.backends, "choose_backend", lambda *arguments: ("reference", "there is no compiler"))
    monkeypatch.setattr(bench, "run_in_new_process", lambda *arguments: [])
    for name in spec.benchmark_names():
        if name in bench.WITHOUT_KERNELS:
            bench.run_benchmark(spec.load_benchmark(name))
        else:
            with pytest.raises(MachineError, match=f"^attest bench {name}: it measures .* here: there is no compiler"):
                bench.run_benchmark(spec.load_benchmark(name))


def test_optimisers_are_measured_with_their_kernels():
    backends.use("auto")
    optimizer.measure(vocabularies=[10], words=4, features=8, rounds=1)
    assert "native" in backends.used()
    assert "optimizer" not in bench.WITHOUT_KERNELS


@pytest.mark.parametrize("kind", ["sklearn", "torch"])
def test_fits_side_by_side_come_to_the_same(kind):
    data = random_examples(60, 3)
    arguments = (nested_problems(data.y_N, 2), data, 2, CLASSIFIERS[kind](), (0.25, 4.0), 1111)
    apart, (together, _) = solve_sequentially(*arguments), solve(*arguments, jobs=1)
    assert [(one.regularisation, one.dev) for one in apart] == [(one.regularisation, one.dev) for one in together]
    assert all((one.predictions == two.predictions).all() for one, two in zip(apart, together, strict=True))


def test_naive_and_fast_ngram_attention_are_the_same_function():
    ngrams, attention = NGrams(4, 4, 3, "doubled", 0.0), FeedForwardScores(8, 4)
    x = torch.randn(4, 5, 4, requires_grad=True)
    parameters = [x, *ngrams.parameters(), *attention.parameters()]
    found = [function(ngrams, attention, x) for function in VARIANTS.values()]
    torch.testing.assert_close(*found)
    gradients = [torch.autograd.grad((scores**2).sum(), parameters) for scores in found]
    torch.testing.assert_close(*gradients)

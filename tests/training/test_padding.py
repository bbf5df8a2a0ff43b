"""An encoder of the user's own that lets padding in is named at the start of its training, and nothing else changes."""

import re

import pytest
import torch

from attest.data.prepare import prepare
from attest.training.assemble import assemble_task
from attest.training.padding import influence_of_padding, warn_if_padding_matters
from attest.training.run import run

ENCODERS = """
import torch
from attest.models import DAM, DiSAN, PSAN, Encoder


class Sum(Encoder):
    def __init__(self, input_size: int, hidden_size: int = 8) -> None:
        super().__init__()
        self.input_size, self.width = input_size, hidden_size
        self.layer = torch.nn.Linear(input_size, hidden_size)

    def encode(self, x_ND, layout):
        return layout.grid(self.layer(x_ND)).sum(1)


class Mean(Sum):
    def encode(self, x_ND, layout):
        return self.layer(layout.grid(x_ND)).mean(1)


class Largest(Sum):
    def encode(self, x_ND, layout):
        return layout.grid(self.layer(x_ND)).amax(1)


class Drawing(Sum):
    calls = 0

    def encode(self, x_ND, layout):
        type(self).calls += 1
        self.noise = torch.rand(1, device=x_ND.device)
        return super().encode(x_ND, layout)


class Fussy(Sum):
    def encode(self, x_ND, layout):
        if len(layout.length_B) < 3:
            raise RuntimeError("too few sentences")
        return super().encode(x_ND, layout)


class OwnDiSAN(DiSAN):
    pass


class OwnPSAN(PSAN):
    pass


class OwnDAM(DAM):
    pass
"""
QUICK = ("protocol.steps=2", "protocol.evaluate_every=2")


@pytest.fixture
def assembled(own_folder, settings_with):
    """The task of a run before its training, and the training set."""
    (own_folder / "own_padding.py").write_text(ENCODERS)

    def assemble(*overrides):
        settings = settings_with(*overrides)
        corpus = prepare(settings)
        return assemble_task(settings, corpus), corpus.splits["train"]

    return assemble


@pytest.mark.parametrize("name", ["Mean", "Largest"])
def test_an_encoder_that_lets_padding_in_is_named_with_the_difference_and_the_page(assembled, name, caplog):
    warn_if_padding_matters(*assembled("model=s2t", f"model._target_=own_padding.{name}"))
    assert f"model: own_padding.{name}: padding changes the sentence vectors: " in caplog.text
    assert 'docs/extend.md, "An encoder"' in caplog.text
    difference, largest = map(float, re.findall(r"up to ([0-9.]+)", caplog.text))
    assert 0.001 < difference <= 2 * largest


@pytest.mark.parametrize(
    "overrides",
    [
        ("model=s2t", "model._target_=own_padding.Sum"),
        ("experiment=disan/trec", "model._target_=own_padding.OwnDiSAN"),
        ("experiment=psan/trec", "phrases=balanced", "model._target_=own_padding.OwnPSAN"),
        ("experiment=dam/snli", "model._target_=own_padding.OwnDAM"),
    ],
    ids=lambda overrides: overrides[-1],
)
def test_encoders_that_keep_padding_out_pass_in_silence(assembled, overrides, caplog):
    task, training = assembled(*overrides)
    difference, largest = influence_of_padding(task, training)
    assert difference < 1e-5 * largest
    warn_if_padding_matters(task, training)
    assert "padding changes" not in caplog.text


def test_an_encoder_that_cannot_be_checked_is_left_to_the_training(assembled, caplog):
    task, training = assembled("model=s2t", "model._target_=own_padding.Fussy")
    warn_if_padding_matters(task, training)
    assert "padding changes" not in caplog.text


def test_encoders_of_attest_are_not_checked(assembled, monkeypatch):
    monkeypatch.setattr("attest.training.padding.influence_of_padding", None)
    warn_if_padding_matters(*assembled("model=disan"))


def test_the_check_draws_no_number_and_leaves_the_task_as_it_is(assembled):
    task, training = assembled("model=s2t", "model._target_=own_padding.Drawing")
    before, weights = torch.get_rng_state(), {key: value.clone() for key, value in task.state_dict().items()}
    warn_if_padding_matters(task, training)
    assert type(task.encoder).calls == 2
    assert torch.equal(torch.get_rng_state(), before)
    assert not hasattr(task.encoder, "noise")
    assert task.training
    assert all(torch.equal(value, weights[key]) for key, value in task.state_dict().items())
    assert all(parameter.grad is None for parameter in task.parameters())


def test_a_run_warns_once_and_its_figures_are_those_without_the_check(
    own_folder, settings_with, caplog, monkeypatch, tmp_path
):
    (own_folder / "own_padding.py").write_text(ENCODERS)
    settings = settings_with("model=s2t", "model._target_=own_padding.Mean", *QUICK)
    record = run(settings)
    assert caplog.text.count("own_padding.Mean: padding changes") == 1
    again = settings_with("model=s2t", "model._target_=own_padding.Mean", *QUICK,
                          f"paths.runs={tmp_path}/runs", f"paths.results={tmp_path}/results")  # fmt: skip
    monkeypatch.setattr("attest.training.run.warn_if_padding_matters", lambda task, split: None)
    other = run(again)
    assert (other.id, other.metrics, other.curve) == (record.id, record.metrics, record.curve)
    assert other.environment["attention"] == record.environment["attention"]

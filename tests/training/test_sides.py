"""Examples, model and head have to agree on sentences or pairs, before anything is trained or recorded."""

import pytest

from attest.data.prepare import prepare
from attest.errors import SettingsError
from attest.training import run as training
from attest.training.assemble import check_sides, positional_arguments


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["dataset=trec", "model=s2t"], "head: PairClassifier takes the vectors of pairs of sentences, but trec holds "
         "single sentences; choose another head, or an experiment .* such as experiment=disan/sentences"),
        (["experiment=disan/trec", "dataset=snli"], "head: SentenceClassifier takes the vectors of single "
         "sentences, but snli holds pairs of sentences; .* such as experiment=disan/snli"),
        (["experiment=dam/snli", "dataset=trec"], "model: DAM compares the two sentences of a pair, but trec holds"),
        (["experiment=disan/sick", "dataset=mrpc"], "task: relatedness needs a score for each example, and mrpc lacks"),
    ],
    ids=["pair head", "sentence head", "matcher", "scores"],
)  # fmt: skip
def test_what_does_not_fit_is_refused_and_leaves_no_record(overrides, message, settings_with, home):
    settings = settings_with("protocol.steps=1", *overrides)
    with pytest.raises(SettingsError, match=message):
        training.run(settings)
    assert not list((home / "results").rglob("*.json"))


@pytest.mark.parametrize("experiment", ["disan/snli", "disan/trec", "dam/snli"])
def test_what_fits_is_accepted(experiment, settings_with):
    settings = settings_with(f"experiment={experiment}")
    check_sides(settings, prepare(settings))


def test_positional_arguments_are_counted_without_self():
    class Head:
        def one(self, u): ...
        def one_or_two(self, u, v=None, *, scale=1): ...
        def any_number(self, *vectors): ...

    assert positional_arguments(Head.one) == (1, 1)
    assert positional_arguments(Head.one_or_two) == (1, 2)
    assert positional_arguments(Head.any_number) == (0, float("inf"))

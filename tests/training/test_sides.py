"""Examples, model and head have to agree on sentences or pairs, before anything is trained or recorded."""

import pytest

from attest.data.prepare import prepare
from attest.errors import SettingsError
from attest.training import run as training
from attest.training.checks import check_sentences_per_example, positional_arguments


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["experiment=disan/snli", "dataset=trec", "model=s2t"],
         "head: PairClassifier takes the vectors of pairs of sentences, but trec holds single sentences; choose "
         "another head, or an experiment .* such as experiment=disan/sentences"),
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


HEAD_FOR_ANY_NUMBER = """
import torch
from attest.models import Head


class {name}(Head):
    def __init__(self, width: int, classes: int, sentences: int = {default}) -> None:
        super().__init__()
        self.width, self.layer = width, torch.nn.Linear(sentences * width, classes)

    def forward(self, *vectors_BW: torch.Tensor) -> torch.Tensor:
        return self.layer(torch.cat(vectors_BW, dim=1))
"""


def write_head(folder, default, stated):
    """Write a head that takes any number of vectors, and its choice, into a folder of the user's own."""
    (folder / "joining.py").write_text(HEAD_FOR_ANY_NUMBER.format(name="Joining", default=default))
    (folder / "conf/head").mkdir(parents=True)
    line = "" if stated is None else f"sentences: {stated}\n"
    (folder / "conf/head/joining.yaml").write_text(f"_target_: joining.Joining\n{line}")


@pytest.mark.parametrize(
    ("default", "stated", "experiment", "message"),
    [
        (1, 2, "disan/trec", "head.sentences: 2, but trec holds single sentences; type head.sentences=1"),
        (1, None, "disan/snli", "head.sentences: 1, but snli holds pairs of sentences; type head.sentences=2"),
        (2, 1, "disan/snli", "head.sentences: 1, but snli holds pairs of sentences; type head.sentences=2"),
    ],
)
def test_a_head_for_another_number_of_sentences_is_refused(
    default, stated, experiment, message, own_folder, settings_with, home
):
    write_head(own_folder, default, stated)
    settings = settings_with(f"experiment={experiment}", "model=s2t", "head=joining", "protocol.steps=1")
    with pytest.raises(SettingsError, match=f"^{message}$"):
        training.run(settings)
    assert not list((home / "results").rglob("*.json"))


@pytest.mark.parametrize(("stated", "experiment"), [(1, "disan/trec"), (2, "disan/snli"), (None, "disan/snli")])
def test_a_head_for_this_number_of_sentences_is_accepted(stated, experiment, own_folder, settings_with):
    write_head(own_folder, 2, stated)
    settings = settings_with(f"experiment={experiment}", "model=s2t", "head=joining")
    check_sentences_per_example(settings, prepare(settings))


@pytest.mark.parametrize("experiment", ["disan/snli", "disan/trec", "dam/snli"])
def test_what_fits_is_accepted(experiment, settings_with):
    settings = settings_with(f"experiment={experiment}")
    check_sentences_per_example(settings, prepare(settings))


def test_positional_arguments_are_counted_without_self():
    class Head:
        def one(self, u): ...
        def one_or_two(self, u, v=None, *, scale=1): ...
        def any_number(self, *vectors): ...

    assert positional_arguments(Head.one) == (1, 1)
    assert positional_arguments(Head.one_or_two) == (1, 2)
    assert positional_arguments(Head.any_number) == (0, float("inf"))

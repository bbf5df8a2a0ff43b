"""A task, a tokeniser, a parser, a head and an optimiser of the user's own."""

import pytest
from training.interruptions import Interrupted
from write_file import write_file

from attest.config.compose import compose
from attest.data.prepare import prepare
from attest.errors import EncodingError, SettingsError
from attest.runs.identity import code_versions, run_id
from attest.training.run import run
from attest.training.schedule import Schedule

CODE = """
import torch
import torch.nn.functional as F
from attest.models.heads import PairClassifier
from attest.syntax.parsers import Parser
from attest.training.tasks import Classification


class Smoothed(Classification):
    version = 3

    def loss(self, outputs_BO, batch):
        return F.cross_entropy(outputs_BO, batch.labels, label_smoothing=0.1)


def letters(sentence: str) -> list[str]:
    return [word[:3] for word in sentence.split()]


def wrong(sentence: str):
    return sentence


class LeftBranching(Parser):
    identity = "left 1"

    def parse(self, sentences):
        return [[(0, end) for end in range(2, len(sentence) + 1)] for sentence in sentences]


class Head(PairClassifier):
    pass


class Slow(torch.optim.SGD):
    def __init__(self, params, lr: float = 0.01, weight_decay: float = 0.0) -> None:
        super().__init__(params, lr=lr, weight_decay=weight_decay)
"""
QUICK = ("protocol.steps=2", "protocol.evaluate_every=2")


@pytest.fixture
def own(own_folder):
    (own_folder / "own_everything.py").write_text(CODE)
    return own_folder


def test_a_run_of_code_of_the_users_own(own, settings_with):
    overrides = ("task=own_everything.Smoothed", "text.tokens=own_everything.letters", "model=s2t", *QUICK,
                 "head._target_=own_everything.Head", "optimizer._target_=own_everything.Slow")  # fmt: skip
    record = run(settings_with(*overrides))
    assert record.status == "done", record.reason
    assert record.versions["task"] == 3
    assert record.versions["text.tokens"] == 1
    assert record.settings["head._target_"] == "own_everything.Head"
    assert "test/accuracy" in record.metrics
    usual = settings_with("model=s2t", *QUICK)
    assert "task" not in code_versions(usual)
    assert record.id != run_id(usual, record.fingerprint)


def test_changed_code_of_the_users_own_is_told_from_that_of_a_finished_run(own, settings_with, caplog):
    settings = settings_with("model=s2t", "head._target_=own_everything.Head", *QUICK)
    record = run(settings)
    assert list(record.environment["own_code"]) == ["own_everything"]
    (own / "own_everything.py").write_text(CODE.replace("    pass", '    """A head."""'))
    assert run(settings) == record
    assert "other code" not in caplog.text
    (own / "own_everything.py").write_text(CODE.replace("lr: float = 0.01", "lr: float = 0.1"))
    assert run(settings) == record
    assert f"{record.id}: this finished run used other code of own_everything; if the change affects" in caplog.text


def test_a_checkpoint_of_other_code_of_the_users_own_is_named(own, settings_with, caplog, monkeypatch):
    settings = settings_with("model=s2t", "head._target_=own_everything.Head", "protocol.steps=4",
                             "protocol.evaluate_every=2", "trainer.checkpoint_seconds=0")  # fmt: skip
    evaluate = Schedule.evaluate

    def interrupted(self, module, step):
        evaluate(self, module, step)
        if step == 4:
            raise Interrupted

    monkeypatch.setattr(Schedule, "evaluate", interrupted)
    with pytest.raises(Interrupted):
        run(settings)
    monkeypatch.setattr(Schedule, "evaluate", evaluate)
    (own / "own_everything.py").write_text(CODE.replace("lr: float = 0.01", "lr: float = 0.1"))
    run(settings)
    assert "resuming from a checkpoint that was written by other code of own_everything; if the" in caplog.text


def test_a_parser_of_the_users_own_divides_sentences(own, settings_with):
    right, left = (
        prepare(settings_with("experiment=psan/trec", "model=psan", f"phrases.source={source}"))
        for source in ("right", "own_everything.LeftBranching")
    )
    assert left.facts["parser"]["identity"] == "left 1"
    assert left.fingerprint != right.fingerprint
    phrases = [corpus.splits["test"].sentences[0].phrases for corpus in (left, right)]
    assert not (phrases[0] == phrases[1]).all()


def test_the_cache_of_a_corpus_follows_the_code_of_its_tokeniser(own, settings_with, tmp_path):
    cache = tmp_path / "cache"  # not the one that all tests share, into which others write meanwhile
    settings = settings_with("dataset=trec", "text.tokens=own_everything.letters", f"paths.cache={cache}")
    prepare(settings)
    prepare(settings)
    assert len(list((cache / "corpora").iterdir())) == 1
    (own / "own_everything.py").write_text(f"{CODE}# a comment changes nothing\n")
    prepare(settings)
    assert len(list((cache / "corpora").iterdir())) == 1
    (own / "own_everything.py").write_text(CODE.replace("word[:3]", "word[:4]"))
    prepare(settings)
    assert len(list((cache / "corpora").iterdir())) == 2


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("task=own_everything.Smooth", r"task: own_everything has no class Smooth. Did you mean Smoothed"),
        ("task=clasification", r"task: 'clasification' is not one of .* Did you mean classification"),
        ("text.tokens=own_everything.Head", r"text.tokens: own_everything has no function Head"),
        ("text.tokens=os.listdir", r"text.tokens: os.listdir is in no folder of your own; name the folder"),
        (
            "phrases.source=nowhere.Parser",
            r"phrases.source: nowhere.Parser is in no folder of your own",
        ),
        ("phrases.source=corpsu", r"phrases.source: 'corpsu' is not one of .* Did you mean corpus"),
    ],
)
def test_names_that_do_not_exist(override, message, own):
    with pytest.raises(SettingsError, match=message):
        compose([override])


def test_classes_of_another_kind_are_refused(own, settings_with, cli):
    with pytest.raises(SettingsError, match=r"phrases.source: own_everything.Head does not derive from .*Parser"):
        prepare(settings_with("experiment=psan/trec", "model=psan", "phrases.source=own_everything.Head"))
    with pytest.raises(SettingsError, match=r"text.tokens: own_everything.wrong returned .*; it must return a list"):
        prepare(settings_with("text.tokens=own_everything.wrong"))
    error = cli.error("train", "task=own_everything.Head", "logger=none", *QUICK)
    assert "task: own_everything.Head does not derive from" in error


ENCODERS = """
import torch
from attest.models import Encoder


class Mean(Encoder):
    def __init__(self, input_size: int, sizes: list[int] = [8], deep: bool = False) -> None:
        super().__init__()
        first, self.width = [input_size, *sizes][:1] + sizes[-1:]  # a list, and no tuple
        self.input_size = first
        self.layer = torch.nn.Linear(input_size, self.width, bias=deep)

    def encode(self, x_ND, layout):
        return self.layer(layout.grid(x_ND).sum(1))


class Lazy(Mean):
    def __init__(self, input_size: int) -> None:
        super().__init__(input_size)
        self.layer = torch.nn.LazyLinear(8)


class Double(Mean):
    def encode(self, x_ND, layout):
        return super().encode(x_ND, layout).double()


class NoWidth(Mean):
    def __init__(self, input_size: int) -> None:
        super().__init__(input_size)
        del self.width


class NoInput(Mean):
    def __init__(self, dim: int = 3) -> None:
        super().__init__(dim)


class Plain(torch.nn.Module):
    def __init__(self, input_size: int) -> None:
        super().__init__()
        self.width = 3
"""


@pytest.fixture
def mean(own_folder):
    """A folder with a model whose file names one of its arguments."""
    (own_folder / "own_means.py").write_text(ENCODERS)
    write_file(own_folder / "conf/model/own_mean.yaml", "_target_: own_means.Mean\nsizes: [16, 4]\n")
    return own_folder


def test_arguments_have_the_types_of_the_constructor(mean, settings_with):
    assert run(settings_with("model=own_mean", *QUICK)).settings["model.sizes"] == [16, 4]


def test_an_argument_that_the_file_leaves_out_can_be_set(mean):
    assert compose(["model=own_mean", "model.deep=true"]).model["deep"] is True
    with pytest.raises(SettingsError, match=r"model.dep: unknown setting of Mean. Did you mean model.deep\?"):
        compose(["model=own_mean", "model.dep=true"])


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("model._target_=own_means.Lazy", "own_means.Lazy creates layer.weight when it first runs; give its size"),
        ("model._target_=own_means.Plain", "own_means.Plain does not derive from attest.models.Encoder"),
        ("model.sizes=[0]", "own_means.Mean has sentence vectors of width 0"),
        ("model._target_=own_means.NoWidth", "own_means.NoWidth has sentence vectors of width None; set a width of"),
        ("model._target_=own_means.NoInput", "^model: the constructor of own_means.NoInput takes no input_size, which"),
        ("model._target_=own_means.Double", "own_means.Double: encode returned torch.float64; compute in the type"),
    ],
)
@pytest.mark.filterwarnings("ignore:Initializing zero-element tensors")
def test_encoders_that_cannot_be_trained_are_named(override, message, mean, settings_with):
    with pytest.raises((SettingsError, EncodingError), match=message):
        run(settings_with("model=own_mean", override, *QUICK))


def test_an_annotation_for_type_checkers_alone_is_named(mean):
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from decimal import Decimal\n" + ENCODERS
    (mean / "own_typed.py").write_text(text.replace("deep: bool = False", "deep: 'Decimal' = False"))
    with pytest.raises(SettingsError, match="model: an annotation of the constructor of Mean cannot be read .*Decimal"):
        compose(["model=own_mean", "model._target_=own_typed.Mean"])


def test_an_optimiser_may_read_its_parameters_when_it_is_made(own_folder, settings_with):
    (own_folder / "own_scaled.py").write_text(OPTIMISER)
    write_file(own_folder / "conf/optimizer/own_scaled.yaml", "_target_: own_scaled.Scaled\n")
    settings = settings_with("optimizer=own_scaled", "model=s2t", *QUICK)
    assert run(settings).status == "done"


OPTIMISER = """
import torch


class Scaled(torch.optim.SGD):
    def __init__(self, params):
        super().__init__(params, lr=0.01)
        self.largest = max(float(p.abs().max()) for group in self.param_groups for p in group["params"] if p.numel())
"""

"""attest parser, as a user types it, and runs whose phrases a learned parser gives."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
import yaml
from homes import records_of, store_of
from write_file import write_file

import attest
from attest.cli.commands.parsers import provide_parser
from attest.config.compose import compose
from attest.config.parser_training import ParserCommand, compose_parser
from attest.config.paths import tracked_results
from attest.data.prepare import prepare
from attest.errors import RecordError, SettingsError
from attest.inference.opening import open_record
from attest.runs.observers import no_observers
from attest.runs.store import Store
from attest.syntax.parsers import configured_parser
from attest.syntax.parsers.baselines import RightBranchingParser
from attest.syntax.parsers.registry import find_parser
from attest.syntax.parsers.span_scorer import SpanScorer
from attest.system.leases import lease, lease_file
from attest.training.parser.evaluation import (
    evaluate_parser,
    f1_of_parsers,
    lowered,
    training_sentences,
    trees_of_data_set,
)

pytestmark = pytest.mark.usefixtures("home_with_corpora")

QUICK = ["treebanks=sst", "epochs=0.5", "trainer.progress=false"]


@pytest.fixture
def trained(home, cli, train_once):
    """A parser, hardly trained."""

    def train():
        cli.output("parser", "train", *QUICK)
        (record,) = records_of(home)
        return record

    return train_once(home, "parser", train)


def test_it_is_trained_and_says_how_good_it_is(home, cli):
    printed = cli.output("parser", "train", *QUICK, "scorer.hidden_size=8")
    (record,) = records_of(home)
    assert record.settings["scorer.hidden_size"] == 8
    assert [path.name for path in (home / "runs" / record.id).iterdir()] == [f"best-{record.selected['step']}.pt"]
    figures = [record.metrics[f"test/sst/{kind}f1"] for kind in ("", "right/", "balanced/")]
    assert printed.splitlines()[2].split()[1:4] == [f"{figure:.2f}" for figure in figures]
    assert f"phrases.parser_run={record.id}" in printed


def test_progress_is_a_line_for_each_look_at_the_dev_set(cli):
    printed = cli.run("parser", "train", "treebanks=[sst]", "epochs=1").stderr
    assert "parser sst seed=1  step 22/22  epoch 1  loss " in printed


def test_trees_of_anybodys_sentences(trained, cli):
    first, second = cli.output(
        "parser", "parse", "the goat waits.", "hm", f"phrases.parser_run='{trained.id}'"
    ).splitlines()
    assert [word for word in first.split() if word not in "()"] == ["the", "goat", "waits", "."]
    assert first.count("(") == 3
    assert second == "hm"


@pytest.mark.parametrize("identity", ["f0aa25cbc987", "40946166e123", "123456789012", "e12345678901"])
def test_what_is_typed_for_a_parser_is_read_as_its_id(identity, monkeypatch, cli):
    typed: list[str] = []
    monkeypatch.setattr("attest.cli.commands.train.train", lambda parsed, overrides: typed.extend(overrides))
    cli.output("train", "experiment=psan/snli", "phrases=learned", f"phrases.parser_run={identity}")
    assert compose(typed).phrases.parser_run == identity


def test_trees_of_a_shape_need_no_training(cli):
    assert cli.output("parser", "parse", "the goat waits.", "phrases=right") == "( the ( goat ( waits . ) ) )\n"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("phrases=corpus", "phrases: nothing to parse with. Choose phrases=learned"),
        ("epochs=3", "epochs: attest parser parse accepts only these settings"),
    ],
)
def test_settings_that_parse_nothing_are_refused(setting, message, cli):
    assert message in cli.error("parser", "parse", "the goat waits.", setting)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["epoch=3"], "epoch: unknown setting. Did you mean epochs?"),
        (["scorer.hiden_size=3"], "scorer.hiden_size: unknown setting. Did you mean scorer.hidden_size?"),
        (["scorer.dropout=2"], "scorer.dropout: 2.0 is out of range; type a number from 0 to below 1"),
        (["treebanks=sst,ssst"], "treebanks=ssst: no such data set. Did you mean sst?"),
        (["seed=1,2"], "seed=1,2: several values; type this command once for each of them, and a list is written in"),
        (["treebanks=[]"], "treebanks=[]: expected at least one data set that has trees"),
        (["treebanks=sst,sst"], "treebanks=[sst,sst]: expected at least one data set that has trees, each named once"),
        (["treebanks=trec"], "treebanks: trec has a sentence without a tree"),
        (["trainer.precision=bf16"], "trainer.precision=bf16: sums over trees need fp32"),
        (["scale=huge"], "scale=huge: no such choice"),
    ],
)
def test_mistakes_are_one_sentence(arguments, message, cli):
    assert message in cli.error("parser", "train", *arguments)


def test_cfg_prints_the_settings(home, cli):
    printed = yaml.safe_load(cli.output("parser", "train", "--cfg", *QUICK))
    assert (printed["treebanks"], printed["epochs"], printed["trainer"]["precision"]) == (["sst"], 0.5, "fp32")
    assert records_of(home) == []
    assert "--cfg prints the settings of attest parser train alone" in cli.error("parser", "test", "--cfg")


def test_a_scale_of_ones_own_has_a_file_for_parsers(own_folder, cli):
    write_file(own_folder / "conf/scale/tiny.yaml", "# @package _global_\ndefaults: [mini]\nscale: tiny\n")
    error = cli.error("parser", "train", "--cfg", "scale=tiny")
    assert "scale=tiny: a parser has no settings for this scale; write the line defaults: [mini] into a file" in error
    write_file(own_folder / "conf/parser_training/tiny.yaml", "defaults: [mini]\nepochs: 3\n")
    printed = yaml.safe_load(cli.output("parser", "train", "--cfg", "scale=tiny"))
    assert (printed["scale"], printed["epochs"], printed["scorer"]["layers"]) == ("tiny", 3, 1)


def test_every_setting_has_a_value_at_both_scales():
    for scale in ("mini", "paper"):
        assert isinstance(compose_parser([f"scale={scale}"]), ParserCommand)
    assert set(ParserCommand.__dataclass_fields__) == set(vars(compose_parser(["scale=mini"])))


def test_a_run_takes_its_phrases_from_it_and_names_it_as_parent(trained, finished, settings_with):
    learned = ("experiment=psan/snli", "phrases=learned", f"phrases.parser_run='{trained.id}'")
    settings, record = settings_with(*learned), finished(*learned)
    assert list(record.parents) == [trained.id]
    assert record.data["parser"] == {"identity": f"learned {trained.id}", "runs": [trained.id]}
    corpus, other = prepare(settings), prepare(settings_with(*learned[:1], "phrases=balanced"))
    assert corpus.fingerprint != other.fingerprint
    ragged = corpus.splits["test"].sentences[0]
    words = [corpus.words[token] for token in ragged.tokens[: ragged.offsets[1]]]
    assert len(configured_parser(settings).parse([words])[0]) == len(words) - 1


def test_a_run_carries_its_parser(trained, finished, tmp_path, home, monkeypatch, cli):
    record = finished("experiment=psan/snli", "phrases=learned", f"phrases.parser_run='{trained.id}'")
    here = attest.load(record.id)
    sentences = [" ".join(here.words_by_row[2:9]), "", here.words_by_row[4]]
    expected = here.encode(sentences)
    exported = tmp_path / "exported"
    cli.output("export", record.id, str(exported))
    monkeypatch.setenv("ATTEST_HOME", str(tmp_path / "elsewhere"))
    for place in (home / "runs" / record.id, exported):
        np.testing.assert_allclose(attest.load(place).encode(sentences), expected, rtol=0, atol=1e-6)
    alone = replace(attest.load(exported), caches_trees=False)
    longer = [*sentences, f"{sentences[0]} {sentences[2]}"]
    np.testing.assert_allclose(alone.encode(longer)[:3], expected, rtol=0, atol=1e-6)
    monkeypatch.setattr(SpanScorer, "version", 99)
    with pytest.raises(RecordError, match=f"{trained.id}: this parser was trained by version . of the code, and"):
        replace(attest.load(exported), caches_trees=False).encode(sentences)


def test_the_usual_parser_is_trained_where_it_is_wanted_and_missing(settings_with, home, monkeypatch):
    settings = settings_with("experiment=psan/snli", "phrases=learned")
    with pytest.raises(SettingsError, match="no trained parser yet; train one with `attest parser train scale=mini`"):
        configured_parser(settings)
    provide_parser(settings)
    (record,) = records_of(home)
    assert configured_parser(settings).identity == f"learned {record.id}"
    monkeypatch.setattr("attest.cli.commands.parsers.run", lambda *arguments, **options: pytest.fail("trained again"))
    provide_parser(settings)
    provide_parser(settings_with("experiment=psan/snli", "phrases=corpus"))


def test_the_usual_parser_is_trained_without_the_extensions_of_a_run(settings_with, monkeypatch):
    given = []
    monkeypatch.setattr(
        "attest.cli.commands.parsers.run", lambda settings, observe, waits: given.append((settings.trainer, observe))
    )
    settings = settings_with("experiment=psan/snli", "phrases=learned")
    own = {"_target_": "pytorch_lightning.callbacks.Timer"}
    provide_parser(replace(settings, trainer=replace(settings.trainer, callbacks=(own,), profiler=own)))
    ((trainer, observe),) = given
    assert (trainer.callbacks, trainer.profiler, observe) == ((), None, no_observers)


def test_of_two_runs_beside_each_other_one_trains_the_usual_parser_and_the_other_waits(settings_with, home, caplog):
    caplog.set_level("INFO", logger="attest")
    settings = settings_with("experiment=psan/snli", "phrases=learned")
    provide_parser(settings)
    (record,) = records_of(home)
    store_of(home).record_path(record.id).unlink()
    begun = Event()

    def train_elsewhere():
        with lease(lease_file(home / "runs" / record.id)):
            begun.set()
            while "waiting: " not in caplog.text:
                time.sleep(0.01)
            store_of(home).put(record)

    with ThreadPoolExecutor() as pool:
        other = pool.submit(train_elsewhere)
        begun.wait()
        provide_parser(settings)
        other.result()
    assert f"waiting: run {record.id} is in progress in process {os.getpid()}" in caplog.text
    assert records_of(home) == [record]


def test_progress_can_be_silenced(cli):
    done = cli.run("parser", "train", *QUICK)
    assert (done.returncode, "step " in done.stderr) == (0, False), done.stderr


def test_a_parser_that_does_not_exist_and_one_without_weights(trained, settings_with, home):
    chosen = ("experiment=psan/snli", "phrases=learned")
    with pytest.raises(RecordError, match="nosuch: no parser has this id; `attest parser train` trains"):
        configured_parser(settings_with(*chosen, "phrases.parser_run=nosuch"))
    for weights in Path(home / "runs" / trained.id).iterdir():
        weights.unlink()
    parser = configured_parser(settings_with(*chosen, f"phrases.parser_run='{trained.id}'"))
    with pytest.raises(RecordError, match="the weights of this parser are not on this machine"):
        parser.parse([["a", "quiet", "song"]])


def test_a_tracked_record_alone_is_no_parser(settings_with, home):
    """A machine that has the default parser's record, but not its weights, which git does not track, trains it once."""
    settings = settings_with("experiment=psan/snli", "phrases=learned")
    provide_parser(settings)
    local, tracked = store_of(home), Store(tracked_results() / "records")
    (record,) = local
    tracked.put(record)
    local.record_path(record.id).unlink()
    (weights,) = (home / "runs" / record.id).iterdir()
    weights.unlink()
    provide_parser(settings)
    assert weights.is_file()
    assert [again.id for again in local] == [record.id]


def test_of_several_usual_parsers_the_one_that_is_here_is_taken(trained, settings_with, monkeypatch):
    settings = settings_with("experiment=psan/snli", "phrases=learned")
    elsewhere = replace(trained, id="0" * 12)
    several = {record.id: record for record in (elsewhere, trained)}
    monkeypatch.setattr("attest.syntax.parsers.registry.default_parsers", lambda settings: several)
    assert find_parser(settings) == trained
    monkeypatch.setattr("attest.syntax.parsers.registry.with_local_weights", lambda found, settings: {})
    with pytest.raises(SettingsError, match="there are 2"):
        find_parser(settings)


def test_a_finished_run_keeps_its_parser_whichever_is_the_usual_one(trained, finished, mini_data):
    record = finished("experiment=psan/snli", "phrases=learned", f"phrases.parser_run='{trained.id}'")
    nameless = replace(record, settings={**record.settings, "phrases.parser_run": None})
    run = open_record(nameless, [f"paths.data={mini_data}"])  # there is no usual one at all
    assert run.parser.identity == f"learned {trained.id}"
    assert run.encode(["the goat waits ."]).any()


def test_a_parser_is_tested_on_the_trees_of_another_data_set(trained, home, cli):
    command = ("parser", "test", "dataset=snli", f"phrases.parser_run='{trained.id}'")
    printed = cli.output(*command).splitlines()
    assert printed[1].startswith("snli  ")
    (record,) = [record for record in records_of(home) if record.kind == "parser_test"]
    assert printed[2] == f"learned {trained.id}, record {record.id}"
    assert record.parents == (trained.id,)
    assert 0 < record.metrics["test/right/f1"] < 100
    used, trees = (record.data["splits"]["test"][key] for key in ("used", "trees"))
    assert 0 < used < trees == 4000, "sentences occur more than once"
    cli.output(*command)  # it is recorded already
    assert "no sentence has a tree" in cli.error("parser", "test", "dataset=trec", "phrases=right", code=1)


def test_sentences_that_a_parser_was_trained_on_are_left_out(trained, settings_with):
    settings = settings_with(
        "experiment=psan/trec", "dataset=sst", "phrases=learned", f"phrases.parser_run='{trained.id}'"
    )
    known = training_sentences(configured_parser(settings), settings)
    _, trees = trees_of_data_set(settings.dataset, Path(settings.paths.data))
    left = {lowered(tree) for tree in trees} - known
    assert 0 < len(left) < len(trees)
    record = evaluate_parser(settings)
    assert record.data["splits"]["test"]["used"] == len(left)
    found = f1_of_parsers(RightBranchingParser(), trees)
    assert found["test/f1"] == found["test/right/f1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("train", "sst"), "attest parser train: sst: this action takes no sentences; name data sets as in treebanks="),
        (("test", "sst"), "attest parser test: sst: this action takes no sentences; name data sets as in dataset="),
        (("parse",), "attest parser parse: no sentence; type one"),
    ],
)
def test_what_an_action_does_not_take_is_refused(arguments, message, cli):
    assert message in cli.error("parser", *arguments)

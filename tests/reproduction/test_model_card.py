"""What the card of a run and `attest show` say of its data and of code of the user's own; made-up records."""

import dataclasses
import sys

import pytest
from made_up import data, record

from attest.config.compose import compose
from attest.reproduction.pages.built_in_corpora import reads_built_in_corpus
from attest.reproduction.pages.model_card import model_card
from attest.reproduction.pages.terminal.run import render_run
from attest.runs.run_card import RunContext

OWN = "import attest.models\n\n\nclass Sum(attest.models.SourceToToken):\n    pass\n"
PART = data(train=11_884)
BUILT_IN = "built-in corpus in the form of snli"
REFERENCE = "snli: Bowman et al. 2015, A large annotated corpus for learning natural language inference; licence: CC"


def card_of(made, *overrides):
    settings = compose(["experiment=disan/snli", f"scale={made.settings['scale']}", *overrides])
    return model_card(made, settings, RunContext(command=""), {}, sides=2, pairs=False)


def test_a_built_in_corpus_is_not_the_data_set_whose_form_it_has():
    made = record("disan", scale="mini", data=PART)
    card, shown = card_of(made), render_run(made, {}, [], [])
    assert f"# DiSAN trained on {BUILT_IN} ({made.id})\n" in card
    assert f"- {BUILT_IN}\n- word vectors" in card
    assert "- train: 11,884 examples\n" in card
    assert "  corpus      built-in corpus in the form of snli\n  train       11,884 examples\n" in shown
    for text in (card, shown):
        assert "Bowman" not in text
        assert "of 549,367" not in text


def test_a_run_without_a_file_of_word_vectors_names_none():
    card = card_of(record("disan", data=PART), "vectors=none", "scale=paper")
    assert f"- {REFERENCE}" in card
    assert "- no file of word vectors: they began at random\n" in card
    assert "word vectors none" not in card


def test_the_card_says_where_attest_comes_from():
    card = card_of(record("disan"))
    assert "`attest` on PyPI is another project" in card
    assert "pip install '.[sentence-transformers]'" in card
    assert "pip install attest" not in card
    assert "pip install 'attest" not in card
    settings = compose(["experiment=dam/snli"])
    matcher = model_card(record("disan"), settings, RunContext(command=""), {}, sides=2, pairs=True)
    assert "`pip install .`" in matcher
    assert "`attest` on PyPI is another project" in matcher
    assert "sentence-transformers" not in matcher


def test_official_data_have_a_reference_and_a_number():
    made = record("disan", data=PART)
    card, shown = card_of(made), render_run(made, {}, [], [])
    assert f"# DiSAN trained on snli ({made.id})\n" in card
    assert f"- {REFERENCE}" in card
    assert "- train: 11,884 examples of 549,367\n" in card
    assert "  train       11,884 examples of 549,367\n" in shown


def test_the_card_of_a_run_of_more_than_one_commit_names_each():
    commits = [{"commit": "a" * 40, "from_step": 0}, {"commit": "b" * 40, "from_step": 300}]
    card = card_of(record("disan", environment={"commit": "b" * 40, "commits": commits}))
    assert f"- commit of the code: `{'b' * 40}` (of its parts: {'a' * 12}, from step 301 on {'b' * 12})\n" in card


def test_which_runs_were_on_a_built_in_corpus():
    made = record("disan", scale="mini", data=PART)
    own = dataclasses.replace(made, settings={**made.settings, "dataset.name": "my_reviews"})
    whole, paper = record("disan", scale="mini"), record("disan", data=PART)
    assert [*map(reads_built_in_corpus, (made, own, whole, paper))] == [True, False, False, False]


@pytest.mark.parametrize("file", ["own_sum.py", "own_pack/__init__.py", "own_pack/sums.py"])
def test_the_card_names_the_code_that_it_needs(file, own_folder, monkeypatch):
    path = own_folder / file
    path.parent.mkdir(exist_ok=True)
    (path.parent / "__init__.py").touch() if "/" in file else None
    path.write_text(OWN)
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    for name in (module, module.partition(".")[0]):
        monkeypatch.delitem(sys.modules, name, raising=False)
    card = card_of(record("disan"), "model=s2t", f"model._target_={module}.Sum")
    assert f"needs code that neither this folder nor Attest holds:\n\n- `{module}.Sum` in `{file}`\n" in card
    assert "ATTEST_PATH" in card
    assert "ATTEST_PATH" not in card_of(record("disan"))


def test_only_a_model_of_a_built_in_corpus_says_that_its_data_are_built_in():
    made = record("disan", scale="mini", data=PART)
    own = dataclasses.replace(made, settings={**made.settings, "dataset.name": "my_reviews"})
    narrow = "- scale=mini: a narrow model"
    assert f"{narrow} on built-in corpora, whose figures say nothing about the paper\n" in card_of(made)
    assert f"{narrow}\n" in card_of(own)
    assert narrow not in card_of(record("disan"))


def test_backticks_do_not_end_code():
    made = record("disan")
    made = dataclasses.replace(made, settings={**made.settings, "dataset.labels": ["a`<b>"]})
    command = "attest train dataset.labels=['a`<b>']"
    settings = compose(["experiment=disan/snli", f"scale={made.settings['scale']}"])
    card = model_card(made, settings, RunContext(command=""), {}, sides=2, pairs=False, command=command)
    assert f"- command: ``{command}``\n" in card
    assert "- ``dataset.labels=[a`<b>]``\n" in card

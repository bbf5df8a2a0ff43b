"""Stanza's trees as ours, by a stand-in for its pipeline; and what is said where it is missing."""

import sys
from types import SimpleNamespace

import pytest

from attest.errors import DataError, SettingsError
from attest.syntax.parsers import stanza
from attest.syntax.parsers.stanza import StanzaParser
from attest.syntax.trees import from_spans, to_brackets

ANSWERS = {
    "the tall goat waits .": "(ROOT (S (NP (DT the) (JJ tall) (NN goat)) (VP (VBZ waits)) (. .)))",
    "( yes )": "(ROOT (PRN (-LRB- -LRB-) (INTJ (UH yes)) (-RRB- -RRB-)))",
    "2_1/2 _ miles": "(ROOT (NP (CD 2_1/2) (SYM _) (NNS miles)))",
}


class Pipeline:
    """What Stanza promises: lists of tokens in, a document with a tree for each out."""

    def __init__(self):
        self.asked = []

    def __call__(self, sentences):
        self.asked += sentences
        return SimpleNamespace(
            sentences=[SimpleNamespace(constituency=ANSWERS[" ".join(sentence)]) for sentence in sentences]
        )


def test_trees_are_made_binary_over_our_own_tokens():
    pipeline = Pipeline()
    sentences = [["the", "tall", "goat", "waits", "."], ["hm"], ["(", "yes", ")"], [], ["2 1/2", "", "miles"]]
    found = StanzaParser(pipeline, "stanza 1").parse(sentences)
    trees = [to_brackets(from_spans(map(repr, words), spans)) for words, spans in zip(sentences, found, strict=True)]
    assert trees == [
        "( ( 'the' ( 'tall' 'goat' ) ) ( 'waits' '.' ) )",
        "'hm'",
        "( '-LRB-' ( 'yes' '-RRB-' ) )",
        "",
        "( '2 1/2' ( '' 'miles' ) )",
    ]
    assert pipeline.asked == [sentences[0], sentences[2], ["2_1/2", "_", "miles"]]


def test_a_tree_over_other_tokens_is_refused():
    answer = SimpleNamespace(sentences=[SimpleNamespace(constituency="(ROOT (VP (MD can) (RB not)))")])
    with pytest.raises(DataError, match="a tree of 2 words for the 3 tokens 'we can not'"):
        StanzaParser(lambda sentences: answer, "stanza 1").parse([["we", "can", "not"]])


def test_without_stanza_it_is_said_how_to_get_it():
    if "stanza" in sys.modules:
        pytest.skip("Stanza is here")
    with pytest.raises(SettingsError, match=r"Stanza is not installed; type pip install 'attest\[stanza\]'"):
        stanza.installed_identity()


def test_without_models_it_is_said_how_to_get_them(monkeypatch):
    def missing(*arguments, **options):
        assert options["download_method"] is None
        assert options["tokenize_pretokenized"] is True
        raise FileNotFoundError("Resources file not found")

    monkeypatch.setitem(sys.modules, "stanza", SimpleNamespace(Pipeline=missing))
    with pytest.raises(DataError, match=r"models are missing \(Resources file not found\); download .*stanza.download"):
        stanza.open_stanza()

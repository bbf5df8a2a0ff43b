from dataclasses import replace

import pytest

from attest.config.compose import compose
from attest.data.text.tokens import split_at_characters, tokenise, tree_leaves, treebank_tokens


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("A dog runs.", ["A", "dog", "runs", "."]),
        (
            "She doesn't, he'll; it's Ann’s.",
            ["She", "does", "n't", ",", "he", "'ll", ";", "it", "'s", "Ann", "’s", "."],
        ),
        (
            "In the U.S. 1,000.5 well-known (old) men...",
            ["In", "the", "U.S.", "1,000.5", "well-known", "(", "old", ")", "men", "..."],
        ),
        (" 9:30 --  ok?!", ["9:30", "--", "ok", "?", "!"]),
        ("", []),
    ],
)
def test_treebank_rules(sentence, tokens):
    assert treebank_tokens(sentence) == tokens


def test_leaves_keep_no_break_spaces():
    assert tree_leaves("( ( 1\xa01/2 cups ) ( are -LRB- enough -RRB- ) )") == [
        "1\xa01/2",
        "cups",
        "are",
        "-LRB-",
        "enough",
        "-RRB-",
    ]


def test_split_again_leaves_empty_tokens_as_the_authors_do():
    assert split_at_characters(["'s"], "-'") == ["", "'", "s"]
    assert split_at_characters(["-"], "-'") == ["", "-", ""]
    assert split_at_characters(["T-shirt", "dog"], "-'") == ["T", "-", "shirt", "dog"]


DAMS = "A well-known (old) dog isn't (-LRB- running), is it?"


@pytest.mark.parametrize(
    ("recipe", "tokens"),
    [
        ("dam_content", ["<null>", "wellknown", "old", "dog", "isnt", "run"]),
        ("dam_words", ["<null>", "a", "wellknown", "old", "dog", "isnt", "running", "is", "it"]),
    ],
)
def test_dams_recipes(recipe, tokens):
    assert tokenise(DAMS, None, compose([f"text={recipe}"]).text) == tokens


def test_a_sentence_of_stop_words_keeps_its_null_token():
    text = compose(["text=dam_content"]).text
    assert tokenise("He is not there.", None, text) == ["<null>"]
    assert tokenise("", None, replace(text, first="")) == []


def test_infersents_tokens_at_both_ends():
    text = compose(["text=infersent"]).text
    assert tokenise("", "( ( Not a ) ( dog . ) )", text) == ["<s>", "Not", "a", "dog", ".", "</s>"]
    assert tokenise("", None, text) == ["<s>", "</s>"]


def test_dam_reads_the_leaves_of_parses_as_they_are():
    assert tokenise("", "( ( Not a ) ( dog . ) )", compose(["text=dam_nli"]).text) == ["<null>", "Not", "a", "dog", "."]


def test_disans_recipe():
    text = compose(["text=disan"]).text
    assert len(text.split_characters) == 13
    parse = "( ( The T-shirt ) ( 's ( 12″ “ wide ” . ) ) )"
    assert tokenise("ignored", parse, text) == [
        "the", "t", "-", "shirt", "", "'", "s", "12″", "", "“", "", "wide", "", "”", "", ".",
    ]  # fmt: skip
    assert tokenise("It's RED.", None, text) == ["it", "", "'", "s", "red", "."]


def test_the_recipe_of_the_ssa_authors():
    text = compose(["scale=paper", "text=ssa_authors"]).text
    said = tokenise('He said: "No, ONE ... wins!"', None, text)
    assert said == ["he", "said", "", "", "No", "", "ONE", "", "wins", "", ""]


def test_only_so_many_tokens_are_kept():
    assert tokenise("a b c d", None, compose(["scale=paper", "text=ssa", "text.token_limit=3"]).text) == ["a", "b", "c"]

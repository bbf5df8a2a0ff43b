import pytest

from attest.data.text import lemmas
from attest.data.text.lemmas import lemma
from attest.data.text.stopwords import STOP_WORDS

LEMMAS = {
    "dog": "dogs", "lady": "ladies", "movie": "movies", "box": "boxes", "potato": "potatoes", "watch": "watches",
    "woman": "women", "knife": "knives", "glass": "glass", "bus": "buses", "child": "children", "pie": "pies",
    "play": "playing", "ride": "riding", "eat": "eating", "run": "running", "make": "making", "carry": "carried",
    "dance": "danced", "juggle": "juggling", "exercise": "exercising", "prepare": "preparing", "decide": "decided",
    "ski": "skiing", "fall": "falling", "feed": "feed", "be": "were", "go": "went", "lie": "lying", "king": "king",
    "measure": "measured", "string": "string", "red": "red", "morning": "morning", "gas": "gas", "news": "news",
    "this": "this", "u.s": "u.s", "": "", "s": "s", "is0": "is0",
}  # fmt: skip


@pytest.mark.parametrize(("known", "word"), LEMMAS.items())
def test_lemmas(known, word):
    assert lemma(word) == known


@pytest.mark.parametrize(
    ("words", "known"),
    [
        ("across swing lung", "across swing lung"),
        ("being having does doing goes", "be have do do go"),
        ("leaves dyeing used using", "leave dye use use"),
    ],
)
def test_words_that_follow_the_rules_are_not_listed(words, known):
    assert [lemma(word) for word in words.split()] == known.split()
    assert not {*words.split()} & {*lemmas.IRREGULAR, *lemmas.WITHOUT_ENDING}


def test_every_listed_word_is_an_exception_to_the_rules(monkeypatch):
    irregular, unchanged = lemmas.IRREGULAR, lemmas.WITHOUT_ENDING
    monkeypatch.setattr(lemmas, "IRREGULAR", {})
    assert not [form for form, known in irregular.items() if lemma(form) == known]
    monkeypatch.setattr(lemmas, "WITHOUT_ENDING", frozenset())
    assert not [word for word in unchanged if lemma(word) == word]


def test_stop_words_have_negations_and_no_content():
    assert {"not", "no", "nor", "the", "don", "t"} <= STOP_WORDS
    assert not STOP_WORDS & {"dog", "never", "nobody", "without", "", "<null>"}
    assert len(STOP_WORDS) == 153

"""Examples of files as input of a finished run's model, with the trees that their files give them."""

from collections.abc import Sequence

from attest.data.readers import Example
from attest.data.splits.split import Split
from attest.inference.sentence_input import SentenceInput, split_of_sides


def sentences_of(examples: Sequence[Example]) -> list[str]:
    """Return all first sentences of examples and, for pairs, then all second ones."""
    return [sentence for side in zip(*(example.sentences for example in examples), strict=True) for sentence in side]


def trees_of(run: SentenceInput, examples: Sequence[Example]) -> list[str | None]:
    """Return the tree of each sentence, in the order of `sentences_of`; None for a sentence without one.

    A sentence that has no tree in its file may be a tree itself, as `SentenceInput.parses` says.
    """
    trees = [tree for side in zip(*(example.parses for example in examples), strict=True) for tree in side]
    typed = run.parses(sentences_of(examples))
    return [own if tree is None else tree for tree, own in zip(trees, typed, strict=True)]


def words_of_examples(run: SentenceInput, examples: Sequence[Example]) -> list[list[str]]:
    """Return the words of each sentence, in the order of `sentences_of`, tokenised as in training."""
    return run.words(sentences_of(examples), trees_of(run, examples))


def split_of_examples(run: SentenceInput, examples: Sequence[Example]) -> Split:
    """Return examples as input of the model, without their labels."""
    sides = len(examples[0].sentences)
    labelled = [
        example.labelled_parses[side] if example.labelled_parses else None
        for side in range(sides)
        for example in examples
    ]
    trees = trees_of(run, examples)
    words = run.words(sentences_of(examples), trees)
    return split_of_sides(run.with_phrases(words, trees, labelled), sides)

from pathlib import Path

from attest.data.files.source import Source
from attest.data.readers.example import Example, Phrase
from attest.data.readers.sst import training_examples
from attest.data.text.tokens import tree_leaves


def counted(examples):
    return [(example.sentences[0], example.label) for example in examples]


def test_sentences_all_phrases_or_the_authors_copies():
    example = Example(
        Source(Path("train.txt")),
        1,
        row=0,
        label="0",
        sentences=("it is dull",),
        parses=("( it ( is dull ) )",),
        phrases=(Phrase(0, 1, "0"), Phrase(1, 2, "0"), Phrase(2, 3, "--"), Phrase(1, 3, "-")),
    )
    assert counted(training_examples(example, "sentences", "0")) == [("it is dull", "0")]
    parts = [("it is dull", "0"), ("it", "0"), ("is", "0"), ("dull", "--"), ("is dull", "-")]
    assert counted(training_examples(example, "all", "0")) == parts
    # Every part that is not neutral, and the sentence whatever its class, stands there four times.
    assert counted(training_examples(example, "authors", "0")) == [
        *[parts[0]] * 4, parts[1], parts[2], *[parts[3]] * 4, *[parts[4]] * 4
    ]  # fmt: skip
    for part in training_examples(example, "all", "0"):
        assert tree_leaves(str(part.parses[0])) == part.sentences[0].split(" ")
        assert part.row == 0

"""Sentence pairs of SICK (Marelli et al. 2014), in both official distributions.

The files of SemEval-2014 hold one split each; SICK.txt holds all of them and names the split of each row. The first
line names the columns.
"""

from collections.abc import Iterator, Sequence

from attest.data.files import Source
from attest.data.readers.example import Example

NEEDED = ("sentence_A", "sentence_B", "relatedness_score")
JUDGEMENTS = ("entailment_judgment", "entailment_label")
"""The same column in the one distribution and in the other."""
SPLITS = {"TRAIN": "train", "TRIAL": "dev", "TEST": "test"}
LOWEST, HIGHEST = 1.0, 5.0


def read_sick(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Every pair of the file, with its entailment label and its relatedness from 1 to 5."""
    names: list[str] = []
    for number, line in source.lines():
        cells = line.split("\t")
        if number == 1:
            names = check_columns(source, cells)
            continue
        if len(cells) != len(names):
            raise source.error(number, f"expected {len(names)} columns parted by tabs, got {len(cells)}")
        row = dict(zip(names, cells, strict=True))
        label = next(row[name] for name in JUDGEMENTS if name in row)
        if label not in labels:
            raise source.error(number, f"entailment {label!r} is none of {', '.join(labels)}")
        if (split := row.get("SemEval_set")) is not None and split not in SPLITS:
            raise source.error(number, f"SemEval_set {split!r} is none of {', '.join(SPLITS)}")
        yield Example(
            row=number - 2,
            label=label,
            sentences=(row["sentence_A"], row["sentence_B"]),
            parses=(None, None),
            score=source.parse_number(number, row["relatedness_score"], LOWEST, HIGHEST, "relatedness_score"),
            split=None if split is None else SPLITS[split],
        )


def check_columns(source: Source, names: list[str]) -> list[str]:
    """The names of the columns, if what is needed is among them."""
    missing = [name for name in NEEDED if name not in names]
    if missing or not any(name in names for name in JUDGEMENTS):
        lacking = missing[0] if missing else " or ".join(JUDGEMENTS)
        raise source.error(1, f"the first line has to name the columns; it does not name {lacking}")
    return names

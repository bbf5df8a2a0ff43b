"""SICK: sentence pairs with entailment labels and relatedness (Marelli et al. 2014), in both official distributions.

The files of SemEval-2014 hold one split each. SICK.txt holds all splits, with the split of each row in a column. The
first line holds the column names.
"""

from collections.abc import Iterator, Sequence

from attest.data.files import Source
from attest.data.readers.example import Example

NEEDED = ("sentence_A", "sentence_B", "relatedness_score")
JUDGEMENTS = ("entailment_judgment", "entailment_label")
"""The names of the label's column: that of SemEval-2014, and that of SICK.txt."""
SPLITS = {"TRAIN": "train", "TRIAL": "dev", "TEST": "test"}
LOWEST, HIGHEST = 1.0, 5.0


def read_sick(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every pair of the file, with its entailment label and its relatedness from 1 to 5."""
    names: list[str] = []
    for number, line in source.lines():
        cells = line.split("\t")
        if number == 1:
            names = check_columns(source, cells)
            continue
        if len(cells) != len(names):
            raise source.error(number, f"expected {len(names)} columns separated by tabs, got {len(cells)}")
        row = dict(zip(names, cells, strict=True))
        label = next(row[name] for name in JUDGEMENTS if name in row)
        if label not in labels:
            raise source.error(number, f"entailment {label!r} is not one of {', '.join(labels)}")
        if (split := row.get("SemEval_set")) is not None and split not in SPLITS:
            raise source.error(number, f"SemEval_set {split!r} is not one of {', '.join(SPLITS)}")
        yield Example(
            row=number - 2,
            label=label,
            sentences=(row["sentence_A"], row["sentence_B"]),
            parses=(None, None),
            score=source.parse_number(number, row["relatedness_score"], LOWEST, HIGHEST, "relatedness_score"),
            split=None if split is None else SPLITS[split],
        )


def check_columns(source: Source, names: list[str]) -> list[str]:
    """Return the column names; an error is raised if a column that is needed is not among them."""
    missing = [name for name in NEEDED if name not in names]
    if missing or not any(name in names for name in JUDGEMENTS):
        missing_column = missing[0] if missing else " or ".join(JUDGEMENTS)
        raise source.error(1, f"the first line must hold the column names, and {missing_column} is missing")
    return names

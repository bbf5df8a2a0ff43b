"""SICK: sentence pairs with entailment labels and relatedness (Marelli et al. 2014), in both official distributions.

The files of SemEval-2014 hold one split each. SICK.txt holds all splits, with the split of each row in a column. The
first line holds the column names.
"""

from collections.abc import Iterator, Sequence

from attest.data.files.source import Source
from attest.data.readers.example import Example
from attest.data.readers.fields import check_header, not_one_of, parse_decimal, split_columns

SEMEVAL_COLUMNS = ("pair_ID", "sentence_A", "sentence_B", "relatedness_score", "entailment_judgment")
"""The columns of the files of SemEval-2014."""
SICK_TXT_COLUMNS = (
    "pair_ID", "sentence_A", "sentence_B", "entailment_label", "relatedness_score", "entailment_AB", "entailment_BA",
    "sentence_A_original", "sentence_B_original", "sentence_A_dataset", "sentence_B_dataset", "SemEval_set",
)  # fmt: skip
"""The columns of SICK.txt, which holds all splits."""
JUDGEMENTS = ("entailment_judgment", "entailment_label")
"""The names of the label's column: that of SemEval-2014, and that of SICK.txt."""
SPLIT_OF_SET = {"TRAIN": "train", "TRIAL": "dev", "TEST": "test"}
"""The values of the column SemEval_set -> our names of the splits."""
LOWEST, HIGHEST = 1.0, 5.0


def read_sick(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every pair of the file, with its entailment label and its relatedness from 1 to 5."""
    names: list[str] = []
    for number, line in source.lines():
        if number == 1:
            names = check_header(source, line, [SEMEVAL_COLUMNS, SICK_TXT_COLUMNS])
            continue
        row = dict(zip(names, split_columns(source, number, line, (len(names),)), strict=True))
        label = next(row[name] for name in JUDGEMENTS if name in row)
        if label not in labels:
            raise source.error(number, not_one_of("entailment", label, labels))
        if (split := row.get("SemEval_set")) is not None and split not in SPLIT_OF_SET:
            raise source.error(number, not_one_of("SemEval_set", split, SPLIT_OF_SET))
        yield Example(
            source,
            number,
            row=number - 2,
            label=label,
            sentences=(row["sentence_A"], row["sentence_B"]),
            score=parse_decimal(source, number, row["relatedness_score"], LOWEST, HIGHEST, "relatedness_score"),
            split=None if split is None else SPLIT_OF_SET[split],
        )

"""The page of parsers as markdown: how well they find phrases, from records."""

from collections.abc import Iterable, Iterator

from attest.reproduction.pages.numbers import table_row
from attest.runs.records import Record

NAME = "parsers"
INTRODUCTION = """\
How well parsers find the phrases of sentences that they were not trained on.

- Figures are unlabelled F1 in percent against the trees of the treebank; words and whole sentences do not count.
- "Right-branching" and "Balanced" are trees that depend on nothing but the length of a sentence.
- Test sentences that occur in a training set, or in another treebank, are left out."""
HEAD = ["Trained on", "Tested on", "Sentences", "Learned", "Right-branching", "Balanced", "Minutes", "Record"]


def render_parsers_page(records: Iterable[Record]) -> str:
    """Return the page of the finished parsers, a line for each treebank that they were tested on."""
    shown = sorted((record for record in records if record.status == "done"), key=lambda record: record.id)
    lines = ["# Parsers", "", INTRODUCTION, ""]
    if not shown:
        return "\n".join([*lines, "Nothing is tracked yet: run `attest parser train scale=paper`, then "
                          "`attest publish parsers`.", ""])  # fmt: skip
    lines += [table_row(HEAD), table_row(["---"] * len(HEAD))]
    lines += [table_row(row) for record in shown for row in treebank_rows(record)]
    return "\n".join([*lines, "", "Made by `attest collate` from the records.", ""])


def treebank_rows(record: Record) -> Iterator[list[str]]:
    """Yield the cells of each treebank that the parser of a record was tested on."""
    treebanks = record.settings["treebanks"]
    sentences = sum(record.data["splits"][f"{name}/train"]["used"] for name in treebanks)
    minutes = "" if record.cost is None else f"{record.cost.wall_seconds / 60:.0f}"
    for name in treebanks:
        figures = [f"{record.metrics[f'test/{name}/{kind}f1']:.2f}" for kind in ("", "right/", "balanced/")]
        tested = f"{record.data['splits'][f'{name}/test']['used']:,}"
        trained = f"{' and '.join(treebanks)}, {sentences:,} sentences"
        yield [trained, name, tested, *figures, minutes, f"`{record.id}`"]

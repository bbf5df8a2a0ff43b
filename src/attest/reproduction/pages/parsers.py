"""What parsers are worth: markdown from records of parsers alone."""

from collections.abc import Iterable, Iterator

from attest.reproduction.pages.numbers import join
from attest.runs.records import Record

NAME = "parsers"
INTRODUCTION = """\
Unlabelled F1 in percent on sentences that no parser was trained on, with the trees that the treebanks give them; words
and whole sentences do not count. Right-branching and balanced trees know nothing of a sentence but its length. A
sentence that a training set has too, or another treebank, is not among those tested on."""
HEAD = ["Trained on", "Tested on", "Sentences", "Learned", "Right-branching", "Balanced", "Minutes", "Record"]


def markdown(records: Iterable[Record]) -> str:
    shown = sorted((record for record in records if record.status == "done"), key=lambda record: record.id)
    lines = ["# Parsers", "", INTRODUCTION, ""]
    if not shown:
        return "\n".join([*lines, "Nothing is tracked yet: `attest parser train scale=paper`, then "
                          "`attest publish parsers`.", ""])  # fmt: skip
    lines += [join(HEAD), join(["---"] * len(HEAD))]
    lines += [join(row) for record in shown for row in rows_of(record)]
    return "\n".join([*lines, "", "Made by `attest collate` from the records.", ""])


def rows_of(record: Record) -> Iterator[list[str]]:
    """One for each treebank."""
    treebanks = record.settings["treebanks"]
    sentences = sum(record.data["splits"][f"{name}/train"]["used"] for name in treebanks)
    minutes = "" if record.cost is None else f"{record.cost.wall_seconds / 60:.0f}"
    for name in treebanks:
        figures = [f"{record.metrics[f'test/{name}/{kind}f1']:.2f}" for kind in ("", "right/", "balanced/")]
        tested = f"{record.data['splits'][f'{name}/test']['used']:,}"
        trained = f"{' and '.join(treebanks)}, {sentences:,} sentences"
        yield [trained, name, tested, *figures, minutes, f"`{record.id}`"]

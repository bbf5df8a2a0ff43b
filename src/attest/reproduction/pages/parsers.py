"""The page of parsers as markdown: how well they find phrases, from records."""

from collections.abc import Iterable, Iterator

from attest.reproduction.pages.markdown_parts import table_row
from attest.runs.records import Record

NAME = "parsers"
INTRODUCTION = """\
How well parsers find the phrases of sentences that they were not trained on.

- Figures are unlabelled F1 in percent against the trees of the treebank. Spans of one word and the span of the whole
  sentence are not counted.
- "Right-branching" and "Balanced" are trees that depend on nothing but the length of a sentence.
- Test sentences that occur in a training set, or in another treebank, are left out.
- "Hard test pairs": the published ones of SNLI, the only sentences of it that had trees here."""
HEAD = ["Trained on", "Tested on", "Sentences", "Learned", "Right-branching", "Balanced", "Minutes", "Record"]


def render_parsers_page(records: Iterable[Record]) -> str:
    """Return the page of the finished parsers, a line for each treebank or data set that they were tested on."""
    done = sorted((record for record in records if record.status == "done"), key=lambda record: record.id)
    shown = [record for record in done if record.kind == "parser"]
    tests = [record for record in done if record.kind == "parser_test"]
    lines = ["# Parsers", "", INTRODUCTION, ""]
    if not shown:
        return "\n".join([*lines, "Nothing is tracked yet: run `attest parser train scale=paper`, then "
                          "`attest publish parsers`.", ""])  # fmt: skip
    lines += [table_row(HEAD), table_row(["---", "---", *["---:"] * (len(HEAD) - 3), "---"])]
    lines += [table_row(row) for record in shown for row in treebank_rows(record)]
    lines += [table_row(test_row(record, shown)) for record in tests]
    return "\n".join([*lines, "", "Made by `attest collate` from the records.", ""])


def test_row(record: Record, parsers: Iterable[Record]) -> list[str]:
    """Return the cells of a test on the trees of another data set."""
    trained = next((trained_on(parser) for parser in parsers if parser.id in record.parents), record.settings["parser"])
    figures = [f"{figure:.2f}" for figure in f1_figures(record, "test")]
    return [trained, tested_on(record), f"{record.data['splits']['test']['used']:,}", *figures, "", f"`{record.id}`"]


def f1_figures(record: Record, trees: str) -> list[float]:
    """Return the F1 of the parser, of right-branching and of balanced trees, on trees such as test/sst."""
    return [record.metrics[f"{trees}/{kind}f1"] for kind in ("", "right/", "balanced/")]


def tested_on(record: Record) -> str:
    """Return the name of the data set of a test, with `hard test pairs` if the trees are theirs."""
    return record.settings["dataset.name"] + ", hard test pairs" * (record.settings["split"] == "hard")


def trained_on(record: Record) -> str:
    """Return the treebanks of a parser, and their number of training sentences."""
    treebanks = record.settings["treebanks"]
    sentences = sum(record.data["splits"][f"{name}/train"]["used"] for name in treebanks)
    return f"{' and '.join(treebanks)}, {sentences:,} sentences"


def treebank_rows(record: Record) -> Iterator[list[str]]:
    """Yield the cells of each treebank that the parser of a record was tested on."""
    treebanks = record.settings["treebanks"]
    minutes = "" if record.cost is None else f"{record.cost.wall_seconds / 60:.0f}"
    for name in treebanks:
        figures = [f"{figure:.2f}" for figure in f1_figures(record, f"test/{name}")]
        tested = f"{record.data['splits'][f'{name}/test']['used']:,}"
        yield [trained_on(record), name, tested, *figures, minutes, f"`{record.id}`"]

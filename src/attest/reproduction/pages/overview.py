"""What there is, how much of it has run and what came of it: the front page of the results."""

from collections import Counter
from collections.abc import Iterable, Iterator

from attest.reproduction.pages.numbers import join
from attest.reproduction.tables.build import Table
from attest.reproduction.tables.comparisons import comparison_results

INTRODUCTION = """\
# Results

Everything here is made from the records of runs in `records/`; nobody types a figure. Run: how many experiments have at
least one run, of those that the table asks for. Against the paper: within, our mean is the paper's figure up to the
margin that the table declares; above and below, it is not, beyond chance; undecided is everything else. Claims: rows
against rows, paired by replicate; above and below are differences beyond chance. A table's page tells in what each run
deviates from the paper's."""


def markdown(tables: Iterable[Table], pages: Iterable[str]) -> str:
    """`pages` are the files of whatever is no table."""
    head = ["Table", "Run", "Against the paper", "Claims", "To run it"]
    rows = [join([*cells(table), f"`make {table.spec.name} SCALE=paper`"]) for table in tables]
    other_pages = f"Beside tables: {', '.join(f'[{page}]({page})' for page in pages)}."
    return "\n".join([INTRODUCTION, "", join(head), join(["---"] * len(head)), *rows, "", other_pages, "",
                      "Made by `attest collate` from the records.", ""])  # fmt: skip


def cells(table: Table) -> Iterator[str]:
    yield f"[{table.spec.title}]({table.spec.name}.md)"
    statuses = Counter(result.status for line in table.lines for result in line.panels)
    kinds = {status: n for status, n in statuses.items() if status not in ("done", "not run")}
    total = f"{statuses['done']} of {statuses.total()}" if statuses else "nothing to run"
    yield ", ".join([total, *(f"{n} {status}" for status, n in kinds.items())])
    found = [line.finding(name, column) for line in table.lines for name, column in table.columns.items()]
    yield counted(finding for finding in found if finding is not None)
    yield counted(each.verdict.partition(" (")[0] for each in comparison_results(table) if each.differences is not None)


def counted(findings: Iterable[str]) -> str:
    """3 within, 1 below."""
    numbers = Counter(findings)
    return ", ".join(f"{numbers[each]} {each}" for each in ("within", "above", "below", "undecided") if numbers[each])

"""The front page of the results: every table, how much of it has run, and what came of it."""

from collections import Counter
from collections.abc import Iterable, Iterator

from attest.reproduction.pages.numbers import table_row
from attest.reproduction.tables.build import Table
from attest.reproduction.tables.comparisons import comparison_results

INTRODUCTION = """\
# Results

Every table that we reproduce, how much of it has run, and how our figures compare with the paper's.

- "Run" counts the experiments that have at least one finished run, of all that the table asks for.
- "Against the paper" counts figures. "within": our mean differs from the paper's figure by the table's margin at most.
- "above", "below": our mean differs by more than chance explains. "undecided": neither, or a single run.
- "Claims" counts comparisons of one row with another, paired by seed or fold; "above" and "below" are beyond chance.
- The page of a table lists in what its runs deviate from the paper.
- No figure is typed by hand: all are computed from the records of runs in `records/`."""


def render_overview(tables: Iterable[Table], pages: Iterable[str]) -> str:
    """Return the front page of the results; `pages` are the files, below the results folder, that are not tables."""
    head = ["Table", "Run", "Against the paper", "Claims", "To run it"]
    rows = [table_row([*row_cells(table), f"`make {table.spec.name} SCALE=paper`"]) for table in tables]
    links = [f"- [{page}]({page})" for page in pages]
    return "\n".join([INTRODUCTION, "", table_row(head), table_row(["---"] * len(head)), *rows, "",
                      "## Figures and other pages", "", *links, "",
                      "Made by `attest collate` from the records.", ""])  # fmt: skip


def row_cells(table: Table) -> Iterator[str]:
    """Yield the cells of a table's row: its link, experiments run, findings, and verdicts of comparisons."""
    yield f"[{table.spec.title}]({table.spec.name}.md)"
    statuses = Counter(result.status for line in table.lines for result in line.panels)
    problems = {status: n for status, n in statuses.items() if status not in ("done", "not run")}
    total = f"{statuses['done']} of {statuses.total()}" if statuses else "nothing to run"
    yield ", ".join([total, *(f"{n} {status}" for status, n in problems.items())])
    findings = [line.finding(name, column) for line in table.lines for name, column in table.columns.items()]
    yield format_counts(finding for finding in findings if finding is not None)
    comparisons = [comparison for comparison in comparison_results(table) if comparison.differences is not None]
    yield format_counts(comparison.verdict.partition(" (")[0] for comparison in comparisons)


def format_counts(findings: Iterable[str]) -> str:
    """Return how often each finding occurs, as in 3 within, 1 below."""
    counts = Counter(findings)
    names = ("within", "above", "below", "undecided")
    return ", ".join(f"{counts[name]} {name}" for name in names if counts[name])

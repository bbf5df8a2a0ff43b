"""The sentence at the top of a table's page that says what came of it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from attest.reproduction.pages.numbers import format_difference
from attest.reproduction.tables.budget import REDUCED, marked
from attest.reproduction.tables.comparisons import ComparisonResult, comparison_results
from attest.reproduction.tables.table import Table

WORDS = ("within", "above", "below", "undecided")


def findings_of(table: Table) -> list[str]:
    """Return the finding of every figure of a table that has one."""
    findings = [line.finding(name, column) for line in table.lines for name, column in table.columns.items()]
    return [finding for finding in findings if finding is not None]


def claims_of(table: Table) -> list[str]:
    """Return the finding of every comparison of a table that has one."""
    return [comparison.finding for comparison in comparison_results(table) if comparison.finding is not None]


def summary(table: Table) -> str:
    """Return one to three short sentences: how many figures agree with the paper's, and which rows differ."""
    statuses = Counter(result.status for line in table.lines for result in line.panels)
    if not statuses["done"]:
        return "No experiment of this table has run yet."
    figures, claims = findings_of(table) if table.shows_paper else [], claims_of(table)
    if not figures and not claims:
        return f"{statuses['done']} of {statuses.total()} experiments have run; none of their figures is compared."
    texts = [f"Our figures against the paper's: {count_findings(map(word_of, figures), ', ')}."] if figures else []
    texts += [f"Rows against each other: {claims_text(table, claims)}."] if claims else []
    return " ".join([*texts, *budget_text([*figures, *claims])])


def budget_text(findings: Sequence[str]) -> list[str]:
    """Return a sentence on how many of the findings are at reduced budget, in a list; an empty list if none are."""
    reduced = sum(REDUCED in finding for finding in findings)
    if reduced == len(findings):
        return [f"All findings are {REDUCED}."]
    return [f"Findings {REDUCED}: {reduced} of {len(findings)}."] if reduced else []


def claims_text(table: Table, claims: Sequence[str]) -> str:
    """Return which of the compared rows differ beyond chance, and how many comparisons are undecided."""
    sizes_of: dict[str, list[str]] = {}
    for comparison in comparison_results(table):
        word = "undecided" if comparison.finding is None else word_of(comparison.finding)
        if word != "undecided":
            rows = f"{comparison.first.row.title} {word} {comparison.second.row.title}"
            sizes_of.setdefault(rows, []).append(difference_text(table, comparison))
    decided = [f"{rows} ({' and '.join(sizes)})" for rows, sizes in sizes_of.items()]
    undecided = len(claims) - sum(map(len, sizes_of.values()))
    counted = f"{undecided} of {len(claims)} comparisons undecided" if len(claims) > 1 else "undecided"
    return "; ".join([*decided, *([counted] if undecided else [])])


def difference_text(table: Table, comparison: ComparisonResult) -> str:
    """Return the mean difference of two rows, with the title of the column if there are several: -0.010 SICK-TS."""
    assert comparison.differences is not None
    size = format_difference(comparison.differences.mean, comparison.column)
    return size if len(table.columns) == 1 else f"{size} {table.titled(comparison.column)}"


def count_findings(findings: Iterable[str], separator: str = "; ") -> str:
    """Return a text on how often each finding occurs, such as "3 within; 1 below, at reduced budget"."""
    counts = Counter(findings)
    names = [marked(word, reduced) for reduced in (False, True) for word in WORDS]
    return separator.join(f"{counts[name]} {name}" for name in names if counts[name])


def word_of(finding: str) -> str:
    """Return a finding without the mark of a reduced budget."""
    return finding.partition(",")[0]

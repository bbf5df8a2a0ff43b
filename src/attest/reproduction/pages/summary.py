"""The sentence at the top of a table's page that says what came of it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from attest.reproduction.pages.numbers import format_as_printed, format_difference, format_printed_value, unit_factor
from attest.reproduction.specs.metric_names import DATA, DIVIDED, SIZE
from attest.reproduction.tables.budget import REDUCED, marked
from attest.reproduction.tables.comparison_result import AS_CLAIMED, CONTRADICTED, ComparisonResult
from attest.reproduction.tables.comparisons import comparison_results
from attest.reproduction.tables.table import Table

WORDS = ("within", "above", "below", "undecided")
OUTCOMES = (AS_CLAIMED, CONTRADICTED, "undecided")
COUNTED = {
    DATA: "examples",
    DIVIDED: "phrases and words",
    "parameters": "parameters",
    f"{SIZE}width": "features",
    SIZE: "parameters",
}
"""The beginning of a metric's name -> what it counts. Memory, which depends on the machine, is no count."""


def claims_of(table: Table) -> list[str]:
    """Return what came of every claim of the paper about two rows that has been tested."""
    return [comparison.outcome for comparison in comparison_results(table) if comparison.outcome is not None]


def answers_of(table: Table) -> list[str]:
    """Return the finding of every comparison that answers a question of ours."""
    results = [comparison for comparison in comparison_results(table) if comparison.claim is None]
    return [comparison.finding for comparison in results if comparison.finding is not None]


def summary(table: Table) -> str:
    """Return one to three short sentences: how many figures agree with the paper's, and which rows differ."""
    statuses = Counter(result.status for line in table.lines for result in line.results)
    if not statuses["done"]:
        return "No experiment of this table has run yet."
    figures, compared = table.findings if table.shows_paper else [], [*claims_of(table), *answers_of(table)]
    counts = counts_text(table) if table.shows_paper else []
    if not figures and not compared and not counts:
        return f"{statuses['done']} of {statuses.total()} experiments have run; none of their figures is compared."
    texts = [f"Our figures against the paper's: {count_findings(map(word_of, figures))}."] * bool(figures)
    tested = [comparison for comparison in comparison_results(table) if comparison.finding is not None]
    claims = [comparison for comparison in tested if comparison.claim is not None]
    questions = [comparison for comparison in tested if comparison.claim is None]
    texts += [f"Claims of the paper: {claims_text(table, claims)}."] * bool(claims)
    texts += [f"Questions of ours: {differing_rows(table, questions)}."] * bool(questions)
    return " ".join([*texts, *counts, *budget_text([*figures, *compared])])


def counts_text(table: Table) -> list[str]:
    """Return a sentence on how many counts are the paper's, as precisely as it prints them, in a list; an empty list if
    none can be compared."""
    equal_of: dict[str, list[bool]] = {}
    for line in table.lines:
        for name, column in table.columns.items():
            ours, printed = line.ours(column), line.row.paper.get(name)
            counted = next((text for prefix, text in COUNTED.items() if column.metric.startswith(prefix)), None)
            if counted and ours is not None and printed is not None and printed.value is not None:
                equal = format_as_printed(ours.mean * unit_factor(column), printed) == format_printed_value(printed)
                equal_of.setdefault(counted, []).append(equal)
    numbers = [f"{sum(equal)} of {len(equal)} numbers of {counted}" for counted, equal in equal_of.items()]
    return [f"{' and '.join(numbers)} are those that the paper prints."] if numbers else []


def budget_text(findings: Sequence[str]) -> list[str]:
    """Return a sentence on how many of the findings are at reduced budget, in a list; an empty list if none are."""
    if not findings:
        return []
    reduced = sum(REDUCED in finding for finding in findings)
    if reduced == len(findings):
        return [f"All findings are {REDUCED}."]
    return [f"Findings {REDUCED}: {reduced} of {len(findings)}."] if reduced else []


def claims_text(table: Table, claims: Sequence[ComparisonResult]) -> str:
    """Return how many claims of the paper hold or are contradicted, with their rows, and how many are undecided."""
    parts = []
    for outcome in OUTCOMES:
        found = [claim for claim in claims if claim.outcome is not None and word_of(claim.outcome) == outcome]
        rows = "" if outcome == "undecided" else f" ({differing_rows(table, found)})"
        parts += [f"{len(found)} of {len(claims)} {outcome}{rows}"] if found else []
    return "; ".join(parts)


def differing_rows(table: Table, comparisons: Sequence[ComparisonResult]) -> str:
    """Return which of the compared rows differ beyond chance, by how much, and how many comparisons are undecided."""
    sizes_of: dict[str, list[str]] = {}
    for comparison in comparisons:
        word = "undecided" if comparison.finding is None else word_of(comparison.finding)
        if word != "undecided":
            rows = f"{comparison.first.row.title} {word} {comparison.second.row.title}"
            sizes_of.setdefault(rows, []).append(difference_text(table, comparison))
    decided = [f"{rows} by {' and '.join(sizes)}" for rows, sizes in sizes_of.items()]
    undecided = len(comparisons) - sum(map(len, sizes_of.values()))
    counted = f"{undecided} of {len(comparisons)} undecided" if len(comparisons) > 1 else "undecided"
    return "; ".join([*decided, *([counted] if undecided else [])])


def difference_text(table: Table, comparison: ComparisonResult) -> str:
    """Return the size of the mean difference of two rows, with the title of the column if there are several: 0.010 on
    SICK-TS."""
    assert comparison.differences is not None
    size = format_difference(abs(comparison.differences.mean), comparison.column).removeprefix("+")
    return size if len(table.columns) == 1 else f"{size} on {table.titled(comparison.column)}"


def count_findings(findings: Iterable[str], words: Sequence[str] = WORDS) -> str:
    """Return a text on how often each finding occurs, such as "3 within; at reduced budget: 1 above, 2 below"."""
    counts = Counter(findings)
    full, reduced = (
        ", ".join(f"{counts[name]} {word}" for word in words if counts[name := marked(word, less)])
        for less in (False, True)
    )
    return "; ".join(filter(None, [full, f"{REDUCED}: {reduced}" if reduced else ""]))


def word_of(finding: str) -> str:
    """Return a finding without the mark of a reduced budget."""
    return finding.partition(",")[0]

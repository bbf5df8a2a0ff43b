"""The sentence at the top of a table's page that says what came of it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from attest.reproduction.pages.numbers import format_difference, unit_factor
from attest.reproduction.specs.metric_names import DATA
from attest.reproduction.tables.budget import REDUCED, marked
from attest.reproduction.tables.comparisons import AS_CLAIMED, CONTRADICTED, ComparisonResult, comparison_results
from attest.reproduction.tables.table import Table

WORDS = ("within", "above", "below", "undecided")
OUTCOMES = (AS_CLAIMED, CONTRADICTED, "undecided")


def findings_of(table: Table) -> list[str]:
    """Return the finding of every figure of a table that has one."""
    findings = [line.finding(name, column) for line in table.lines for name, column in table.columns.items()]
    return [finding for finding in findings if finding is not None]


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
    figures, compared = findings_of(table) if table.shows_paper else [], [*claims_of(table), *answers_of(table)]
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
    """Return a sentence on how many numbers of examples and of parameters are the paper's, as precisely as it prints
    them, in a list; an empty list if none can be compared."""
    pairs = [
        (round(ours.mean * unit_factor(column), decimals_of(printed.value)), printed.value)
        for line in table.lines
        for name, column in table.columns.items()
        if column.metric.startswith(("parameters", DATA)) and (ours := line.ours(column)) is not None
        if (printed := line.row.paper.get(name)) is not None and printed.value is not None
    ]
    equal = sum(ours == printed for ours, printed in pairs)
    what = "numbers of examples or parameters"
    return [f"{equal} of {len(pairs)} {what} are those that the paper prints."] if pairs else []


def decimals_of(printed: float) -> int:
    """Return the number of decimals of a printed figure, without zeros at its end."""
    return len(f"{printed:.10f}".rstrip("0").partition(".")[2])


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

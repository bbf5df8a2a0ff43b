"""The opening lines of a table's page: its results in short."""

from collections import Counter
from collections.abc import Iterable, Sequence

from attest.reproduction.pages.markdown_parts import bullets
from attest.reproduction.pages.numbers import format_as_printed, format_difference, format_printed_value, unit_factor
from attest.reproduction.specs.metric_names import DATA, PHRASES_PREFIX, SIZE
from attest.reproduction.tables.comparison_result import ON_THESE_ITEMS, ComparisonResult
from attest.reproduction.tables.comparisons import comparison_results
from attest.reproduction.tables.finding import AS_CLAIMED, CONTRADICTED, REDUCED, Finding, FindingWord
from attest.reproduction.tables.table import Table

WORDS: Sequence[FindingWord] = ("within", "above", "below", "undecided")
OUTCOMES: Sequence[FindingWord] = (AS_CLAIMED, CONTRADICTED, "undecided")
MAX_INLINE_PAIRS = 2
"""The largest number of pairs of rows that the sentences name; more become bullets below them."""
COUNTED = {
    DATA: "examples",
    PHRASES_PREFIX: "phrases and words",
    "parameters": "parameters",
    f"{SIZE}width": "features",
    SIZE: "parameters",
}
"""The beginning of a metric's name -> what it counts. Memory, which depends on the machine, is no count."""


def claim_outcomes(table: Table) -> list[Finding]:
    """Return the outcome of every claim of the paper that was tested."""
    return [comparison.outcome for comparison in comparison_results(table) if comparison.outcome is not None]


def question_findings(table: Table) -> list[Finding]:
    """Return the finding of every comparison that answers a question of ours."""
    results = [comparison for comparison in comparison_results(table) if comparison.claim is None]
    return [comparison.finding for comparison in results if comparison.finding is not None]


def summary(table: Table) -> list[str]:
    """Return one to three short sentences as a line: how many figures agree with the paper's, and which rows differ.

    If more than MOST_INLINE pairs of rows differ, they follow as bullets.
    """
    statuses = Counter(result.status for row in table.rows for result in row.results)
    if not statuses["done"]:
        return ["No row of this table has run yet."]
    figures, compared = table.findings if table.shows_paper else [], [*claim_outcomes(table), *question_findings(table)]
    counts = counts_text(table) if table.shows_paper else []
    if not figures and not compared and not counts:
        cells = f"{statuses['done']} of {statuses.total()} cells, each a row on one data set, have run"
        return [f"{cells}; none of their figures is compared."]
    tested = [comparison for comparison in comparison_results(table) if comparison.finding is not None]
    claims = [comparison for comparison in tested if comparison.claim is not None]
    questions = [comparison for comparison in tested if comparison.claim is None]
    listed = [*claim_bullets(table, claims), *(f"Our question: {text}." for text in differing_rows(table, questions))]
    inline = len(listed) <= MAX_INLINE_PAIRS
    texts = [f"Our figures against the paper's: {count_words(figures)}."] * bool(figures)
    texts += [f"Claims of the paper: {claims_text(table, claims, inline=inline)}."] * bool(claims)
    texts += [f"Questions of ours: {questions_text(table, questions, inline=inline)}."] * bool(questions)
    sentences = " ".join([*texts, *counts, *budget_text([*figures, *compared])])
    return [sentences, *([] if inline else ["", *bullets(listed)])]


def counts_text(table: Table) -> list[str]:
    """Return a sentence on how many counts are the paper's, as precisely as it prints them, in a list; an empty list if
    none can be compared."""
    equal_of: dict[str, list[bool]] = {}
    for row in table.rows:
        for name, column in table.columns.items():
            ours, printed = row.our_value(column), row.spec.paper.get(name)
            kind = next((text for prefix, text in COUNTED.items() if column.metric.startswith(prefix)), None)
            if kind and ours is not None and printed is not None and printed.value is not None:
                equal = format_as_printed(ours.mean * unit_factor(column), printed) == format_printed_value(printed)
                equal_of.setdefault(kind, []).append(equal)
    numbers = [f"{sum(equal)} of {len(equal)} numbers of {kind}" for kind, equal in equal_of.items()]
    return [f"{' and '.join(numbers)} are those that the paper prints."] if numbers else []


def budget_text(findings: Sequence[Finding]) -> list[str]:
    """Return a sentence on how many of the findings are at reduced budget, in a list; an empty list if none are."""
    if not findings:
        return []
    reduced = sum(finding.reduced for finding in findings)
    if reduced == len(findings):
        return [f"All findings are {REDUCED}."]
    return [f"Findings {REDUCED}: {reduced} of {len(findings)}."] if reduced else []


def claims_text(table: Table, claims: Sequence[ComparisonResult], *, inline: bool) -> str:
    """Return how many claims of the paper hold, are contradicted and are undecided; `inline`, also of which rows."""
    parts = []
    for outcome in OUTCOMES:
        found = claims_with(claims, outcome)
        named = inline and outcome != "undecided"
        rows = f" ({'; '.join(differing_rows(table, found))})" if named else ""
        parts += [f"{len(found)} of {len(claims)} {outcome}{rows}"] if found else []
    return "; ".join(parts)


def claim_bullets(table: Table, claims: Sequence[ComparisonResult]) -> list[str]:
    """Return the text of a bullet for each pair of rows of which a claim of the paper holds or is contradicted."""
    return [
        f"{outcome.capitalize()}: {text}."
        for outcome in (AS_CLAIMED, CONTRADICTED)
        for text in differing_rows(table, claims_with(claims, outcome))
    ]


def claims_with(claims: Iterable[ComparisonResult], outcome: FindingWord) -> list[ComparisonResult]:
    """Return the claims that have this outcome."""
    return [claim for claim in claims if claim.outcome is not None and claim.outcome.word == outcome]


def questions_text(table: Table, questions: Sequence[ComparisonResult], *, inline: bool) -> str:
    """Return how many comparisons of ours are undecided, and `inline` which rows differ, else how many do."""
    findings = [question.finding for question in questions if question.finding is not None]
    if not inline:
        return count_words(findings)
    undecided = sum(finding.word == "undecided" for finding in findings)
    undecided_text = f"{undecided} of {len(findings)} undecided" if len(findings) > 1 else "undecided"
    return "; ".join([*differing_rows(table, questions), *([undecided_text] if undecided else [])])


def differing_rows(table: Table, comparisons: Iterable[ComparisonResult]) -> list[str]:
    """Return a text for each pair of rows that differ beyond chance: which is ahead, and by how much in each column."""
    sizes_of: dict[str, list[str]] = {}
    for comparison in comparisons:
        if comparison.finding is not None and comparison.finding.word != "undecided":
            rows, size = difference_texts(table, comparison)
            sizes_of.setdefault(rows, []).append(size + f" ({ON_THESE_ITEMS})" * comparison.on_these_items)
    return [f"{rows} by {' and '.join(sizes)}" for rows, sizes in sizes_of.items()]


def difference_texts(table: Table, comparison: ComparisonResult) -> tuple[str, str]:
    """Return how two rows differ, and the size of their mean difference, with the title of the column if there are
    several: A above B, 0.010 on SICK-TS."""
    assert comparison.finding is not None
    assert comparison.differences is not None
    first, second, word = comparison.first.spec.title, comparison.second.spec.title, comparison.finding.word
    size = format_difference(abs(comparison.differences.mean), comparison.column).removeprefix("+")
    column = table.column_title(comparison.column)
    if comparison.second_column is not None:
        more = {"above": "larger", "below": "smaller"}[word]
        return (
            f"lead of {first} over {second} {more} on {column} than on {table.column_title(comparison.second_column)}",
            size,
        )
    return f"{first} {word} {second}", size if len(table.columns) == 1 else f"{size} on {column}"


def count_words(findings: Iterable[Finding], words: Sequence[FindingWord] = WORDS) -> str:
    """Return a text on how often each word occurs, such as "3 within, 1 above"; reduced budgets are not told apart."""
    counts = Counter(finding.word for finding in findings)
    return ", ".join(f"{counts[word]} {word}" for word in words if counts[word])


def count_findings(findings: Sequence[Finding], words: Sequence[FindingWord] = WORDS) -> str:
    """Return a text on how often each finding occurs, such as "3 within; at reduced budget: 1 above, 2 below"."""
    full, reduced = (
        count_words([finding for finding in findings if finding.reduced == less], words) for less in (False, True)
    )
    return "; ".join(filter(None, [full, f"{REDUCED}: {reduced}" if reduced else ""]))

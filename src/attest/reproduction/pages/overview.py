"""The front page of the results: every table, how much of it has run, and its findings."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

from attest.reproduction.pages.markdown_parts import table_row
from attest.reproduction.pages.summary import OUTCOMES, WORDS, claim_outcomes, count_findings, question_findings
from attest.reproduction.tables.finding import Finding
from attest.reproduction.tables.table import Table

INTRODUCTION = """\
# Results

Every table that we reproduce, how much of it has run, and how our figures compare with the paper's.

- "Run" counts the cells that have at least one finished run, of all cells of the table. A cell is a row on one data set
  or, where columns name settings, in one column.
- "Against the paper" counts each figure of ours beside a printed one, so that a printed figure beside two rows of ours
  counts twice. "within": the 95% interval of our mean lies inside the table's margin around the paper's figure.
  "above", "below": our mean is on that side of the paper's figure by more than the margin and by more than chance
  explains. "undecided": neither.
- "Paper's claims" counts what the paper says of one row against another, tested on pairs of runs of one seed or fold.
  "as claimed", "against the claim": the rows differ in the direction that the paper says, or in the other, beyond what
  the chance of seeds explains on these test items, also when all claims of the table are taken together; by how much
  does not count. "undecided": neither, which is no evidence against a claim.
- "Our questions" counts comparisons of one of our rows with another that the paper does not make. "above", "below": the
  first row is on that side of the second, beyond chance. "undecided": neither.
- "at reduced budget": the runs had less data, fewer steps or fewer word vectors than the paper's.
- "data unavailable": the data set is no longer distributed.
- Tables without a number are ours: "choices" measures what a text leaves open, "recipe" trains all rows with one
  set of hyper-parameters of our own, and the others answer the question in their title.
- The last row adds up all tables. A figure that several tables show counts in each of them. Nothing is corrected across
  tables: of 20 tables whose rows are all equal, about one would have a decided claim, and about one a decided question.
- The page of a table lists how its runs deviate from the paper. Many runs had only parts of the official files:
  [docs/findings.md](../docs/findings.md#parts-of-official-files) lists them.
- The figures of tables, findings and deviations are computed from the records of runs in `records/`. Notes were written
  by hand, from the same records."""


def render_overview(tables: Iterable[Table], pages: Iterable[str]) -> str:
    """Return the front page of the results; `pages` are the files, below the results folder, that are not tables."""
    head = ["Table", "Run", "Against the paper", "Paper's claims", "Our questions", "To run it"]
    words = (WORDS, OUTCOMES, WORDS)
    results = [(table, (table.findings, claim_outcomes(table), question_findings(table))) for table in tables]
    rows = [
        table_row([link(table), count_run_cells(table), *map(count_findings, found, words),
                   f"`make {table.spec.name} SCALE=paper`"])
        for table, found in results
    ]  # fmt: skip
    rows.append(
        table_row(["All tables", "", *map(count_findings, join_columns(found for _, found in results), words), ""])
    )
    links = [f"- [{page}]({page})" for page in pages]
    return "\n".join([INTRODUCTION, "", table_row(head), table_row(["---"] * len(head)), *rows, "",
                      "## Figures and other pages", "", *links, "",
                      "Made by `attest collate` from the records.", ""])  # fmt: skip


def render_findings(tables: Iterable[Table]) -> str:
    """Return the findings and claims of all tables of each paper, counted, as a short table for the README."""
    results = [(table.spec.name.partition("/")[0], (table.findings, claim_outcomes(table))) for table in tables]
    papers = sorted({paper for paper, _ in results})
    rows = []
    for name, these in (*((f"`{paper}`", [paper]) for paper in papers), ("all papers", papers)):
        counts = join_columns(found for paper, found in results if paper in these)
        rows.append(table_row([name, *map(count_findings, counts, (WORDS, OUTCOMES))]))
    head = ["Tables of", "Our figures against the paper's", "The paper's claims"]
    return "\n".join([table_row(head), table_row(["---"] * len(head)), *rows, ""])


def join_columns(counts: Iterable[Sequence[Sequence[Finding]]]) -> list[list[Finding]]:
    """Return the findings of several tables, each in a column of its own, as one list a column."""
    return [list(chain.from_iterable(column)) for column in zip(*counts, strict=True)]


def link(table: Table) -> str:
    """Return the link to the page of a table."""
    return f"[{table.spec.title}]({table.spec.name}.md)"


def count_run_cells(table: Table) -> str:
    """Return a text on how many cells of a table have a finished run, such as "3 of 5, 1 failed"."""
    statuses = Counter(result.status for row in table.rows for result in row.results)
    problems = {status: n for status, n in statuses.items() if status not in ("done", "not run")}
    total = f"{statuses['done']} of {statuses.total()}" if statuses else "nothing to run"
    return ", ".join([total, *(f"{n} {status}" for status, n in problems.items())])

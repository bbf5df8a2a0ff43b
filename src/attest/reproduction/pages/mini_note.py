"""The note at the top of a page at scale=mini."""

from collections.abc import Iterator, Sequence

from attest.reproduction.pages.built_in_corpora import is_shipped, reads_built_in_corpus
from attest.reproduction.specs.table import TableSpec
from attest.reproduction.tables.table import Table

OF_PAPER = (
    "This page shows that the pipeline works and says nothing about the paper, whose figures are therefore left out."
)
OWN = "Models of full size are at scale=paper."


def has_printed_figures(spec: TableSpec) -> bool:
    """Return whether any row of a table has a figure of the paper."""
    return any(row.paper for row in spec.rows.values())


def table_mini_note(table: Table) -> str:
    """Return what the page of a table at scale=mini says about itself."""
    return mini_note(list(built_in_of(table)), of_paper=has_printed_figures(table.spec))


def built_in_of(table: Table) -> Iterator[bool]:
    """Yield for each run of a table, or for each experiment that has not run, whether its corpus is built in."""
    for row in table.rows:
        for result in row.results:
            if result.group is None:
                yield is_shipped(result.cell.settings.dataset.name)
            else:
                yield from map(reads_built_in_corpus, result.group.records)


def mini_note(built_in: Sequence[bool], *, of_paper: bool) -> str:
    """Return what a page at scale=mini says about itself.

    `built_in` says of each run whether its corpus is built in, and `of_paper` whether the page is about a paper.
    """
    some = ", some of them on the built-in corpora" if any(built_in) else ""
    where = " on the built-in corpora" if all(built_in) else some
    return f"**Scale mini**: narrow models{where}. {OF_PAPER if of_paper else OWN}"

"""Runs on the built-in corpora, and what the pages at scale=mini say about themselves."""

from collections.abc import Iterator, Sequence

from attest.config.paths import shipped_folder
from attest.reproduction.specs.table import Spec
from attest.reproduction.tables.table import Table
from attest.runs.records import Record

OF_PAPER = (
    "This page shows that the pipeline works and says nothing about the paper, whose figures are therefore left out."
)
OWN = "Models of full size are at scale=paper."


def scale_of(record: Record) -> str | None:
    """Return the scale of a record, which an evaluation on SentEval's tasks has among the facts about its data; None if
    the record names none."""
    return record.settings.get("scale", record.data.get("scale"))


def reads_built_in_corpus(record: Record) -> bool:
    """Return whether a run was on a built-in corpus: on a data set that ships with Attest, at scale=mini.

    The data are the official ones instead if all splits have the official number of examples.
    """
    expected, evaluates_transfer = record.data.get("expected", {}).get("splits", {}), record.kind == "transfer"
    shipped = evaluates_transfer or is_shipped(str(record.settings.get("dataset.name", "")))
    if scale_of(record) != "mini" or not shipped:
        return False
    count_name = "used" if evaluates_transfer else "labelled"
    counts = {split: facts.get(count_name) for split, facts in record.data.get("splits", {}).items()}
    return not counts or any(count != expected.get(split) for split, count in counts.items())


def is_shipped(dataset: str) -> bool:
    """Return whether a data set, given by its name, ships with Attest."""
    return (shipped_folder("conf") / "dataset" / f"{dataset}.yaml").is_file()


def built_in_name(dataset: str) -> str:
    """Return what pages call the built-in corpus of a data set, which is not that data set."""
    return f"built-in corpus in the form of {dataset}"


def built_in_tasks(tasks: Sequence[str]) -> str:
    """Return what pages call the built-in corpora of tasks of SentEval."""
    return f"built-in corpora in the form of {', '.join(tasks)}"


def built_in_data(record: Record) -> str:
    """Return what pages call the built-in corpora of a run."""
    if record.kind == "transfer":
        return built_in_tasks(record.settings["tasks"])
    return built_in_name(record.settings["dataset.name"])


def has_printed_figures(spec: Spec) -> bool:
    """Return whether any row of a table has a figure of the paper."""
    return any(row.paper for row in spec.rows.values())


def table_mini_note(table: Table) -> str:
    """Return what the page of a table at scale=mini says about itself."""
    return mini_note(list(built_in_of(table)), of_paper=has_printed_figures(table.spec))


def built_in_of(table: Table) -> Iterator[bool]:
    """Yield for each run of a table, or for each experiment that has not run, whether its corpus is built in."""
    for line in table.lines:
        for result in line.results:
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

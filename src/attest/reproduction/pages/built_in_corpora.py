"""Runs on the built-in corpora: how they are told from runs on official data, and what pages call their data."""

from collections.abc import Sequence

from attest.config.paths import shipped_folder
from attest.runs.records import Record


def recorded_scale(record: Record) -> str | None:
    """Return the scale of a record, which an evaluation on SentEval's tasks has among the facts about its data; None if
    the record names none."""
    return record.settings.get("scale", record.data.get("scale"))


def reads_built_in_corpus(record: Record) -> bool:
    """Return whether a run was on a built-in corpus: on a data set that ships with Attest, at scale=mini.

    The data are the official ones instead if all splits have the official number of examples.
    """
    expected, evaluates_transfer = record.data.get("expected", {}).get("splits", {}), record.kind == "transfer"
    shipped = evaluates_transfer or is_shipped(str(record.settings.get("dataset.name", "")))
    if recorded_scale(record) != "mini" or not shipped:
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

"""Groups of the finished records of a cell: the replicates of one experiment, with their deviations from the paper."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from attest.config.overrides import format_value
from attest.reproduction.tables import budget, subsets
from attest.reproduction.tables.cells import Cell
from attest.reproduction.tables.data_deviations import data_deviations, has_less_data, training_value, vectors_deviation
from attest.reproduction.tables.matching import changed_settings, matching_records
from attest.runs.records import Record

NULL_TEXTS = {"protocol.evaluate_every": "every epoch"}
"""The dotted key of a setting -> the meaning of null."""
LIMITED = {
    "protocol.steps": "steps",
    "protocol.epochs": "epochs",
    "protocol.examples": "training examples",
    "text.token_limit": "words a sentence",
}
"""The dotted key of a limit, where null is no limit -> what it limits."""
TRAINING_ROOTS = ("optimizer", "protocol", "trainer", "vectors")
"""The roots of settings that change no count of examples, phrases or parameters."""


@dataclass(frozen=True)
class Group:
    """The records of one experiment on one state of the data: replicates that may be averaged."""

    records: tuple[Record, ...]
    """One record for each replicate, sorted by replicate."""
    deviations: tuple[str, ...]
    repeats: tuple[Record, ...] = ()
    """Further records of replicates in `records`. They enter no figure: one seed is no second replicate."""
    reduced: bool = False
    """True if the runs had less data, fewer steps or fewer word vectors than the paper's."""
    longer: bool = False
    """True if the runs trained longer than the table asks for, as runs of another table may."""

    def rank(self, wanted: int, tracked: Collection[str] = ()) -> tuple[bool, bool, int, float, int, int, str]:
        """Return a sort key: tracked groups first, then those that are no longer than the table asks for, then those
        with most of the `wanted` replicates, then those with most training data, fewest deviations and most steps.

        `tracked` are the ids of the tracked records. A quick run thus does not displace a finished experiment.
        """
        first = self.records[0]
        is_tracked = any(record.id in tracked for record in self.records)
        used = training_value(first.data["splits"], {}).get("labelled", 0)
        steps = max((point["step"] for point in first.curve), default=0)
        replicates = self.complete_replicates(wanted)
        return not is_tracked, self.longer, -replicates, -used, len(self.deviations), -steps, first.id

    def complete_replicates(self, wanted: int) -> int:
        """Return how many of the `wanted` replicates have run; more than these gain nothing."""
        return min(len(self.records), wanted)


def groups(cell: Cell, records: Iterable[Record]) -> list[Group]:
    """Return the groups of finished records that belong to a cell."""
    by_data_and_budget: dict[tuple[str, ...], list[Record]] = defaultdict(list)
    for record in matching_records(cell, records, "done"):
        by_data_and_budget[data_and_budget(cell, record)].append(record)
    return [group_of(cell, runs) for runs in by_data_and_budget.values()]


def data_and_budget(cell: Cell, record: Record) -> tuple[str, ...]:
    """Return the state of the data and the budget of a run, which are equal for runs that may be averaged."""
    budget = (f"{key}={record.settings.get(key)}" for key in sorted(changed_settings(cell, record)))
    return record.fingerprint, *budget


def group_of(cell: Cell, runs: Iterable[Record]) -> Group:
    """Return the group of one experiment's records.

    Of several records of a replicate, the first finished counts, and one of committed code before all others.
    """
    number = cell.panel.replicates.number
    ordered = sorted(runs, key=lambda run: (number(run.settings), run.uncommitted, run.finished, run.id))
    counted: dict[int, Record] = {}
    for record in ordered:
        counted.setdefault(number(record.settings), record)
    repeats = [record for record in ordered if counted[number(record.settings)] is not record]
    records = tuple(counted.values())
    deviations = (*run_deviations(records[0], cell), *subsets.subset_deviations(records, cell.panel.metrics))
    actual, wanted = cell.settings_of(records[0]), cell.shared_settings
    shorter, longer = budget.is_shorter(actual, wanted), budget.is_shorter(wanted, actual)
    in_paper = any(budget.is_below(actual.get(key), value) for key, value in cell.panel.paper_budget.items())
    reduced = shorter or in_paper or (cell.settings.scale == "paper" and has_less_data(records[0].data, wanted))
    return Group(records, deviations, tuple(repeats), reduced, longer and not shorter)


def same_data(group: Group, other: Group) -> bool:
    """Return whether two groups ran on the same data with the same deviations, so that they may be compared.

    Data with and without a parser's trees count as the same, since their words are the same. The words that have a
    vector in one file differ where rows read the text in different ways, which is then what is compared.
    """
    first, second = group.records[0], other.records[0]
    words = [record.data.get("fingerprint_of_words", record.fingerprint) for record in (first, second)]
    return words[0] == words[1] and deviations_but_vectors(group) == deviations_but_vectors(other)


def same_data_but_vectors(group: Group, other: Group) -> bool:
    """Return whether two groups ran on the same examples with the same deviations, except for their word vectors."""
    first, second = group.records[0], other.records[0]
    same_examples = first.data["splits"] == second.data["splits"]
    return same_examples and deviations_but_vectors(group) == deviations_but_vectors(other)


def deviations_but_vectors(group: Group) -> set[str]:
    """Return the deviations of a group except that of its word vectors."""
    return set(group.deviations) - {deviation.text for deviation in vectors_deviation(group.records[0].data)}


def run_deviations(record: Record, cell: Cell) -> tuple[str, ...]:
    """Return the deviations of a run from the paper, as texts: settings with other values, and missing data."""
    actual, wanted = cell.settings_of(record), cell.shared_settings
    texts = list(setting_deviations(record, cell).values())
    if cell.settings.scale == "paper":
        texts = [*data_deviations(record.data, wanted), *texts]
    texts += [
        f"{format_limit(record, actual, key)} instead of {value:,.10g} (the paper's experiment)"
        for key, value in cell.panel.paper_budget.items()
        if budget.is_below(actual.get(key), value)
    ]
    return tuple(texts)


def setting_deviations(record: Record, cell: Cell) -> dict[str, str]:
    """Return the settings in which a run deviates from its cell, as texts by the key of the setting."""
    actual, wanted = cell.settings_of(record), cell.shared_settings
    return {
        key: format_deviation(key, actual.get(key), value)
        for key, value in sorted(wanted.items())
        if actual.get(key) != value
    }


def training_deviations(record: Record, cell: Cell) -> set[str]:
    """Return those deviations of a run that change no count: of its training and of its word vectors."""
    settings = setting_deviations(record, cell)
    texts = {text for key, text in settings.items() if key.partition(".")[0] in TRAINING_ROOTS}
    return texts | {deviation.text for deviation in vectors_deviation(record.data)}


def format_deviation(key: str, actual: Any, wanted: Any) -> str:
    """Return the text of a setting that is not the wanted one: "protocol.steps 200 instead of 400,000", or, of a limit
    where the table has none, "at most 400 words a sentence (text.token_limit), where the table has no limit"."""
    if key in LIMITED and wanted is None:
        return f"at most {format_setting(key, actual)} {LIMITED[key]} ({key}), where the table has no limit"
    if key in LIMITED and actual is None:
        return f"no limit of {LIMITED[key]} ({key}) instead of {format_setting(key, wanted)}"
    return f"{key} {format_setting(key, actual)} instead of {format_setting(key, wanted)}"


def format_limit(record: Record, actual: Mapping[str, Any], key: str) -> str:
    """Return the text of a limit of training: "protocol.epochs 20", or "3.0 epochs (10,500 steps)" if the limit of
    steps ends the run before that of epochs."""
    steps = actual.get("protocol.steps")
    if key == "protocol.epochs" and steps is not None and record.curve:
        last = record.curve[-1]
        if (epochs := steps * last["epoch"] / last["step"]) < actual[key]:
            return f"{epochs:.1f} epochs ({steps:,} steps)"
    return f"{key} {actual[key]:,.10g}"


def format_setting(key: str, value: Any) -> str:
    """Return the text of a setting's value."""
    if value is None:
        return NULL_TEXTS.get(key, "null")
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else format_value(value)

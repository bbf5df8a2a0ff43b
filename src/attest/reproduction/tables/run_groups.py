"""Groups of the finished records of a cell: the replicates of one experiment, with their deviations from the paper."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from attest.reproduction.tables import subsets
from attest.reproduction.tables.allowed_deviations import is_below, is_shorter
from attest.reproduction.tables.cells import Cell
from attest.reproduction.tables.data_deviations import data_deviations, has_less_data, training_value, vectors_deviation
from attest.reproduction.tables.matching import changed_settings, matching_records
from attest.reproduction.tables.setting_deviations import experiment_deviations, setting_deviations
from attest.runs.records import Record


@dataclass(frozen=True)
class RunGroup:
    """The records of one experiment on one state of the data: replicates that may be averaged."""

    records: tuple[Record, ...]
    """One record for each replicate, sorted by replicate."""
    deviations: tuple[str, ...]
    comparable: frozenset[str] = frozenset()
    """The deviations that groups must share so that their figures may be compared."""
    repeats: tuple[Record, ...] = ()
    """Further records of replicates in `records`. They enter no figure: one seed is no second replicate."""
    reduced: bool = False
    """True if the runs had less data, fewer steps or fewer word vectors than the paper's."""
    longer: bool = False
    """True if the runs trained longer than the table asks for, as runs of another table may."""

    def rank(
        self, wanted: int, tracked: Collection[str] = (), rows_alike: int = 1, evaluated: int = 0
    ) -> tuple[bool, bool, int, float, int, int, int, int, str]:
        """Return a sort key: tracked groups first, then those that are no longer than the table asks for, then those
        with most of the `wanted` replicates, then those with most training data, those that most other rows have alike,
        and those with fewest deviations, most evaluated runs and most steps.

        `tracked` are the ids of the tracked records. A quick run thus does not displace a finished experiment.
        `rows_alike` is the number of rows with runs that may be compared with these: three longer runs of one row thus
        do not displace those that its comparisons need. `evaluated` is the number of runs with figures of transfer, if
        the table has columns for them: of groups that differ in steps alone, one without would leave these empty.
        """
        first = self.records[0]
        is_tracked = any(record.id in tracked for record in self.records)
        used = training_value(first.data["splits"], {}).get("labelled", 0)
        steps = max((point["step"] for point in first.curve), default=0)
        replicates = self.complete_replicates(wanted)
        last = len(self.deviations), -evaluated, -steps, first.id
        return not is_tracked, self.longer, -replicates, -used, -rows_alike, *last

    def complete_replicates(self, wanted: int) -> int:
        """Return the number of replicates that have run, at most `wanted`."""
        return min(len(self.records), wanted)


def run_groups(cell: Cell, records: Iterable[Record]) -> list[RunGroup]:
    """Return the groups of finished records that belong to a cell."""
    by_data_and_budget: dict[tuple[str, ...], list[Record]] = defaultdict(list)
    for record in matching_records(cell, records, "done"):
        by_data_and_budget[data_and_budget(cell, record)].append(record)
    return [run_group(cell, runs) for runs in by_data_and_budget.values()]


def data_and_budget(cell: Cell, record: Record) -> tuple[str, ...]:
    """Return the state of the data and the budget of a run, which are equal for runs that may be averaged."""
    budget_texts = (f"{key}={record.settings.get(key)}" for key in sorted(changed_settings(cell, record)))
    return record.fingerprint, *budget_texts


def run_group(cell: Cell, runs: Iterable[Record]) -> RunGroup:
    """Return the group of one experiment's records.

    Of several records of a replicate, the first finished counts, and one of committed code before all others.
    """
    number = cell.panel.replicates.number
    ordered = sorted(runs, key=lambda run: (number(run.settings), run.uncommitted, run.finished, run.id))
    first_by_number: dict[int, Record] = {}
    for record in ordered:
        first_by_number.setdefault(number(record.settings), record)
    repeats = [record for record in ordered if first_by_number[number(record.settings)] is not record]
    records = tuple(first_by_number.values())
    of_subsets = subsets.subset_deviations(records, cell.panel.metrics)
    deviations = (*run_deviations(records[0], cell), *of_subsets)
    comparable = comparable_deviations(records[0], cell).union(of_subsets)
    actual, wanted = cell.settings_of(records[0]), cell.shared_settings
    shorter, longer = is_shorter(actual, wanted), is_shorter(wanted, actual)
    in_paper = any(is_below(actual.get(key), value) for key, value in cell.panel.paper_budget.items())
    reduced = shorter or in_paper or (cell.settings.scale == "paper" and has_less_data(records[0].data, wanted))
    return RunGroup(records, deviations, comparable, tuple(repeats), reduced, longer and not shorter)


def same_data(group: RunGroup, other: RunGroup) -> bool:
    """Return whether two groups ran on the same data with the same deviations, so that they may be compared.

    The words that have a vector in one file differ where rows read the text in different ways, which is then what is
    compared.
    """
    return same_words(group.records[0], other.records[0]) and group.comparable == other.comparable


def same_words(first: Record, second: Record) -> bool:
    """Return whether two runs have data with the same words, with or without a parser's trees."""
    words = [record.data.get("fingerprint_of_words", record.fingerprint) for record in (first, second)]
    return words[0] == words[1]


def same_examples(first: Record, second: Record) -> bool:
    """Return whether two runs have the same examples, with any word vectors."""
    return bool(first.data["splits"] == second.data["splits"])


def run_deviations(record: Record, cell: Cell) -> tuple[str, ...]:
    """Return the deviations of a run from the paper, as texts: settings with other values, and missing data."""
    of_data = data_deviations(record.data, cell.shared_settings) if cell.settings.scale == "paper" else []
    return (*of_data, *setting_deviations(record, cell).values(), *experiment_deviations(record, cell))


def comparable_deviations(record: Record, cell: Cell) -> frozenset[str]:
    """Return the deviations of a run that say whether it may be compared: without those of its word vectors, and with
    limits of training in the unit of the setting alone, since the other unit depends on the size of a batch."""
    vectors = {deviation.text for deviation in vectors_deviation(record.data)}
    return frozenset(run_deviations(replace(record, curve=()), cell)) - vectors

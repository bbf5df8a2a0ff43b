"""The content of a table as a pure function of its specification and the stored records."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from attest.reproduction.specs.rows import Row
from attest.reproduction.specs.table import TableSpec
from attest.reproduction.tables import encoder_memory
from attest.reproduction.tables.cells import Cell, cells
from attest.reproduction.tables.item_errors import PredictionLookup, no_predictions
from attest.reproduction.tables.matching import RecordIndex, matching_records
from attest.reproduction.tables.metrics import runs_with_transfers, standard_transfers
from attest.reproduction.tables.panel_result import PanelResult, Status
from attest.reproduction.tables.run_groups import RunGroup, run_groups
from attest.reproduction.tables.selection import select_setting
from attest.reproduction.tables.table import RowResults, Table
from attest.runs.records import Record


def build(
    spec: TableSpec,
    scale: str,
    records: Iterable[Record] | RecordIndex,
    look_up_predictions: PredictionLookup = no_predictions,
    tracked: Collection[str] = (),
) -> Table:
    """Return a table at a scale, with the results that the records hold for each of its rows.

    Tables of the same records share one RecordIndex. `tracked` are the ids of the tracked records, whose groups are
    shown rather than others.
    """
    index = records if isinstance(records, RecordIndex) else RecordIndex(records)
    transfers = standard_transfers(index.by_kind["transfer"])
    benchmark = encoder_memory.newest_benchmark(index.by_kind["bench"])
    variants_of: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells(spec, scale):
        variants_of.setdefault((cell.row, cell.panel.name), []).append(cell)
    candidates = {key: candidate_groups(variants, index) for key, variants in variants_of.items()}
    sort_candidates(candidates, scale, tracked, transfers)
    results = {
        key: replace(
            with_transfers(panel_result(spec.rows[key[0]], variants, candidates[key], index, scale), transfers),
            benchmark=benchmark,
        )
        for key, variants in variants_of.items()
    }
    rows = (
        RowResults(name, row, tuple(result for key, result in results.items() if key[0] == name))
        for name, row in spec.rows_at(scale).items()
    )
    return Table(spec, scale, tuple(rows), look_up_predictions)


def candidate_groups(variants: Sequence[Cell], index: RecordIndex) -> list[tuple[Cell, RunGroup]]:
    """Return the groups of runs of a row in one panel, each with its cell."""
    return [(cell, group) for cell in variants for group in run_groups(cell, index.candidates(cell))]


def sort_candidates(
    candidates: Mapping[tuple[str, str], list[tuple[Cell, RunGroup]]],
    scale: str,
    tracked: Collection[str],
    transfers: Sequence[Record],
) -> None:
    """Sort the groups of each row in each panel by `RunGroup.rank`, so that the first is the one to show."""
    rows_with: dict[tuple[str, frozenset[str]], set[str]] = defaultdict(set)
    for (row, panel), pairs in candidates.items():
        for _, group in pairs:
            rows_with[panel, group.comparable].add(row)
    for (_, panel), pairs in candidates.items():
        pairs.sort(
            key=lambda pair: pair[1].rank(
                pair[0].panel.replicates.count(scale),
                tracked,
                len(rows_with[panel, pair[1].comparable]),
                len({run.id for run, _ in runs_with_transfers(pair[1].records, pair[0].panel.metrics, transfers)}),
            )
        )


def panel_result(
    row: Row, variants: Sequence[Cell], candidates: Sequence[tuple[Cell, RunGroup]], index: RecordIndex, scale: str
) -> PanelResult:
    """Return the result of a row in one panel, which shows the first of its `candidates`.

    `variants` are the cells of the row in this panel: one, or one for each setting that its search tries.
    """
    panel = variants[0].panel
    failures = tuple(record for cell in variants for record in matching_records(cell, index.candidates(cell), "failed"))
    if not candidates:
        return PanelResult(panel, status_without_runs(variants[0], failures), "", variants[0], None, (), failures)
    wanted = panel.replicates.count(scale)
    selected = select_setting(candidates, len(variants), wanted, row.search.select) if row.search else None
    cell, group = (selected.cell, selected.group) if selected else candidates[0]
    replicates_text = f"{len(group.records)} of {wanted} {panel.replicates.noun}"
    if len(group.records) > wanted:
        replicates_text = f"{len(group.records)} {panel.replicates.noun}, the table asks for {wanted}"
    if selected and len(selected.comparable) < len(variants):
        replicates_text += f", {len(selected.comparable)} of {len(variants)} settings"
    other_groups = tuple((other.variant, rest) for other, rest in candidates if rest is not group)
    return PanelResult(panel, "done", replicates_text, cell, group, other_groups, failures, selected, genre=row.genre)


def with_transfers(result: PanelResult, transfers: Sequence[Record]) -> PanelResult:
    """Return the result with the records of transfer that evaluate runs of its groups."""
    runs = {run.id for group in result.groups for run in group.records}
    return replace(result, transfers=tuple(record for record in transfers if runs.intersection(record.parents)))


def status_without_runs(cell: Cell, failures: Sequence[Record]) -> Status:
    """Return the status of a cell that has no finished run."""
    if failures:
        return "failed"
    return "data unavailable" if cell.settings.scale == "paper" and cell.settings.dataset.unavailable else "not run"

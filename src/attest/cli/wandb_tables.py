"""attest wandb: the runs of a table with their origins, and its workspace or report."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from attest.cli.local_tables import at_paper_scale, local_table
from attest.config.settings import Settings
from attest.errors import SettingsError
from attest.reproduction.dashboards.build import table_dashboard, table_report
from attest.reproduction.figures.matplotlib_check import check_matplotlib
from attest.reproduction.figures.pictures import PICTURE_SUFFIXES
from attest.reproduction.load import TABLE_KINDS, records_in
from attest.reproduction.run_context import context_in_all_tables, context_in_table
from attest.reproduction.specs.added_rows import with_rows
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.matching import RecordIndex
from attest.reproduction.tables.metrics import standard_transfers
from attest.runs.dashboards import Dashboard, Report
from attest.runs.known_stores import all_stores, scale_and_results
from attest.runs.records import Record
from attest.runs.run_card import RunContext, run_card
from attest.runs.store import find_record
from attest.runs.wandb.push import check_online
from attest.runs.wandb.views import send_report, send_workspace, write_view


def tables_of(names: Sequence[str], command: str, file: str | None) -> Sequence[str]:
    """Return the names of tables; raise SettingsError if there are none, or several for one file."""
    if not names:
        raise SettingsError(f"{command}: no table given; type {command} disan/table1")
    if file is not None and len(names) > 1:
        raise SettingsError(f"{command}: --to {file} holds one table, and {len(names)} are given; name one")
    for name in names:
        load_table(name)  # a misspelt name is reported before anything is sent
    return names


def show_table(
    kind: str, name: str, settings: Settings, places: Sequence[str], file: str | None, added: str = ""
) -> None:
    """Save a table as a workspace or report on W&B or, without a key, in a file; print where it is.

    `added` names rows that are added to the table.
    """
    table, _ = local_table(name, at_paper_scale(places), added)
    view = {"workspace": table_dashboard, "report": table_report}[kind](table)
    if file is not None and Path(file).suffix.removeprefix(".") in PICTURE_SUFFIXES:
        draw_runs(view, runs_of(name, places, added), Path(file))
    elif file is not None:
        if Path(file).suffix not in ("", ".json"):
            raise SettingsError(f"--to {file}: a {kind} is written as JSON; name a file that ends in .json")
        write_view(view, settings.logger, Path(file))
    if file is not None:
        print(f"wrote {file}")
        return
    check_online(settings, f"attest wandb {kind}")
    logger = settings.logger
    address = send_workspace(view, logger) if isinstance(view, Dashboard) else send_report(view, logger)
    print(f"{name}: {kind} saved, {address}", flush=True)


def draw_runs(view: Dashboard | Report, runs: Iterable[tuple[Record, RunContext]], path: Path) -> None:
    """Draw the workspace of a table as W&B would show it, from the runs that `attest wandb push` sends."""
    if not isinstance(view, Dashboard):
        raise SettingsError(f"--to {path}: only a workspace is drawn; type attest wandb workspace, or --to FILE.json")
    check_matplotlib()
    from attest.reproduction.dashboards.draw import draw_dashboard

    draw_dashboard(view, [(record, run_card(record, origin)) for record, origin in runs], path)


def runs_of(name: str, places: Sequence[str], added: str = "") -> Iterator[tuple[Record, RunContext]]:
    """Yield the finished runs of a table, or the run whose id begins with the name, each with its origin.

    `added` names rows that are added to the table.
    """
    if "/" not in name:
        record = find_record(name, all_stores(places), kind=None)
        yield record, context_in_all_tables(record)
        return
    spec = with_rows(load_table(name), added)
    scale, folders = scale_and_results(at_paper_scale(places))
    index = RecordIndex(records_in(folders, *TABLE_KINDS, "subset"))
    transfers = standard_transfers(index.by_kind["transfer"])
    for cell in cells(spec, scale):
        for record in index.matching(cell, "done"):
            yield record, context_in_table(record, name, cell, transfers)

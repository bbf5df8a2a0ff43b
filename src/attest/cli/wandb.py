"""attest wandb: upload records and what offline runs left to Weights & Biases, and workspaces and reports of tables."""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from attest.cli.figures import check_matplotlib
from attest.cli.show import defaults_of
from attest.cli.tables import LOCATION_KEYS, at_paper_scale, local_folders, local_table
from attest.config.compose import check_keys, compose_unchecked
from attest.config.overrides import root_of
from attest.config.settings import Settings
from attest.errors import MirrorError, RecordError, SettingsError
from attest.reproduction.collate import TABLE_KINDS, records_in
from attest.reproduction.dashboards.build import dashboard_of, report_of
from attest.reproduction.origins import origin_in_table, origin_of_record
from attest.reproduction.specs.table import load
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.matching import RecordIndex
from attest.reproduction.tables.membership import cells_of, labelled_cell
from attest.reproduction.tables.metrics import standard_transfers
from attest.runs.dashboards import Dashboard, Report
from attest.runs.records import Record, Store, find_record
from attest.runs.run_card import Origin, run_card
from attest.runs.stores import stores
from attest.runs.wandb_push import check_online, mark_of, push, run_of, sync, unsent_segments
from attest.runs.wandb_views import check_installed, send_report, send_workspace, write_view

VIEWS = ("workspace", "report")
"""The actions that show a table."""
PICTURES = (".svg", ".png")
"""The endings of files that are pictures of a workspace; others are JSON."""


def wandb(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Run `attest wandb push`, `sync`, `workspace` or `report`."""
    check_keys(overrides, (*LOCATION_KEYS, "logger"))
    settings = compose_unchecked(["logger=wandb", *overrides])
    command = f"attest wandb {parsed.action}"
    if parsed.to is not None and parsed.action not in VIEWS:
        raise SettingsError(f"{command}: --to is for attest wandb workspace and report; leave it out")
    if parsed.action in VIEWS:
        check_installed(command)
        for name in tables_of(parsed.names, command, parsed.to):
            show_table(parsed.action, name, settings, overrides, parsed.to)
    elif parsed.action == "push":
        check_online(settings, command)
        push_all(parsed.names, settings, overrides)
    elif parsed.names:
        raise SettingsError(f"{command}: {parsed.names[0]}: all offline runs are uploaded together; give no names")
    else:
        check_online(settings, command)
        sync_all(settings)


def tables_of(names: Sequence[str], command: str, file: str | None) -> Sequence[str]:
    """Return the names of tables; raise SettingsError if there are none, or several for one file."""
    if not names:
        raise SettingsError(f"{command}: no table given; type {command} disan/table1")
    if file is not None and len(names) > 1:
        raise SettingsError(f"{command}: --to {file} holds one table, and {len(names)} are given; name one")
    for name in names:
        load(name)  # a misspelt name is reported before anything is sent
    return names


def show_table(kind: str, name: str, settings: Settings, overrides: Sequence[str], file: str | None) -> None:
    """Save a table as a workspace or report on W&B or, without a key, in a JSON file; print where it is."""
    places = [text for text in overrides if root_of(text) in LOCATION_KEYS]
    table, _ = local_table(name, at_paper_scale(places))
    view = {"workspace": dashboard_of, "report": report_of}[kind](table)
    if file is not None and Path(file).suffix in PICTURES:
        draw_runs(view, name, places, Path(file))
    elif file is not None:
        write_view(view, settings.logger, Path(file))
    if file is not None:
        print(f"wrote {file}")
        return
    check_online(settings, f"attest wandb {kind}")
    logger = settings.logger
    address = send_workspace(view, logger) if isinstance(view, Dashboard) else send_report(view, logger)
    print(f"{name}: {kind} saved, {address}", flush=True)


def draw_runs(view: Dashboard | Report, name: str, places: Sequence[str], path: Path) -> None:
    """Draw the workspace of a table as W&B would show it, from the runs that `attest wandb push` sends."""
    if not isinstance(view, Dashboard):
        raise SettingsError(f"--to {path}: only a workspace is drawn; type attest wandb workspace, or --to FILE.json")
    check_matplotlib()
    from attest.reproduction.figures.dashboards import draw_dashboard

    draw_dashboard(view, [(record, run_card(record, origin)) for record, origin in runs_of(name, places)], path)


def push_all(names: Sequence[str], settings: Settings, overrides: Sequence[str]) -> None:
    """Push the runs of tables, single runs or, if nothing is named, all local records, and print what was sent."""
    places = [text for text in overrides if root_of(text) in LOCATION_KEYS]
    found: dict[str, tuple[Record, Origin]] = {}
    for name in names:
        runs = {record.id: (record, origin) for record, origin in runs_of(name, places)}
        if not runs:
            command = " ".join(["attest reproduce", name, *at_paper_scale(places)])
            raise RecordError(f"{name}: no finished runs; {command} makes them")
        found |= runs
    if not names:
        local = (record for record in Store(Path(settings.paths.records)) if record.status == "done")
        found = {record.id: (record, origin_of(record)) for record in local}
    known = stores(places)
    for number, (record, origin) in enumerate(found.values()):
        card = run_card(record, origin)
        try:
            pushed = push(settings, card, record, known)
        except MirrorError as error:
            raise MirrorError(
                f"{error}; {number} of {len(found)} runs are sent, and the same command goes on"
            ) from error
        print(
            f"{record.id}  {card.name}: {'new run, ' if pushed.new else ''}{pushed.entries} evaluations sent",
            flush=True,
        )
    print(f"{len(found)} runs are on W&B, in the project {settings.logger.project}")


def runs_of(name: str, places: Sequence[str]) -> Iterator[tuple[Record, Origin]]:
    """Yield the finished runs of a table, or the run whose id begins with the name, each with its origin."""
    if "/" not in name:
        record = find_record(name, stores(places), kind=None)
        yield record, origin_of(record)
        return
    spec = load(name)
    scale, folders = local_folders(at_paper_scale(places))
    index = RecordIndex(records_in(folders, *TABLE_KINDS, "subset"))
    transfers = standard_transfers(index.records)
    for cell in cells(spec, scale):
        for record in index.matching(cell, "done"):
            yield record, origin_in_table(record, name, cell, transfers)


def origin_of(record: Record) -> Origin:
    """Return the origin of a record: its cell in the table that it was started for, else in another, else itself."""
    if (cell := labelled_cell(record)) is not None:
        return origin_in_table(record, record.label.table, cell)
    for table, cell in cells_of(record):
        return origin_in_table(record, table, cell)
    return origin_of_record(record, defaults_of(record))


def sync_all(settings: Settings) -> None:
    """Upload what offline runs left, and print it; raise MirrorError if some of it could not be uploaded."""
    segments = unsent_segments(settings)
    reasons = sync(segments)
    left = [path for path in segments if not mark_of(path).exists()]
    for identity, count in Counter(run_of(path) for path in segments if path not in left).items():
        print(f"{identity}  {count} offline part{'s' * (count > 1)} sent")
    if left:
        reason = "; ".join(reasons) or "no answer"
        raise MirrorError(
            f"{len(left)} of {len(segments)} offline parts are not sent ({reason}); the same command goes on"
        )
    print(f"{len(segments)} offline parts sent, nothing is left in {settings.paths.wandb}")

"""attest wandb: upload records and what offline runs left to Weights & Biases, and workspaces and reports of tables."""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from attest.cli.arguments.accepted import LOCATION_KEYS
from attest.cli.local_tables import at_paper_scale
from attest.cli.wandb_tables import runs_of, show_table, tables_of
from attest.config.compose import compose_unchecked
from attest.config.overrides import key_of, root_of, split_overrides
from attest.config.settings import Settings
from attest.errors import MirrorError, RecordError, SettingsError
from attest.reproduction.plurals import pluralize
from attest.reproduction.run_context import context_in_all_tables, merge_contexts
from attest.reproduction.specs.added_rows import ADDED_ROWS_KEY
from attest.runs.known_stores import all_records, all_stores, local_stores
from attest.runs.records import Record
from attest.runs.run_card import RunContext, run_card
from attest.runs.store import Store
from attest.runs.wandb.push import check_online, push
from attest.runs.wandb.segments import synced_file
from attest.runs.wandb.sync import is_run_active, run_id_of, sync, unsent_segments
from attest.runs.wandb.views import check_installed
from attest.system.leases import lease, lease_beside

VIEWS = ("workspace", "report")
"""The actions that show a table."""


def wandb(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Run `attest wandb push`, `sync`, `workspace` or `report`."""
    values, overrides = split_overrides(overrides, (ADDED_ROWS_KEY,))
    settings = compose_unchecked(["logger=wandb", *overrides])
    places = [text for text in overrides if root_of(text) in LOCATION_KEYS]
    command, added = f"attest wandb {parsed.action}", str(values.get(ADDED_ROWS_KEY, ""))
    if added and not any("/" in name for name in parsed.names):
        raise SettingsError(f"{command}: {ADDED_ROWS_KEY}={added} adds rows to a table; name one, e.g. disan/table2")
    if parsed.to is not None and parsed.action not in VIEWS:
        raise SettingsError(f"{command}: --to is for attest wandb workspace and report; leave it out")
    if parsed.action in VIEWS:
        check_installed(command)
        for name in tables_of(parsed.names, command, parsed.to):
            show_table(parsed.action, name, settings, places, parsed.to, added)
    elif parsed.action == "push":
        check_online(settings, command)
        push_all(parsed.names, settings, places, added)
    elif parsed.names:
        raise SettingsError(f"{command}: {parsed.names[0]}: all offline runs are uploaded together; give no names")
    else:
        check_online(settings, command)
        sync_all(settings)


def push_all(names: Sequence[str], settings: Settings, places: Sequence[str], added: str) -> None:
    """Push the runs of tables, single runs or, if nothing is named, all local records, and print what was sent.

    Local records are those of both scales unless `places` name one. `added` names rows that are added to the tables.
    """
    found: dict[str, tuple[Record, RunContext]] = {}
    for name in names:
        runs = {record.id: (record, origin) for record, origin in runs_of(name, places, added)}
        if not runs:
            command = " ".join(["attest reproduce", name, *at_paper_scale(places)])
            raise RecordError(f"{name}: no finished runs; {command} makes them")
        found |= {
            key: (record, merge_contexts(found[key][1], origin) if key in found else origin)
            for key, (record, origin) in runs.items()
        }
    if not names:
        has_scale = any(key_of(text) == "scale" for text in places)
        local = [Store(Path(settings.paths.records))] if has_scale else local_stores(places)
        finished = (record for record in all_records(local) if record.status == "done")
        found = {record.id: (record, context_in_all_tables(record)) for record in finished}
    if not found:
        print("there is no finished run here, so nothing is sent; `attest train` makes one")
        return
    known = all_stores(places)
    for number, (record, origin) in enumerate(found.values()):
        card = run_card(record, origin)
        try:
            pushed = push(settings, card, record, known)
        except MirrorError as error:
            raise MirrorError(
                f"{error}; {number} of {len(found)} runs are sent, and the same command goes on"
            ) from error
        print(
            f"{record.id}  {card.name}: {'new run, ' if pushed.new else ''}{pushed.sent_evaluations} evaluations sent",
            flush=True,
        )
    number = f"{pluralize(len(found), 'run')} {'is' if len(found) == 1 else 'are'}"
    print(f"{number} on W&B, in the project {settings.logger.project}")


def sync_all(settings: Settings) -> None:
    """Upload what offline runs left, and print it; raise MirrorError if some of it could not be uploaded.

    Two uploads at a time would send a curve twice.
    """
    with lease(lease_beside(Path(settings.paths.wandb)), f"the upload of {settings.paths.wandb}"):
        unsent = unsent_segments(settings)
        segments = [path for path in unsent if not is_run_active(settings, path)]
        reasons = sync(settings, segments)
    left = [path for path in segments if not synced_file(path).exists()]
    for identity, count in Counter(run_id_of(path) for path in segments if path not in left).items():
        print(f"{identity}  {pluralize(count, 'offline part')} sent")
    if left:
        reason = "; ".join(reasons) or "no answer"
        raise MirrorError(
            f"{len(left)} of {pluralize(len(segments), 'offline part')} not sent ({reason}); the same command goes on"
        )
    kept = len(unsent) - len(segments)
    rest = f"{pluralize(kept, 'part')} of runs that go on {'is' if kept == 1 else 'are'}" if kept else "nothing is"
    print(f"{pluralize(len(segments), 'offline part')} sent, {rest} left in {settings.paths.wandb}")

"""attest publish."""

import argparse
from collections.abc import Sequence

from attest.cli.figures import check_matplotlib, draw, shown
from attest.cli.overrides import only
from attest.cli.tables import local, local_table
from attest.config.paths import tracked_results
from attest.config.schema import closest
from attest.errors import RecordError, SettingsError
from attest.reproduction import collate
from attest.reproduction.figures.captions import explain_missing
from attest.reproduction.specs import figure as pictures
from attest.reproduction.specs.table import names


def publish(parsed: argparse.Namespace, overrides: list[str]) -> None:
    known = [*names(), *pictures.names(), *collate.PAGES]
    if parsed.name not in known:
        raise SettingsError(f"{parsed.name}: no such table, figure or page.{closest(parsed.name, known)}")
    places = ["scale=paper", *only(overrides, "paths")]
    if parsed.name in pictures.names():
        publish_figure(parsed.name, places)
    elif parsed.name in collate.PAGES:
        publish_page(parsed.name, places)
    else:
        table, results = local_table(parsed.name, places)
        track(collate.publish(table, results, tracked_results()))


def publish_figure(name: str, places: Sequence[str]) -> None:
    """Track the records behind a figure, and draw it."""
    check_matplotlib()
    scale, folders = local(places)
    (figure,) = (figure for figure in shown(scale, folders) if figure.picture.name == name)
    if figure.content is None:
        raise RecordError(f"{name}: {explain_missing(figure.picture, figure.table)}")
    track(collate.copy_records(figure.content.ids, folders[0], tracked_results()))
    draw([name], scale, [tracked_results()])


def publish_page(name: str, places: Sequence[str]) -> None:
    _, (results, *_) = local(places)
    kind, _ = collate.PAGES[name]
    ids = [record.id for record in collate.records_in([results], kind) if record.status == "done"]
    track(collate.copy_records(ids, results, tracked_results()))


def track(copied: Sequence[str]) -> None:
    """Say what was copied, and bring everything that follows from the tracked records up to date."""
    print(f"{len(copied)} record(s) are tracked now")
    for path in collate.write_results(tracked_results()):
        print(f"wrote {path}")

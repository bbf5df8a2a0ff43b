"""attest publish: track the local records behind a table, figure or page."""

import argparse
from collections.abc import Sequence

from attest.cli.figures import check_matplotlib, draw, figures_at
from attest.cli.tables import local, local_table
from attest.config.compose import check_keys
from attest.config.paths import tracked_results
from attest.config.schema import did_you_mean
from attest.errors import RecordError, SettingsError
from attest.reproduction import collate
from attest.reproduction.figures.captions import explain_missing
from attest.reproduction.specs import figure as pictures
from attest.reproduction.specs.table import names


def publish(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Copy the local records behind a table, figure or page to the tracked ones, and collate."""
    known = [*names(), *pictures.names(), *collate.PAGES]
    if parsed.name not in known:
        raise SettingsError(f"{parsed.name}: no such table, figure or page.{did_you_mean(parsed.name, known)}")
    check_keys(overrides, ("paths",))
    places = ["scale=paper", *overrides]
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
    (figure,) = (figure for figure in figures_at(scale, folders) if figure.picture.name == name)
    if figure.content is None:
        raise RecordError(f"{name}: {explain_missing(figure.picture, figure.table)}")
    track(collate.copy_records(figure.content.ids, folders[0], tracked_results()))
    draw([name], scale, [tracked_results()])


def publish_page(name: str, places: Sequence[str]) -> None:
    """Track the finished records of the kind that a page lists."""
    _, (results, *_) = local(places)
    kind, _ = collate.PAGES[name]
    ids = [record.id for record in collate.records_in([results], kind) if record.status == "done"]
    track(collate.copy_records(ids, results, tracked_results()))


def track(copied: Sequence[str]) -> None:
    """Print how many records were copied, and rebuild what follows from the tracked records."""
    print(f"{len(copied)} record(s) are tracked now")
    for path in collate.write_results(tracked_results()):
        print(f"wrote {path}")

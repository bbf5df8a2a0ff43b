"""attest publish: copy the local records behind a table, figure or page to the tracked records."""

import argparse
from collections.abc import Sequence

from attest.cli.commands.figures import draw_figures, figures_at
from attest.cli.local_tables import local_table
from attest.config.error_words import did_you_mean
from attest.config.paths import tracked_results
from attest.errors import RecordError, SettingsError
from attest.reproduction import collate
from attest.reproduction.figures.matplotlib_check import check_matplotlib
from attest.reproduction.load import records_in
from attest.reproduction.pages.missing_figures import explain_missing
from attest.reproduction.plurals import pluralize
from attest.reproduction.publish import copy_records, copy_table_records
from attest.reproduction.specs.figure import figure_names
from attest.reproduction.specs.table import table_names
from attest.runs.known_stores import scale_and_results


def publish(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Copy the local records behind a table, figure or page to the tracked ones, and rewrite all tables and pages."""
    known = [*table_names(own=False), *figure_names(own=False), *collate.PAGES]
    if parsed.name in (*table_names(), *figure_names()) and parsed.name not in known:
        raise SettingsError(f"{parsed.name}: yours, so its pages stay in the local results; only papers' are tracked")
    if parsed.name not in known:
        raise SettingsError(f"{parsed.name}: no such table, figure or page.{did_you_mean(parsed.name, known)}")
    places = ["scale=paper", *overrides]
    if parsed.name in figure_names():
        publish_figure(parsed.name, places)
    elif parsed.name in collate.PAGES:
        publish_page(parsed.name, places)
    else:
        table, results = local_table(parsed.name, places)
        if not any(result.ids for line in table.rows for result in line.results):
            raise RecordError(
                f"{parsed.name}: no runs to publish; `attest reproduce {parsed.name} scale=paper` trains them"
            )
        rewrite_results(copy_table_records(table, results, tracked_results()))


def publish_figure(name: str, places: Sequence[str]) -> None:
    """Copy the records behind a figure to the tracked records, and draw the figure from them."""
    check_matplotlib()
    scale, folders = scale_and_results(places)
    (figure,) = (figure for figure in figures_at([name], scale, folders) if figure.spec.name == name)
    if figure.content is None:
        raise RecordError(f"{name}: {explain_missing(figure.spec, figure.table)}")
    rewrite_results(copy_records(figure.content.ids, folders[0], tracked_results()))
    draw_figures([name], scale, [tracked_results()])


def publish_page(name: str, places: Sequence[str]) -> None:
    """Copy the finished records that a page lists to the tracked records."""
    _, (results, *_) = scale_and_results(places)
    ids = [record.id for record in records_in([results], *collate.PAGES[name]) if record.status == "done"]
    if not ids:
        raise RecordError(f"{name}: no records of this page to publish in {results}")
    rewrite_results(copy_records(ids, results, tracked_results()))


def rewrite_results(copied: Sequence[str]) -> None:
    """Print how many records were copied, and rewrite all tables and pages from the tracked records."""
    count = len(copied)
    now = f"{pluralize(count, 'record')} {'are' if count > 1 else 'is'} tracked now"
    print(now if count else "all these records are tracked already")
    for path in collate.write_results(tracked_results()):
        print(f"wrote {path}")

"""attest attend: the attention of a run to the words of sentences."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from attest.config.overrides import path_overrides
from attest.config.shell_command import shell_command
from attest.errors import SettingsError
from attest.reproduction.figures.content import AttentionContent
from attest.reproduction.figures.matplotlib_check import can_draw
from attest.reproduction.figures.pictures import PICTURE_SUFFIXES
from attest.reproduction.figures.rows import finished_runs
from attest.reproduction.pages.shaded_words import render_shaded_page
from attest.reproduction.specs.figure import FigureSpec, load_figure
from attest.runs.known_stores import all_records, local_stores
from attest.runs.records import Record
from attest.runs.store import Store
from attest.system.files import write_text


def attend(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Record and print the attention of a run to sentences, as text, as a page of shaded words and as pictures.

    Without matplotlib there are no pictures.
    """
    from attest.inference.attention_maps import format_weights, sentence_maps
    from attest.inference.attention_record import attention_record
    from attest.inference.opening import open_run

    if bool(parsed.sentences) == bool(parsed.figure):
        raise SettingsError(
            'attest attend: expected either sentences, as in attest attend RUN "a sentence", or --figure NAME'
        )
    picture = load_figure(parsed.figure) if parsed.figure else None
    sentences = picture.texts if picture else parsed.sentences
    if not sentences:
        raise SettingsError(f"{parsed.figure}: this figure has no sentences, since it is drawn from stored predictions")
    trained = open_run(parsed.run, overrides)
    record, arrays = attention_record(trained, sentences)
    results = Path(trained.settings.paths.results)
    Store(results / "records").put(record, arrays)
    maps = sentence_maps(record, arrays)
    print(format_weights(maps))
    print(f"record {record.id} of run {trained.record.id}: {Store(results / 'records').record_path(record.id)}")
    encoder = trained.record.label.row or type(trained.task.encoder).__name__
    write_words_page(
        AttentionContent(record, trained.record, encoder, (), tuple(maps)), results / "attention" / f"{record.id}.html"
    )
    if not can_draw("pictures"):
        return
    from attest.reproduction.figures.heatmaps import draw_sentence

    for number, sentence in enumerate(maps, 1):
        paths = [results / "attention" / f"{record.id}-{number}.{suffix}" for suffix in PICTURE_SUFFIXES]
        for path in paths:
            draw_sentence(sentence, path)
        print(f"sentence {number}: {paths[0]}, {paths[1].name}")
    if picture:
        announce_figure(picture, trained.record, trained.settings.scale, overrides)


def announce_figure(picture: FigureSpec, run: Record, scale: str, overrides: Sequence[str]) -> None:
    """Print the command that draws a figure from a run; warn if the figure shows other runs, and say what to type."""
    if finished_runs(picture, scale, [run]):
        draws = f"publish {picture.name}" if scale == "paper" else f"figures {picture.name} scale={scale}"
        print(f"`attest {draws}` draws {picture.name}")
        return
    places = path_overrides(overrides)
    if known := finished_runs(picture, scale, all_records(local_stores(overrides))):
        advice = f"type {shell_command('attend', known[0].id, '--figure', picture.name, *places)}"
    else:
        rows = f"rows={','.join(picture.rows)}"
        advice = f"`{shell_command('reproduce', picture.table, f'scale={scale}', rows, *places)}` trains them"
    print(
        f"attest: {picture.name} is not drawn from {run.id}: it shows runs of {' or '.join(picture.rows)} in "
        f"{picture.table}; {advice}",
        file=sys.stderr,
    )


def write_words_page(content: AttentionContent, path: Path) -> None:
    """Write the page of shaded words, unless the encoder has no attention weights of single words."""
    if text := render_shaded_page(f"What {content.title} attends to", [content.describe_run()], content.sentences):
        write_text(path, text)
        print(f"page of shaded words: {path}")

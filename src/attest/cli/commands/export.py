"""attest export: a finished run as a folder for Sentence Transformers, model hubs and other machines."""

import argparse
import shlex
from contextlib import suppress
from pathlib import Path

from attest.data.files.source import Source
from attest.errors import SettingsError
from attest.inference.authors.file import WEIGHT_FORMATS, write_authors_file
from attest.inference.export import check_target, write_export
from attest.inference.opening import open_run
from attest.inference.sentence_files import sentence_file
from attest.inference.streams import add_new_words
from attest.reproduction.pages.model_card import model_card
from attest.reproduction.run_command import run_overrides
from attest.reproduction.run_context import context_of, defaults_of
from attest.runs.records import Record


def export(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Write a folder with the model of a run and its model card.

    If a file of sentences is given, its words get their vectors as well, from the run's file of word vectors.
    """
    folder = Path(parsed.folder)
    if parsed.naming:
        if folder.suffix not in WEIGHT_FORMATS:
            formats = " or ".join(WEIGHT_FORMATS)
            raise SettingsError(f"{parsed.folder}: --as authors writes a file; name one that ends in {formats}")
    else:
        folder = folder.absolute()  # "." has no name of its own
        check_target(folder)
    trained = open_run(parsed.run, overrides)
    if parsed.words:
        add_new_words(trained, sentence_file(Source(Path(parsed.words), own=True), None, sides=1))
    if parsed.naming:
        words = write_authors_file(trained, folder)
        suffix = f"; the words of its rows are in {words}" if words else ""
        print(f"{parsed.folder}: weights of {trained.record.id}{suffix}")
        return
    record, pairs = trained.record, trained.task.encoder.pairs
    card = model_card(
        record,
        trained.settings,
        context_of(record),
        defaults_of(record),
        sides=trained.sides,
        pairs=pairs,
        command=portable_command(record),
    )
    write_export(trained, card, folder)
    suffix = "; a matcher, so for attest.load alone" if pairs else ""
    print(f"{parsed.folder}: {record.id} with {len(trained.model.words):,} words{suffix}")


def portable_command(record: Record) -> str:
    """Return the command that trains a run anew, without folders of this machine; empty if it is not known."""
    if record.kind == "train":
        with suppress(SettingsError):
            return shlex.join(["attest", "train", *run_overrides(record.settings)])
    return ""

"""attest parser: train and test a parser, and parse sentences that have no tree."""

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from attest.cli.settings_yaml import print_settings
from attest.config.compose import compose_unchecked
from attest.config.devices import with_device
from attest.config.parser_training import ParserCommand, compose_parser
from attest.config.settings import Settings
from attest.data.mini.provide import provide_data
from attest.data.text.tokens import treebank_tokens
from attest.errors import SettingsError
from attest.reproduction.pages.parsers import f1_figures, tested_on
from attest.runs.observers import no_observers
from attest.runs.progress import observe_work
from attest.runs.records import Record
from attest.syntax.parsers import configured_parser
from attest.syntax.trees import from_spans, to_brackets
from attest.training.inputs import lacks_default_parser, treebank_settings
from attest.training.parser.evaluation import evaluate_parser
from attest.training.parser.run import run
from attest.training.parser.settings import ParserTrainingSettings

PRECISION = "fp32"
NO_PARSER = "phrases: nothing to parse with. Choose phrases=learned, stanza, right or balanced"


def parser(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Run `attest parser train`, `attest parser test` or `attest parser parse`."""
    if parsed.sentences and parsed.action != "parse":
        example = "treebanks=[sst]" if parsed.action == "train" else "dataset=sst"
        raise SettingsError(
            f"attest parser {parsed.action}: {parsed.sentences[0]}: this action takes no sentences; name data sets as "
            f"in {example}"
        )
    if not parsed.sentences and parsed.action == "parse":
        raise SettingsError('attest parser parse: no sentence; type one, as in attest parser parse "A man runs ."')
    if parsed.cfg and parsed.action != "train":
        raise SettingsError(
            f"attest parser {parsed.action}: --cfg prints the settings of attest parser train alone; leave it out"
        )
    if parsed.action == "train":
        train(overrides, only_print=parsed.cfg)
    elif parsed.action == "test":
        test(overrides)
    else:
        parse(parsed.sentences, overrides)


def train(overrides: Sequence[str], *, only_print: bool = False) -> None:
    """Train a parser unless these settings have a finished record, and print its figures; or `only_print` the
    settings."""
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    logging.getLogger("attest").setLevel(logging.INFO)
    command = compose_parser(overrides)
    if command.trainer.precision not in ("auto", PRECISION):
        raise SettingsError(
            f"trainer.precision={command.trainer.precision}: sums over trees need {PRECISION}; leave this setting out"
        )
    if only_print:
        print_settings(replace(command, trainer=parser_run(command).trainer))
        return
    provide_data(command)
    print("\n".join(report_lines(train_parser(command))))


def train_parser(command: ParserCommand, *, waits: bool = False) -> Record:
    """Train a parser, with its progress on the terminal if trainer.progress is true, and return its record.

    `waits` is that of `attest.training.parser.run.run`.
    """
    return run(parser_run(command), observe_work if command.trainer.progress else no_observers, waits=waits)


def parser_run(command: ParserCommand) -> ParserTrainingSettings:
    """Return the resolved settings of a parser's training: those of the command, with the data sets that it names."""
    return ParserTrainingSettings(
        parsing=command,
        datasets=treebank_settings(command.scale, command.treebanks),
        scale=command.scale,
        trainer=with_device(replace(command.trainer, precision=PRECISION)),
        paths=command.paths,
        retry_failed=command.retry_failed,
    )


def report_lines(record: Record) -> Iterator[str]:
    """Yield the lines of a table with the F1 of a parser and two baselines on each treebank, and the run's id."""
    yield head_line("learned")
    for split in ("dev", "test"):
        for name in record.settings["treebanks"]:
            treebank_split = f"{split}/{name}"
            used = record.data["splits"][f"{name}/{split}"]["used"]
            yield row_of(treebank_split, f1_figures(record, treebank_split), used)
    yield f"run {record.id}: phrases=learned phrases.parser_run={record.id}"


def test(overrides: Sequence[str]) -> None:
    """Test a parser on the trees of a data set unless that is recorded already, and print its figures."""
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    settings = compose_unchecked(["phrases=learned", *overrides])
    provide_data(settings)
    provide_parser(settings)
    record = evaluate_parser(settings)
    print(head_line("parser"))
    print(row_of(tested_on(record), f1_figures(record, "test"), record.data["splits"]["test"]["used"]))
    print(f"{record.settings['parser']}, record {record.id}")


def head_line(parser: str) -> str:
    """Return the head of the columns: the parser, the baselines, and the number of sentences."""
    return f"{'unlabelled F1':<20} {parser:>8} {'right':>8} {'balanced':>8} {'sentences':>10}"


def row_of(name: str, figures: Sequence[float], sentences: int) -> str:
    """Return the line of one set of trees, below the head."""
    return f"{name:<20} " + " ".join(f"{figure:8.2f}" for figure in figures) + f" {sentences:>10,}"


def parse(sentences: Sequence[str], overrides: Sequence[str]) -> None:
    """Print the tree of each sentence in brackets, one a line."""
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    parser = configured_parser(compose_unchecked(["phrases=learned", *overrides]))
    if parser is None:
        raise SettingsError(NO_PARSER)
    sentences_words = [treebank_tokens(sentence) for sentence in sentences]
    for words, spans in zip(sentences_words, parser.parse(sentences_words), strict=True):
        print(to_brackets(from_spans(words, spans)))


def provide_parser(settings: Settings) -> None:
    """Train the default parser if a run asks for it and this machine does not have it.

    Other runs share it, so that callbacks and a profiler of this run have no part in it, and only one of several runs
    beside each other trains it while the others wait.
    """
    if lacks_default_parser(settings):
        command = compose_parser([f"scale={settings.scale}"])
        trainer = replace(settings.trainer, callbacks=(), profiler=None)
        shared = replace(command, trainer=trainer, paths=settings.paths, retry_failed=settings.retry_failed)
        train_parser(shared, waits=True)

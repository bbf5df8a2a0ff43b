"""Evaluate a parser on the trees of a data set's test set, without the sentences that it was trained on."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from attest.config.settings import Dataset, Settings
from attest.data.dataset import SplitFile, dataset_files, hard_file, reader_of
from attest.data.readers import Parses, find_source
from attest.errors import DataError, SettingsError
from attest.runs.identity import digest
from attest.runs.records import Record, utc_now
from attest.runs.store import Store, find_record
from attest.runs.versions import PARSER_TEST
from attest.syntax.parsers import Parser, configured_parser
from attest.syntax.parsers.registry import record_stores
from attest.syntax.trees import Tree
from attest.system import environment
from attest.training.inputs import treebank_settings
from attest.training.parser.agreement import BASELINES, trees_f1
from attest.training.parser.treebanks import binary_tree, read_treebanks

VERSIONS = {"parser_test": PARSER_TEST}


def evaluate_parser(settings: Settings) -> Record:
    """Return the record of the F1 of the settings' parser, and of baselines, on the trees of the data set.

    The trees are those of the test set or, if it has none, of the published hard test pairs. Sentences that are equal
    in lower case count once, with the last of their trees. Sentences that the parser was trained on are left out. Raise
    SettingsError without a parser, and DataError if no tree is left.
    """
    parser = configured_parser(settings)
    if parser is None:
        raise SettingsError("phrases: no parser to test; choose phrases=learned, stanza, right or balanced")
    file, trees = trees_of_data_set(settings.dataset, Path(settings.paths.data))
    known = training_sentences(parser, settings)
    used = {key: tree for tree in trees if (key := lowered(tree)) not in known}
    if not used:
        raise DataError(f"{file.source}: no tree is left to test the parser on; it was trained on all sentences")
    facts = {
        "dataset.name": settings.dataset.name,
        "split": file.split,
        "parser": parser.identity,
        "scale": settings.scale,
    }
    fingerprint = file.source.sha256[:16]
    identity = digest([facts, VERSIONS, fingerprint])
    store = Store(Path(settings.paths.records))
    if (record := store.get(identity)) is not None:
        return record
    record = Record(
        id=identity,
        kind="parser_test",
        status="done",
        parents=tuple(parser.parents),
        settings=facts,
        versions=VERSIONS,
        data={"fingerprint": fingerprint, "splits": {"test": {"trees": len(trees), "used": len(used)}}},
        seed=0,
        metrics=f1_of_parsers(parser, list(used.values())),
        environment=environment.describe(),
        finished=utc_now(),
    )
    store.put(record)
    return record


def f1_of_parsers(parser: Parser, trees: Sequence[Tree]) -> dict[str, float]:
    """Return the F1 in percent of the parser, as test/f1, and of the baselines, as test/right/f1 and so on."""
    parsers = {"": parser, **{f"{name}/": baseline for name, baseline in BASELINES.items()}}
    return {f"test/{name}f1": trees_f1(other, trees) for name, other in parsers.items()}


def trees_of_data_set(dataset: Dataset, data: Path) -> tuple[SplitFile, list[Tree]]:
    """Return the file of the test set or of the hard test pairs, the first with trees, and its trees.

    Raise DataError if neither has a tree.
    """
    only = {key: path for key, path in dataset.files.items() if key.partition(".")[0] == "test"}  # no other is needed
    tested = [
        file for file in dataset_files(replace(dataset, files=only or dataset.files), data) if file.split == "test"
    ]
    if (hard := hard_file(dataset, data)) is not None:
        tested.append(hard)
    parses = Parses([find_source(data, path) for path in dataset.parses])
    for file in tested:
        if trees := list(trees_of(file, dataset, parses)):
            return file, trees
    raise DataError(f"{' and '.join(str(file.source) for file in tested)}: no sentence has a tree")


def trees_of(file: SplitFile, dataset: Dataset, parses: Parses) -> Iterator[Tree]:
    """Yield the binary trees of the sentences of a file that have one, there or in the files of `parses`."""
    for example in reader_of(dataset)(file.source, file.labels):
        if example.split in (None, "test"):
            yield from (binary_tree(example, tree) for tree in parses.add_parses(example).parses if tree is not None)


def training_sentences(parser: Parser, settings: Settings) -> set[tuple[str, ...]]:
    """Return the sentences of the treebanks on which the parser was trained and selected, in lower case."""
    known: set[tuple[str, ...]] = set()
    for identity in parser.parents:
        names = find_record(identity, record_stores(settings), "parser").settings["treebanks"]
        banks = read_treebanks(treebank_settings(settings.scale, names), Path(settings.paths.data))
        known |= {lowered(tree) for split in ("train", "dev") for tree in banks.all(split)}
    return known


def lowered(tree: Tree) -> tuple[str, ...]:
    """Return the words of a tree in lower case, as parsers read them."""
    return tuple(word.lower() for word in tree.words)

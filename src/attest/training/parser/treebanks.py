"""Read treebanks: data sets whose sentences have trees. Each distinct sentence gets one binary tree."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attest.config.settings import Dataset
from attest.data.dataset import SplitFile, dataset_files, reader_of
from attest.data.fingerprint import join_hashes
from attest.data.readers import Example, Parses, find_source
from attest.data.splits.split import SPLITS
from attest.errors import DataError, SettingsError
from attest.syntax.trees import Tree, binarise, from_unlabelled


@dataclass(frozen=True)
class Treebanks:
    """The trees of several treebanks, by split."""

    trees: Mapping[str, Mapping[str, Sequence[Tree]]]
    """The trees by split, then by the name of the treebank."""
    facts: Mapping[str, Any]
    """The numbers of trees that were read and used, and a fingerprint of the contents of the files."""

    def all(self, split: str) -> list[Tree]:
        """Return the trees of all treebanks in a split."""
        return [tree for trees in self.trees[split].values() for tree in trees]


def read_treebanks(datasets: Sequence[Dataset], data: Path) -> Treebanks:
    """Read the trees of the data sets from the official files in the folder `data`.

    A sentence that occurs in several splits or treebanks is kept only in the first of them, so that no parser is
    evaluated on a sentence of its training set. Raise DataError if a treebank has no tree in one of the splits.
    """
    seen: set[tuple[str, ...]] = set()
    hashes: list[str] = []
    kept: dict[str, dict[str, list[Tree]]] = {split: {} for split in SPLITS}
    counts: dict[str, Any] = {}
    parse_files = {dataset.name: Parses([find_source(data, path) for path in dataset.parses]) for dataset in datasets}
    hashes += [source.sha256 for parses in parse_files.values() for source in parses.sources]
    split_files = [
        (dataset, file) for dataset in datasets for file in dataset_files(dataset, data) if file.split in SPLITS
    ]
    for dataset, file in sorted(split_files, key=lambda pair: SPLITS.index(pair[1].split)):
        trees = list(read_trees(file, dataset, parse_files[dataset.name]))
        hashes.append(file.source.sha256)
        distinct: dict[tuple[str, ...], Tree] = {}
        for tree in trees:
            if tree.words not in seen:
                distinct.setdefault(tree.words, tree)
        seen |= distinct.keys()
        kept[file.split].setdefault(dataset.name, []).extend(distinct.values())
        earlier = counts.get(key := f"{dataset.name}/{file.split}", {"trees": 0, "used": 0})
        counts[key] = {"trees": earlier["trees"] + len(trees), "used": earlier["used"] + len(distinct)}
    for dataset in datasets:
        if missing := [split for split in SPLITS if not kept[split].get(dataset.name)]:
            raise DataError(f"{dataset.name}: no tree in its {missing[0]} set; a treebank needs {', '.join(SPLITS)}")
    return Treebanks(kept, {"fingerprint": join_hashes(hashes), "splits": counts})


def read_trees(file: SplitFile, dataset: Dataset, parses: Parses) -> Iterator[Tree]:
    """Yield each tree of the file as a binary tree.

    Raise SettingsError for a sentence without a tree, and DataError for a tree that cannot be read.
    """
    for example in reader_of(dataset)(file.source, file.labels):
        if example.split not in (None, file.split):
            continue
        for parse in parses.add_parses(example).parses:
            if parse is None:
                raise SettingsError(
                    f"treebanks: {dataset.name} has a sentence without a tree ({file.source}:{example.line}); "
                    f"remove {dataset.name} from treebanks"
                )
            yield binary_tree(example, parse)


def binary_tree(example: Example, parse: str) -> Tree:
    """Return a binary tree of an example; raise DataError, with its line, if it cannot be read."""
    try:
        return binarise(from_unlabelled(parse))
    except ValueError as error:
        raise example.error(f"{error}; a tree looks like ( ( A man ) runs )") from error

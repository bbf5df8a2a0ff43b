"""The fingerprint of a corpus: one hash of all files that it is made of, which is part of the id of a run."""

import hashlib
from collections.abc import Mapping, Sequence

from attest.config.paths import shipped_folder
from attest.config.settings import Dataset
from attest.config.yaml_files import read_yaml
from attest.data.dataset import SplitFile
from attest.data.files.source import Source
from attest.data.splits.split import POOL, SPLITS
from attest.syntax.parsers import Parser


def corpus_fingerprint(
    dataset: Dataset, files: Sequence[SplitFile], sources: Sequence[Source], parser: Parser | None = None
) -> str:
    """Return the hash of the contents of all `sources` of a corpus and, if given, of the parser of its sentences.

    `sources` are those of the data set's `files` and further ones, such as that of the word vectors.
    """
    hashes = [source.sha256 for source in sources]
    if not order_identifies_files(dataset, files):
        hashes.append(" ".join(file.name for file in files))  # the same files in other roles are other data
    return join_hashes(hashes if parser is None else [*hashes, parser.identity])


def order_identifies_files(dataset: Dataset, files: Sequence[SplitFile]) -> bool:
    """Return whether the order of the files alone says which split or class each of them is.

    It does for the files train, dev and test, for a single file, and for the splits and classes of a shipped data set.
    """
    if [file.name for file in files] in (list(SPLITS), [POOL]):
        return True
    shipped = shipped_folder("conf") / "dataset" / f"{dataset.name}.yaml"
    if not shipped.is_file():
        return False
    return file_names(read_yaml(shipped).get("files", {})) == file_names(dataset.files)


def file_names(files: Mapping[str, str | Mapping[str, str]]) -> list[tuple[str, ...]]:
    """Return the splits of `dataset.files`, each with the classes that have files of their own, in the order given."""
    return [(split, *(() if isinstance(entry, str) else entry)) for split, entry in files.items()]


def join_hashes(hashes: Sequence[str]) -> str:
    """Return one hash of several, 16 hexadecimal digits long."""
    return hashlib.sha256(" ".join(hashes).encode()).hexdigest()[:16]

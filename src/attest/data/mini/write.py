"""Write the built-in corpora in their official formats, always with the same bytes."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from attest.data.mini import grammar, sentences, trees
from attest.data.mini.vectors import SIZE as VECTOR_SIZE
from attest.data.mini.vectors import vector_lines
from attest.errors import DataError
from attest.system.files import atomic_folder, discard_folder
from attest.system.leases import lease_beside, wait_for_lease

VERSION = 6
"""The version of the files: raise it when their content changes."""

SNLI = {"train": 12_000, "dev": 1_000, "test": 2_000}
"""Split -> the number of its pairs."""
UNLABELLED = 0.01
"""The share of pairs without a label, whose annotators disagree, as in SNLI."""
MULTINLI = {"train": 3_000, "dev_matched": 500, "dev_mismatched": 500}
"""Split -> the number of its pairs."""
VECTORS = f"glove/glove.mini.{VECTOR_SIZE}d.txt"
"""The file of vectors for the words of SNLI and MultiNLI. The other data sets have a file of their own."""


def ensure_corpora(folder: Path) -> None:
    """Write the built-in corpora to `folder`, unless it holds their current version."""
    if not is_current(folder):
        with wait_for_lease(lease_beside(folder), "writing the built-in corpora"):
            if not is_current(folder):  # else another process has written them meanwhile
                write_corpora(folder)


def is_current(folder: Path) -> bool:
    """Return whether a folder holds the current version of the built-in corpora."""
    stamp = folder / "VERSION"
    return stamp.is_file() and stamp.read_text(encoding="ascii") == str(VERSION)


def write_corpora(folder: Path) -> None:
    """Write the built-in corpora in place of an earlier version; raise DataError if the folder holds anything else."""
    if (folder / "VERSION").is_file():
        discard_folder(folder)
    elif folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise DataError(
            f"{folder}: the folder exists, but does not hold the built-in corpora; move it, or choose another "
            "folder with paths.cache=FOLDER"
        )
    with atomic_folder(folder) as temporary:
        for path, lines in corpus_files():
            (temporary / path).parent.mkdir(parents=True, exist_ok=True)
            write_lines(temporary / path, lines)
        (temporary / "VERSION").write_text(str(VERSION), encoding="ascii")


def corpus_files() -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the path of each file below the data folder, and its lines."""
    for number, (split, size) in enumerate(SNLI.items()):
        lines = snli_lines(random.Random(f"snli {number}"), size, rare=split != "train")
        yield f"snli/snli_1.0_{split}.jsonl", lines
    for split, size in MULTINLI.items():
        lines = snli_lines(random.Random(f"multinli {split}"), size, rare=split == "dev_mismatched")
        yield f"multinli/multinli_1.0_{split}.jsonl", multinli_lines(lines)
    yield VECTORS, glove_lines()
    yield from sentences.sentence_files()


def write_lines(path: Path, lines: Iterator[str]) -> None:
    """Write a file in the encoding of its data set."""
    encoding = "latin-1" if path.parent.name in sentences.LATIN_1_SETS else "utf-8"
    path.write_text("".join(line + "\n" for line in lines), encoding=encoding)


def snli_lines(rng: random.Random, size: int, *, rare: bool) -> Iterator[str]:
    """Yield `size` rows of SNLI; `rare` allows nouns that are not in training."""
    for number in range(size):
        pair = grammar.draw_inference_pair(rng, rare=rare)
        agreed = rng.random() >= UNLABELLED
        first, second = trees.capitalise(pair.first), trees.capitalise(pair.second)
        votes = [pair.label] * 5 if agreed else ["entailment", "entailment", "neutral", "neutral", "contradiction"]
        row = {
            "annotator_labels": votes,
            "captionID": f"mini-{number:05d}.jpg#0",
            "genre": pair.genre,
            "gold_label": pair.label if agreed else "-",
            "pairID": f"mini-{number:05d}.jpg#0r1{pair.label[0]}",
            "sentence1": trees.sentence(pair.first),
            "sentence1_binary_parse": trees.to_binary_brackets(first),
            "sentence1_parse": f"(ROOT {trees.to_labelled_brackets(first)})",
            "sentence2": trees.sentence(pair.second),
            "sentence2_binary_parse": trees.to_binary_brackets(second),
            "sentence2_parse": f"(ROOT {trees.to_labelled_brackets(second)})",
        }
        yield json.dumps(row)


def multinli_lines(snli: Iterator[str]) -> Iterator[str]:
    """Yield rows of SNLI with the fields of MultiNLI."""
    for number, line in enumerate(snli):
        row = json.loads(line)
        del row["captionID"]
        yield json.dumps({**row, "promptID": str(number), "pairID": f"{number}{row['gold_label'][0]}"})


def glove_lines() -> Iterator[str]:
    """Yield the lines of the vector file for the words of SNLI and MultiNLI."""
    groups: dict[str, tuple[str, ...]] = {
        **{kind: (kind, *nouns) for kind, nouns in grammar.KINDS.items()},
        "rare": grammar.RARE_NOUNS,
        "transitive": (*grammar.TRANSITIVE, *grammar.TRANSITIVE.values()),
        "intransitive": (*grammar.INTRANSITIVE, *grammar.INTRANSITIVE.values()),
        "adjective": grammar.ADJECTIVES,
        "place": grammar.PLACES,
        "function": ("the", "a", "is", "by", "in", "does", "not", "but", "."),
    }
    return vector_lines(groups, without=grammar.NO_VECTOR)

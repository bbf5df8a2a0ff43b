"""The built-in corpora as files: SNLI 1.0 and GloVe in their official formats, the same bytes every time."""

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

from attest.errors import DataError
from attest.mini import grammar, trees
from attest.storage import replacing_folder

VERSION = 1
"""Raised whenever the files change."""

SIZES = {"train": 12_000, "dev": 1_000, "test": 2_000}
UNLABELLED = 0.01
"""Share of pairs whose annotators are made to disagree, as in SNLI."""
VECTOR_SIZE = 24


def ensure(folder: Path) -> None:
    """Make `folder` the data folder of the built-in corpora, unless it is that already."""
    stamp = folder / "VERSION"
    if stamp.is_file() and stamp.read_text(encoding="ascii") == str(VERSION):
        return
    if folder.exists() and not stamp.is_file():
        raise DataError(f"{folder}: is there, but does not hold the built-in corpora; move it out of the way")
    shutil.rmtree(folder, ignore_errors=True)
    with replacing_folder(folder) as temporary:
        (temporary / "snli").mkdir()
        (temporary / "glove").mkdir()
        for number, (split, size) in enumerate(SIZES.items()):
            lines = snli_lines(random.Random(f"snli {number}"), size, rare=split != "train")
            write_lines(temporary / "snli" / f"snli_1.0_{split}.jsonl", lines)
        write_lines(temporary / "glove" / f"glove.mini.{VECTOR_SIZE}d.txt", glove_lines())
        (temporary / "VERSION").write_text(str(VERSION), encoding="ascii")


def write_lines(path: Path, lines: Iterator[str]) -> None:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def snli_lines(rng: random.Random, size: int, *, rare: bool) -> Iterator[str]:
    for number in range(size):
        pair = grammar.draw(rng, rare=rare)
        agreed = rng.random() >= UNLABELLED
        first, second = trees.capitalised(pair.first), trees.capitalised(pair.second)
        votes = [pair.label] * 5 if agreed else ["entailment", "entailment", "neutral", "neutral", "contradiction"]
        row = {
            "annotator_labels": votes,
            "captionID": f"mini-{number:05d}.jpg#0",
            "genre": pair.genre,
            "gold_label": pair.label if agreed else "-",
            "pairID": f"mini-{number:05d}.jpg#0r1{pair.label[0]}",
            "sentence1": trees.sentence(pair.first),
            "sentence1_binary_parse": trees.binary(first),
            "sentence1_parse": f"(ROOT {trees.bracketed(first)})",
            "sentence2": trees.sentence(pair.second),
            "sentence2_binary_parse": trees.binary(second),
            "sentence2_parse": f"(ROOT {trees.bracketed(second)})",
        }
        yield json.dumps(row)


def glove_lines() -> Iterator[str]:
    """A vector per word; words that play the same part lie near each other."""
    parts: dict[str, tuple[str, ...]] = {
        **{kind: (kind, *nouns) for kind, nouns in grammar.KINDS.items()},
        "rare": grammar.RARE_NOUNS,
        "transitive": (*grammar.TRANSITIVE, *grammar.TRANSITIVE.values()),
        "intransitive": (*grammar.INTRANSITIVE, *grammar.INTRANSITIVE.values()),
        "adjective": grammar.ADJECTIVES,
        "place": grammar.PLACES,
        "function": ("the", "a", "is", "by", "in", "does", "not", "but", "."),
    }
    for part, members in parts.items():
        centre = gaussians(f"part {part}")
        for word in members:
            if word not in grammar.NO_VECTOR:
                own = gaussians(f"word {word}")
                numbers = (0.3 * c + 0.4 * o for c, o in zip(centre, own, strict=True))
                yield " ".join([word, *(f"{number:.5f}" for number in numbers)])


def gaussians(name: str) -> list[float]:
    rng = random.Random(name)
    return [rng.gauss(0.0, 1.0) for _ in range(VECTOR_SIZE)]

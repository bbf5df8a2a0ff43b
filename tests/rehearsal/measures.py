"""What full corpora cost: time and peak memory of each stage, each in a process of its own."""

import json
import multiprocessing
import resource
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attest.config.compose import compose
from attest.config.settings import Settings
from attest.data.files import find_source
from attest.data.prepare import prepare
from attest.data.samplers import training_batches
from attest.data.splitting import arrange_splits
from attest.data.text.vectors import read_vectors
from attest.runs.records import Store
from attest.runs.stores import all_records

RECORDS = 10_000
processes = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Stage:
    """The cost of a stage."""

    name: str
    number: int
    """The number of pairs, batches or records that it handles."""
    unit: str
    seconds: float
    peak_bytes: int

    def line(self) -> str:
        """Return the stage as a line for people."""
        rate = self.number / self.seconds
        return (
            f"{self.name:<30}{self.number:>10,} {self.unit:<8}{self.seconds:>9.1f} s{rate:>12,.0f} a second"
            f"{self.peak_bytes / 2**30:>8.2f} GiB"
        )


def alone(function: Callable[..., tuple[int, str]], name: str, *arguments: Any) -> Stage:
    """Return the cost of a function that returns the number and unit of what it handled, in a fresh process."""
    with processes.Pool(1) as pool:
        return Stage(name, *pool.apply(timed, (function, arguments)))


def timed(function: Callable[..., tuple[int, str]], arguments: tuple[Any, ...]) -> tuple[int, str, float, int]:
    """Return what a function returns, its seconds, and the peak memory of this process.

    The arguments are a folder or, as a home and a data set, those of the settings to compose beforehand.
    """
    if len(arguments) > 1:
        arguments = (settings_of(*arguments),)
    began = time.perf_counter()
    number, unit = function(*arguments)
    seconds = time.perf_counter() - began
    return number, unit, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def settings_of(home: str, dataset: str) -> Settings:
    """Return the settings of a run on a corpus at the paper's scale."""
    places = [f"paths.home={home}", f"paths.data={home}/data", f"paths.cache={home}/cache"]
    return compose(["scale=paper", f"experiment=disan/{dataset}", "vectors=glove_840b", "logger=none", *places])


def read_corpus(settings: Settings) -> tuple[int, str]:
    """Read a corpus with its word vectors into the cache."""
    corpus = prepare(settings)
    return sum(split["labelled"] for split in corpus.facts["splits"].values()), "pairs"


def read_vector_file(settings: Settings) -> tuple[int, str]:
    """Look for a word in the file of vectors, as reading a corpus looks for all of its words."""
    source = find_source(Path(settings.paths.data), settings.vectors.file, settings.vectors.archive)
    return read_vectors(source, ["the"], settings.vectors.size).rows, "vectors"


def open_corpus(settings: Settings) -> tuple[int, str]:
    """Open a corpus that is in the cache."""
    return len(prepare(settings).splits), "splits"


def make_batches(settings: Settings) -> tuple[int, str]:
    """Make the batches of one epoch."""
    corpus = arrange_splits(prepare(settings), settings.protocol, settings.seed)
    batches = training_batches(corpus.splits["train"], settings.protocol, settings.seed)
    batches.stop = batches.steps_per_epoch
    return sum(1 for _ in batches), "batches"


def write_store(folder: Path, source: Path, number: int) -> None:
    """Write a store of copies of one record under different ids."""
    folder.mkdir(parents=True, exist_ok=True)
    record = json.loads(source.read_text(encoding="utf-8"))
    for place in range(number):
        identity = f"{place:012x}"
        (folder / f"{identity}.json").write_text(json.dumps({**record, "id": identity}), encoding="utf-8")


def read_store(folder: str) -> tuple[int, str]:
    """Read every record of a store."""
    return len(all_records([Store(Path(folder))])), "records"


def rehearse(home: Path, share: float, record: Path) -> list[Stage]:
    """Return the cost of each stage on corpora that are in `home` already, and on a store of copies of a record."""
    stages = [alone(read_vector_file, "glove: read", str(home), "snli")]
    for dataset in ("snli", "multinli"):
        for function, name in (
            (read_corpus, "read"),
            (open_corpus, "open again"),
            (make_batches, "batches of an epoch"),
        ):
            stages.append(alone(function, f"{dataset}: {name}", str(home), dataset))
    folder = home / "store"
    write_store(folder, record, max(100, round(RECORDS * share)))
    stages.append(alone(read_store, "read a store", str(folder)))
    shutil.rmtree(folder)
    return stages

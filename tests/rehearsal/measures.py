"""What full corpora cost: time and peak memory of each stage, each in a process of its own."""

import io
import json
import multiprocessing
import os
import resource
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from attest.cli import main
from attest.config.compose import compose
from attest.config.flat import to_plain
from attest.config.settings import Settings
from attest.data.batches.protocol import training_batches
from attest.data.files.find_files import find_source
from attest.data.prepare import prepare
from attest.data.splits.splitting import arrange_splits
from attest.data.text.vectors import read_vectors
from attest.runs.known_stores import all_records
from attest.runs.launches import JobState, create_launch
from attest.runs.store import Store
from attest.training.assemble import assemble_task
from attest.training.outputs import outputs_of_splits
from attest.training.run import run

RECORDS = 10_000
STEPS = 50
"""The number of training steps from which those of an epoch are predicted."""
EXPERIMENTS = {"snli": "disan/snli", "multinli": "disan/multinli", "yelp": "ssa/yelp"}
"""Data set -> an experiment on it."""
COMMANDS = ("show disan/table1", "status", "collate", "collate --check")
"""The commands that read the store. The first one that collates also composes the cells of all tables."""
Result = tuple[int, str] | tuple[int, str, float, float | None]
"""The number and unit of what a stage handled, and its seconds and those of cores if it measures them itself."""
processes = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Stage:
    """The cost of a stage."""

    name: str
    number: int
    """The number of pairs, batches or records that it handles."""
    unit: str
    seconds: float
    core_seconds: float | None
    """The time that cores spent on it, which other programs change little; None if the time is predicted."""
    peak_bytes: int

    def line(self) -> str:
        """Return the stage as a line for people."""
        time = f"{self.seconds:>8.1f} s{self.peak_bytes / 2**30:>7.2f} GiB"
        known = self.core_seconds
        cores = f"{known:>9.1f} s of a core, {self.number / known:>9,.0f} a second" if known else ""
        return f"{self.name:<34}{self.number:>10,} {self.unit:<9}{time}{cores}"


def alone(function: Callable[..., Result], name: str, *arguments: Any, settings: Sequence[str] = ()) -> Stage:
    """Return the cost of a function in a fresh process; see `timed`."""
    with processes.Pool(1) as pool:
        return Stage(name, *pool.apply(timed, (function, arguments, settings)))


def timed(
    function: Callable[..., Result], arguments: Sequence[Any], settings: Sequence[str]
) -> tuple[int, str, float, float | None, int]:
    """Return what a function handled, its seconds, those of processor cores, and the peak memory of this process.

    `settings` are a home, a data set and overrides, whose settings are composed beforehand for the first argument.
    """
    if settings:
        arguments = (settings_of(*settings), *arguments)
    began = time.perf_counter(), time.process_time()
    number, unit, *measured = function(*arguments)
    seconds = measured or [time.perf_counter() - began[0], time.process_time() - began[1]]
    return number, unit, *seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def settings_of(home: str, dataset: str, *overrides: str) -> Settings:
    """Return the settings of a run on a corpus at the paper's scale."""
    places = [f"paths.home={home}", f"paths.data={home}/data", f"paths.cache={home}/cache"]
    experiment = f"experiment={EXPERIMENTS[dataset]}"
    return compose(["scale=paper", experiment, "vectors=glove_840b", "logger=none", *places, *overrides])


def read_corpus(settings: Settings) -> Result:
    """Read a corpus with its word vectors into the cache."""
    corpus = prepare(settings)
    return sum(split["labelled"] for split in corpus.facts["splits"].values()), "examples"


def read_vector_file(settings: Settings) -> Result:
    """Look for a word in the file of vectors, as reading a corpus looks for all of its words."""
    source = find_source(Path(settings.paths.data), settings.vectors.file, settings.vectors.archive)
    return read_vectors(source, ["the"], settings.vectors.size).rows, "vectors"


def open_corpus(settings: Settings) -> Result:
    """Open a corpus that is in the cache."""
    return len(prepare(settings).splits), "splits"


def make_batches(settings: Settings) -> Result:
    """Make the batches of one epoch."""
    corpus = arrange_splits(prepare(settings), settings.protocol, settings.seed)
    batches = training_batches(corpus.splits["train"], settings.protocol, settings.seed)
    batches.stop = batches.steps_per_epoch
    return sum(1 for _ in batches), "batches"


def train_an_epoch(settings: Settings) -> Result:
    """Train a few steps, and predict the seconds of the steps of one epoch."""
    corpus = arrange_splits(prepare(settings), settings.protocol, settings.seed)
    steps = training_batches(corpus.splits["train"], settings.protocol, settings.seed).steps_per_epoch
    cost = run(settings).cost
    assert cost is not None
    assert settings.protocol.steps is not None
    return steps, "steps", cost.step_seconds / settings.protocol.steps * steps, None


def evaluate(settings: Settings) -> Result:
    """Compute the outputs of a model for dev and test."""
    corpus = arrange_splits(prepare(settings), settings.protocol, settings.seed)
    module = assemble_task(settings, corpus)
    splits = {name: corpus.splits[name] for name in ("dev", "test")}
    began = time.perf_counter(), time.process_time()
    outputs_of_splits(module, splits, settings.protocol.evaluation_batch_size)
    seconds = time.perf_counter() - began[0], time.process_time() - began[1]
    return sum(map(len, splits.values())), "examples", *seconds


def write_store(home: Path, sources: Sequence[Path], number: int) -> None:
    """Write a store of copies of records under different ids and seeds, and a launch of as many jobs."""
    folder = home / "results/records"
    folder.mkdir(parents=True)
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sources]
    names = {f"disan seed={place}": ["model=disan", f"seed={place}"] for place in range(number)}
    launch = create_launch(home / "runs", "disan/table1", "joblib", names)
    for place in range(number):
        record, identity, seed = records[place % len(records)], f"{place:012x}", place // len(records) + 1
        settings = {**record["settings"], **({"seed": seed} if "seed" in record["settings"] else {})}
        copy = {**record, "id": identity, "seed": seed, "settings": settings}
        (folder / f"{identity}.json").write_text(json.dumps(copy), encoding="utf-8")
        if place % 10:  # every tenth job waits
            state = to_plain(JobState(status="done", run=identity))
            (launch.folder / f"{place}.json").write_text(json.dumps(state), encoding="utf-8")


def read_store(home: str) -> Result:
    """Read every record of a store."""
    return len(all_records([Store(Path(home) / "results/records")])), "records"


def run_command(home: str, command: str, number: int) -> Result:
    """Run a command on a store with a number of records."""
    with redirect_stdout(io.StringIO()), patch.dict(os.environ, ATTEST_HOME=home):
        code = main(command.split())
    assert code == 0, command
    return number, "records"


def rehearse(home: Path, share: float, records: Sequence[Path]) -> Iterator[Stage]:
    """Yield the cost of each stage on corpora that are in `home` already, and on a store of copies of records."""
    yield alone(read_vector_file, "glove: read", settings=(str(home), "snli"))
    for dataset in EXPERIMENTS:
        place = (str(home), dataset)
        yield alone(read_corpus, f"{dataset}: read", settings=place)
        yield alone(open_corpus, f"{dataset}: open again", settings=place)
        yield alone(make_batches, f"{dataset}: batches of an epoch", settings=place)
    steps = max(2, round(STEPS * share))
    short = (f"protocol.steps={steps}", f"protocol.evaluate_every={steps}", "trainer.on_train=false")
    yield alone(train_an_epoch, f"snli: an epoch, from {steps} steps", settings=(str(home), "snli", *short))
    yield alone(evaluate, "snli: evaluate dev and test", settings=(str(home), "snli"))
    store, number = home / "store", max(100, round(RECORDS * share))
    write_store(store, records, number)
    yield alone(read_store, "read a store", str(store))
    for command in COMMANDS:
        yield alone(run_command, f"attest {command}", str(store), command, number)
    shutil.rmtree(store)

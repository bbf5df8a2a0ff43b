"""Evaluation of an encoder on SentEval's tasks, with finished tasks kept on disk."""

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path

from attest.config.flat import flatten, to_plain
from attest.config.schema import from_plain
from attest.data.inputs import check_inputs
from attest.errors import SettingsError
from attest.runs import versions
from attest.runs.identity import digest
from attest.runs.observers import ObserveWork, no_observers
from attest.system.files import write_json
from attest.system.leases import lease_beside, wait_for_lease
from attest.transfer.inputs import classifier_inputs
from attest.transfer.outcomes import Outcome
from attest.transfer.scoring import score_task
from attest.transfer.settings import Transfer
from attest.transfer.task_data import TaskExamples, read_tasks
from attest.transfer.vector_cache import Encode, SentenceVectors


def evaluate(
    encode: Encode,
    tasks: Sequence[str],
    data: str | Path,
    settings: Transfer | None = None,
    *,
    identity: str | None = None,
    cache: str | Path | None = None,
    observe: ObserveWork = no_observers,
) -> dict[str, Outcome]:
    """Evaluate an encoder on the named tasks, which are keys of TASKS, and return the outcome of each task by its name.

    `encode` takes a list of N sentences, whose tokens are joined by spaces, and returns an array (N, W). The official
    files are read below the folder `data`. `settings` is the protocol, by default SentEval's with 10 folds; `observe`
    may open a display of progress. If `identity`, a name for this encoder alone, and the folder `cache` are given,
    vectors and finished tasks are kept there, and an interrupted evaluation is resumed. Raise SettingsError for a wrong
    argument, DataError for missing or damaged files, and EncodingError if `encode` returns something else than finite
    numbers (N, W).

        >>> def encode(sentences):
        ...     return [[len(sentence), sentence.count(" ")] for sentence in sentences]
        >>> outcomes = evaluate(encode, ["STS14"], "data")
        >>> outcomes["STS14"].width
        2
        >>> "STS14/pearson/mean" in figures(outcomes)
        True
    """
    settings = Transfer() if settings is None else settings
    for name, value, right, expected in (
        ("encode", encode, callable(encode), "a function from a list of sentences to an array"),
        ("data", data, isinstance(data, str | PathLike), "the folder of the official files"),
        ("settings", settings, isinstance(settings, Transfer), "an instance of Transfer"),
        ("identity", identity, isinstance(identity, str | None), "a name for this encoder alone"),
        ("cache", cache, isinstance(cache, str | PathLike | None), "a folder"),
    ):
        if not right:
            raise SettingsError(f"{name}: expected {expected}, got {value!r}")
    if (identity is None) != (cache is None):
        raise SettingsError("identity, cache: only one of them is given; give both, or neither to keep nothing")
    cached = None if identity is None or cache is None else (identity, Path(cache))
    return evaluate_tasks(encode, read_tasks(tasks, Path(data)), settings, cached, observe)


def evaluate_tasks(
    encode: Encode,
    tasks: Mapping[str, TaskExamples],
    settings: Transfer,
    cache: tuple[str, Path] | None = None,
    observe: ObserveWork = no_observers,
    on_outcome: Callable[[Outcome], None] = lambda outcome: None,
) -> dict[str, Outcome]:
    """Evaluate an encoder on the tasks whose examples are given, and return the outcome of each task by its name.

    `cache` is the identity of the encoder and the folder that keeps vectors and outcomes; None keeps nothing.
    `on_outcome` is called with each outcome.
    """

    @functools.cache
    def sentence_vectors() -> SentenceVectors:
        check_inputs(classifier_inputs(list(tasks), settings))
        folder = None if cache is None else cache[1] / "vectors" / digest(cache[0])
        return SentenceVectors(encode, folder, settings.batch_size)

    def score(name: str) -> Outcome:
        return score_task(name, tasks[name], sentence_vectors(), settings, observe)

    outcomes: dict[str, Outcome] = {}
    for name, examples in tasks.items():
        path = None if cache is None else outcome_path(*cache, name, examples, settings)
        outcomes[name] = score(name) if path is None else kept_outcome(path, name, score)
        on_outcome(outcomes[name])
    return outcomes


def kept_outcome(path: Path, name: str, score: Callable[[str], Outcome]) -> Outcome:
    """Return the outcome of the task `name` that a file keeps; if there is none, make it by `score` and keep it.

    Of several processes one makes it, and the others wait for the file.
    """
    if (outcome := read_outcome(path)) is not None:
        return outcome
    with wait_for_lease(lease_beside(path), f"evaluating {name}"):
        if (outcome := read_outcome(path)) is None:
            outcome = score(name)
            write_json(path, to_plain(outcome))
    return outcome


def outcome_path(identity: str, cache: Path, name: str, examples: TaskExamples, settings: Transfer) -> Path:
    """Return the path of a task's outcome, whose name holds a hash of everything that the outcome depends on."""
    key = digest([flatten(settings), versions.TRANSFER, identity, examples.fingerprint])
    return cache / "transfer" / f"{name}-{key}.json"


def read_outcome(path: Path) -> Outcome | None:
    """Return the outcome in a file, or None if the file is missing or cannot be read."""
    try:
        return from_plain(Outcome, json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, SettingsError):
        return None  # missing, written by an earlier version, or damaged: the task is evaluated again

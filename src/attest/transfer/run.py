"""One evaluation of one encoder, run or resumed, and its record."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from attest.config.schema import flatten, to_plain
from attest.config.settings import Paths
from attest.errors import SettingsError
from attest.runs import versions
from attest.runs.identity import digest
from attest.runs.lifecycle import recording_failures
from attest.runs.observers import ObserveWork, no_observers
from attest.runs.records import Record, Store, utc_now
from attest.syntax.parsers import Parser
from attest.system import environment
from attest.system.locks import lease
from attest.transfer.evaluate import evaluate_sets
from attest.transfer.outcomes import Outcome, figures
from attest.transfer.settings import Transfer
from attest.transfer.task_data import Sets
from attest.transfer.vector_cache import Encode


@dataclass(frozen=True)
class Encoder:
    """A function from sentences to vectors, with what a record needs to know of it."""

    name: str
    """The name that people read."""
    identity: str
    """The cache key: two encoders share it only if they give the same vectors."""
    encode: Encode
    parents: Sequence[str] = ()
    """The id of the run that trained it, if there is one."""
    vectors: Mapping[str, int | None] = field(default_factory=dict)
    """The number of rows of its file of word vectors, and of the official file (expected), if it has one."""
    parser: Parser | None = None
    """The parser of these sentences, if the encoder was trained on other trees."""


def run(
    encoder: Encoder,
    sets: Mapping[str, Sets],
    settings: Transfer,
    paths: Paths,
    observe: ObserveWork = no_observers,
    finished: Callable[[Outcome], None] = lambda outcome: None,
    recorded: Callable[[Record], None] = lambda record: None,
) -> Record:
    """Return the record of an evaluation; what is finished, the whole or a task of it, is not repeated.

    A failure leaves a record too, and the next call resumes at the task that failed. `finished` is called with each
    outcome, and `recorded` with a new record.
    """
    run_settings = {"encoder": encoder.name, "tasks": list(sets), **flatten(settings)}
    fingerprint = digest([task_sets.fingerprint for task_sets in sets.values()])
    identity = digest([run_settings, versions.TRANSFER, encoder.identity, fingerprint])
    store = Store(Path(paths.records))
    with lease(Path(paths.runs) / identity / "lease.json"):
        outcomes: dict[str, Outcome] = {}
        describe = partial(record_of, identity, encoder, run_settings, fingerprint, settings, outcomes)

        def keep(outcome: Outcome) -> None:
            outcomes[outcome.task] = outcome
            finished(outcome)

        with recording_failures(store, describe, SettingsError):  # settings are not the encoder's fault
            evaluate_sets(encoder.encode, sets, settings, (encoder.identity, Path(paths.cache)), observe, keep)
        record = store.get(identity)
        if record is None or record.status == "failed":
            record = describe(status="done")
            store.put(record)
            recorded(record)
    return record


def record_of(
    identity: str,
    encoder: Encoder,
    run_settings: Mapping[str, object],
    fingerprint: str,
    settings: Transfer,
    outcomes: Mapping[str, Outcome],
    **outcome: Any,
) -> Record:
    """Return the record of the tasks that are finished; `outcome` holds the status and other fields of the record."""
    used = {
        f"{name}/{split}": n for name, task_outcome in outcomes.items() for split, n in task_outcome.examples.items()
    }
    expected = {
        f"{name}/{split}": n for name, task_outcome in outcomes.items() for split, n in task_outcome.expected.items()
    }
    parser = encoder.parser
    return Record(
        id=identity,
        kind="transfer",
        parents=(*encoder.parents, *(parser.parents if parser is not None else ())),
        settings=run_settings,
        versions={"transfer": versions.TRANSFER},
        data={
            "fingerprint": fingerprint,
            "encoder": encoder.identity,
            "splits": {split: {"used": n} for split, n in used.items()},
            "vectors": {"rows": encoder.vectors.get("rows")},
            **({} if parser is None else {"parser": parser.facts()}),
            "expected": {"splits": expected, "vectors": encoder.vectors.get("expected")},
        },
        seed=settings.seed,
        metrics=figures(outcomes),
        curve=tuple(curve_row(task_outcome) for task_outcome in outcomes.values()),
        environment=environment.describe(),
        finished=utc_now(),
        **outcome,
    )


def curve_row(outcome: Outcome) -> dict[str, object]:
    """Return the facts of a task besides its metrics, as a row of the record's curve."""
    keys = ("task", "width", "strengths", "cut_off", "encoding_seconds", "seconds")
    return {key: to_plain(getattr(outcome, key)) for key in keys}

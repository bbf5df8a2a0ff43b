"""Evaluate one encoder on SentEval's tasks and record the result, or return the record of a finished evaluation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from attest.config.flat import flatten, to_plain
from attest.config.settings import Paths
from attest.errors import SettingsError
from attest.runs import versions
from attest.runs.identity import digest
from attest.runs.lifecycle import recording_failures
from attest.runs.observers import ObserveWork, no_observers
from attest.runs.records import Record, utc_now
from attest.runs.store import Store
from attest.syntax.parsers import Parser
from attest.system import environment
from attest.system.leases import lease, lease_file
from attest.transfer.evaluate import evaluate_tasks
from attest.transfer.outcomes import Outcome, figures
from attest.transfer.settings import Transfer
from attest.transfer.task_data import TaskExamples
from attest.transfer.vector_cache import Encode


@dataclass(frozen=True)
class EvaluatedEncoder:
    """A function from sentences to vectors, with the facts about it that a record holds."""

    name: str
    """The name shown to people, such as \"average glove.6B.300d.txt\"."""
    identity: str
    """The cache key, which two encoders may share only if they return equal vectors."""
    encode: Encode
    parents: Sequence[str] = ()
    """The ids of the runs that trained the encoder; empty if no run did."""
    vectors: Mapping[str, int | None] = field(default_factory=dict)
    """The number of rows of the encoder's file of word vectors (`rows`) and of the official file (`expected`); empty if
    the encoder has no such file."""
    precision: str = "fp32"
    """The number format of its products of matrices, which its `identity` names if it is not fp32."""
    parser: Parser | None = None
    """The parser of the tasks' sentences, for an encoder that was trained on the trees of its data; else None."""


def run(
    encoder: EvaluatedEncoder,
    tasks: Mapping[str, TaskExamples],
    settings: Transfer,
    paths: Paths,
    observe: ObserveWork = no_observers,
    on_outcome: Callable[[Outcome], None] = lambda outcome: None,
    on_record: Callable[[Record], None] = lambda record: None,
    scale: str | None = None,
) -> Record:
    """Evaluate the encoder on the given tasks, and return the record of the evaluation.

    A finished evaluation is not repeated, nor are finished tasks of another one. A failure leaves a record too, and the
    next call resumes at the task that failed. For a new evaluation, `on_outcome` is called with the outcome of each
    task, and `on_record` with the record. `scale` is a fact for the record, which its id does not depend on; None
    leaves it out.
    """
    run_settings = {"encoder": encoder.name, "tasks": list(tasks), **flatten(settings)}
    fingerprint = digest([examples.fingerprint for examples in tasks.values()])
    identity = digest([run_settings, versions.TRANSFER, encoder.identity, fingerprint])
    store = Store(Path(paths.records))
    with lease(lease_file(Path(paths.runs) / identity)):
        if (known := store.get(identity)) is not None and known.status == "done":
            return known
        outcomes: dict[str, Outcome] = {}
        describe = partial(record_of, identity, encoder, run_settings, fingerprint, settings, outcomes, scale)

        def keep(outcome: Outcome) -> None:
            outcomes[outcome.task] = outcome
            on_outcome(outcome)

        with recording_failures(store, describe, SettingsError):  # a wrong setting says nothing about the encoder
            evaluate_tasks(encoder.encode, tasks, settings, (encoder.identity, Path(paths.cache)), observe, keep)
        record = describe(status="done")
        store.put(record)
        on_record(record)
    return record


def record_of(
    identity: str,
    encoder: EvaluatedEncoder,
    run_settings: Mapping[str, object],
    fingerprint: str,
    settings: Transfer,
    outcomes: Mapping[str, Outcome],
    scale: str | None,
    **fields: Any,
) -> Record:
    """Return a record of the finished tasks; the keyword arguments `fields` are further fields, such as `status`."""
    used = {f"{name}/{split}": n for name, outcome in outcomes.items() for split, n in outcome.examples.items()}
    expected = {f"{name}/{split}": n for name, outcome in outcomes.items() for split, n in outcome.expected.items()}
    parser = encoder.parser
    return Record(
        id=identity,
        kind="transfer",
        parents=(*encoder.parents, *(parser.parents if parser is not None else ())),
        settings=run_settings,
        versions={"transfer": versions.TRANSFER},
        data={
            "fingerprint": fingerprint,
            **({} if scale is None else {"scale": scale}),
            "encoder": encoder.identity,
            "splits": {split: {"used": n} for split, n in used.items()},
            "vectors": {"rows": encoder.vectors.get("rows")},
            **({} if parser is None else {"parser": parser.facts()}),
            **({} if encoder.precision == "fp32" else {"precision": encoder.precision}),
            "expected": {"splits": expected, "vectors": encoder.vectors.get("expected")},
        },
        seed=settings.seed,
        metrics=figures(outcomes),
        curve=tuple(curve_row(outcome) for outcome in outcomes.values()),
        environment=environment.describe(),
        finished=utc_now(),
        **fields,
    )


def curve_row(outcome: Outcome) -> dict[str, object]:
    """Return the width, strengths and times of a task by name, which a record lists in its `curve`."""
    keys = ("task", "width", "strengths", "cut_off", "encoding_seconds", "seconds")
    return {key: to_plain(getattr(outcome, key)) for key in keys}

"""One evaluation of one encoder, finished or gone on with, and its record."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from attest.config.schema import flatten, plain
from attest.config.settings import Paths
from attest.errors import SettingsError
from attest.runs import versions
from attest.runs.identity import digest
from attest.runs.lifecycle import failures_recorded
from attest.runs.records import Record, Store, now
from attest.syntax.parsers import Parser
from attest.system import environment
from attest.system.locks import lease
from attest.transfer.evaluate import evaluate_sets
from attest.transfer.outcomes import Outcome, figures
from attest.transfer.scoring import Watch, silent
from attest.transfer.settings import Transfer
from attest.transfer.task_data import Sets
from attest.transfer.vector_cache import Encode


@dataclass(frozen=True)
class Encoder:
    """Whatever turns sentences into vectors."""

    name: str
    """For people."""
    identity: str
    """The same only for an encoder that gives the same vectors."""
    encode: Encode
    parents: Sequence[str] = ()
    """The id of the run that trained it."""
    vectors: Mapping[str, int | None] = field(default_factory=dict)
    """How many rows its file of word vectors has, and how many the official one has (expected), if it has one."""
    parser: Parser | None = None
    """Whose trees it has for these sentences, if it was trained on others."""


def run(
    encoder: Encoder,
    sets: Mapping[str, Sets],
    settings: Transfer,
    paths: Paths,
    watch: Watch = silent,
    finished: Callable[[Outcome], None] = lambda outcome: None,
    recorded: Callable[[Record], None] = lambda record: None,
) -> Record:
    """The record of this evaluation. What is finished is not repeated, neither the whole nor a task of it; what failed
    is recorded as failed, and begins again where it failed."""
    chosen = {"encoder": encoder.name, "tasks": list(sets), **flatten(settings)}
    fingerprint = digest([one.fingerprint for one in sets.values()])
    identity = digest([chosen, versions.TRANSFER, encoder.identity, fingerprint])
    store = Store(Path(paths.records))
    with lease(Path(paths.runs) / identity / "lease.json"):
        outcomes: dict[str, Outcome] = {}
        describe = partial(record_of, identity, encoder, chosen, fingerprint, settings, outcomes)

        def keep(outcome: Outcome) -> None:
            outcomes[outcome.task] = outcome
            finished(outcome)

        with failures_recorded(store, describe, SettingsError):  # settings are not the encoder's fault
            evaluate_sets(encoder.encode, sets, settings, (encoder.identity, Path(paths.cache)), watch, keep)
        record = store.get(identity)
        if record is None or record.status == "failed":
            record = describe(status="done")
            store.put(record)
            recorded(record)
    return record


def record_of(
    identity: str,
    encoder: Encoder,
    chosen: Mapping[str, object],
    fingerprint: str,
    settings: Transfer,
    outcomes: Mapping[str, Outcome],
    **outcome: Any,
) -> Record:
    """Of the tasks that are finished."""
    used = {f"{name}/{split}": n for name, one in outcomes.items() for split, n in one.examples.items()}
    expected = {f"{name}/{split}": n for name, one in outcomes.items() for split, n in one.expected.items()}
    parser = encoder.parser
    return Record(
        id=identity,
        kind="transfer",
        parents=(*encoder.parents, *(parser.parents if parser is not None else ())),
        settings=chosen,
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
        curve=tuple(row_of(one) for one in outcomes.values()),
        environment=environment.describe(),
        finished=now(),
        **outcome,
    )


def row_of(outcome: Outcome) -> dict[str, object]:
    """What is worth knowing of a task besides its figures."""
    keys = ("task", "width", "strengths", "cut_off", "encoding_seconds", "seconds")
    return {key: plain(getattr(outcome, key)) for key in keys}

"""Records of runs: settings, data, figures, curve, cost and machine of a run, in the form of their JSON files."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from attest.config.settings import Label

RECORD_SCHEMA = 1
"""The version of the format of records."""


@dataclass(frozen=True, kw_only=True)
class Cost:
    """The cost of a run in seconds and bytes."""

    step_seconds: float
    """The time of all training steps, without evaluation and, on a processor, without preparing batches, as the DiSAN
    authors count."""
    epoch_seconds: float
    """The time of the training steps of one pass over the training set."""
    full_epoch_seconds: float
    """The time of the training steps of one pass over as many examples as the official training set has."""
    wall_seconds: float
    """The elapsed time of training with its evaluations and checkpoints, summed over interruptions; without reading
    the data, building the model and the final evaluation."""
    peak_bytes: int
    """The peak memory of the process (CPU) or of the device (GPU) during training."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """The record of a finished or failed run, or of a result computed without training.

    A run trains a model (train) or a parser (parser). A result computed without training is the F1 of a parser on the
    trees of another data set (parser_test), a benchmark (bench), attention maps (attention), scores on SentEval's tasks
    (transfer), the list of a test set's hard pairs (subset), or weights of other code, which have no figures (import).
    """

    schema: int = RECORD_SCHEMA
    """The version of the format that the record was written in."""
    id: str
    kind: Literal["train", "parser", "parser_test", "bench", "attention", "transfer", "subset", "import"] = "train"
    status: Literal["running", "done", "failed"]
    """The state of the run; a record that is stored is never running."""
    parents: Sequence[str] = ()
    """The ids of the runs that the result was computed from."""
    label: Label = field(default_factory=Label)
    settings: Mapping[str, Any]
    """The values of all settings that can enter the id, by dotted key, defaults included."""
    versions: Mapping[str, int]
    """The version numbers of the code that the figures depend on."""
    data: Mapping[str, Any]
    """The facts about the data: the fingerprint, the counts of what was read, and the official counts (`expected`)."""
    seed: int
    metrics: Mapping[str, float] = field(default_factory=dict)
    """The metrics of the selected checkpoint, by names such as test/accuracy."""
    selected: Mapping[str, Any] = field(default_factory=dict)
    """The step whose weights were evaluated, and the rule that selected it."""
    curve: Sequence[Mapping[str, Any]] = ()
    """The learning curve, with an entry for each evaluation; in other kinds of records, a list of results."""
    cost: Cost | None = None
    devices: Sequence[Mapping[str, Any]] = ()
    """The devices that the run was trained on, in their order, as `devices_used` lists them; empty in the records of
    earlier versions, and if nothing was trained."""
    environment: Mapping[str, Any] = field(default_factory=dict)
    """The machine, library versions and commit; `commits` lists those of a run that more than one commit trained."""
    error: str | None = None
    """The stack trace of a failed run; None if it is finished."""
    reason: str = ""
    """The error of a failed run in one line; empty if it is finished."""
    finished: str = ""
    """The time in UTC at which the record was made, as in 2026-01-31T12:00:00Z: the end of the run, unless it is still
    running."""

    @cached_property
    def setting_items(self) -> frozenset[tuple[str, Any]]:
        """The settings as a set, which subtracts faster than a dict compares."""
        return hashable_items(self.settings)

    @property
    def retry_overrides(self) -> list[str]:
        """The overrides without which the command of the run would skip it."""
        return ["retry_uncommitted=true"] * self.uncommitted + ["retry_failed=true"] * (self.status == "failed")

    @property
    def uncommitted(self) -> bool:
        """True if the checkout of the code had uncommitted changes, so that its commit does not identify the code."""
        return bool(self.environment.get("uncommitted_changes"))

    @property
    def commits(self) -> Sequence[Mapping[str, Any]]:
        """The commits of a run that more than one commit trained, as `combined_state` lists them; else empty."""
        return self.environment.get("commits", ())

    def shown_metrics(self, hidden: Sequence[str] = ()) -> dict[str, float]:
        """Return the metrics by name, without those of the splits in `hidden`."""
        return {name: value for name, value in self.metrics.items() if name.partition("/")[0] not in hidden}

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the data."""
        return str(self.data["fingerprint"])


def hashable_items(settings: Mapping[str, Any]) -> frozenset[tuple[str, Any]]:
    """Return the keys and values of plain settings as a set; equal values are equal members."""
    return frozenset((key, hashable(value)) for key, value in settings.items())


def hashable(value: Any) -> Any:
    """Return a plain value with lists as tuples and dicts as sets of pairs."""
    if isinstance(value, list | tuple):
        return tuple(map(hashable, value))
    return hashable_items(value) if isinstance(value, dict) else value


def utc_now() -> str:
    """Return the time in UTC, as in 2026-01-31T12:00:00Z."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())

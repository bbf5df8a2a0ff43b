"""The mirror of the records on Weights & Biases: their id is its id, their table or kind its group.

Offline unless a key is configured. The record is the truth; what fails here never fails the run.
"""

import netrc
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import wandb

from attest.identity import flatten, name_of
from attest.records import Record
from attest.settings import Settings
from attest.watching import Watcher

HOST = "api.wandb.ai"


@contextmanager
def mirror(settings: Settings, identity: str, hidden: Sequence[str] = ()) -> Iterator[Watcher]:
    """A training run, without the figures of `hidden` splits."""
    config = {**flatten(settings), "label": vars(settings.label)}
    with opened(settings, identity, settings.label.table or None, name_of(settings), config) as run:
        yield Mirror(run, hidden)


def mirror_record(record: Record, name: str, settings: Settings) -> None:
    """What is finished already, and has figures alone; `settings` say where to."""
    config = {**record.settings, "parents": list(record.parents)}
    with opened(settings, record.id, record.kind, name, config) as run:
        Mirror(run).finished(record)


@contextmanager
def opened(
    settings: Settings, identity: str, group: str | None, name: str, config: Mapping[str, Any]
) -> Iterator[wandb.Run]:
    """One W&B run, finished in any case."""
    Path(settings.paths.wandb).mkdir(parents=True, exist_ok=True)
    online = settings.logger.online if settings.logger.online is not None else key_is_configured()
    run = wandb.init(
        project=settings.logger.project,
        group=group,
        name=name,
        id=identity,
        resume="allow" if online else None,
        config=dict(config),
        dir=settings.paths.wandb,
        mode="online" if online else "offline",
        settings=wandb.Settings(silent=True, console="off", disable_git=True, x_disable_stats=True),
    )
    exit_code = 1
    try:
        yield run
        exit_code = 0
    finally:
        run.finish(exit_code=exit_code)


class Mirror:
    def __init__(self, run: Any, hidden: Sequence[str] = ()) -> None:
        self.run, self.hidden = run, hidden

    def step(self, step: int) -> None: ...

    def evaluated(self, entry: Mapping[str, float]) -> None:
        self.run.log(dict(entry), step=int(entry["step"]))

    def finished(self, record: Record) -> None:
        cost = {} if record.cost is None else {f"cost/{key}": value for key, value in vars(record.cost).items()}
        metrics = {key: value for key, value in record.metrics.items() if key.partition("/")[0] not in self.hidden}
        self.run.summary.update({**metrics, **cost, "status": record.status, "selected": dict(record.selected)})


def key_is_configured() -> bool:
    """Whether W&B would find an API key, asked without showing it to anybody."""
    if os.environ.get("WANDB_API_KEY"):
        return True
    path = Path(os.environ.get("NETRC", Path.home() / ".netrc"))
    try:
        return netrc.netrc(path).authenticators(HOST) is not None
    except (OSError, netrc.NetrcParseError):
        return False

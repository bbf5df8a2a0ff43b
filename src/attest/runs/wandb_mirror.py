"""Mirror of records on Weights & Biases (W&B): a W&B run has a record's id, and its table or kind as the group.

By default, the mirror is offline unless an API key is configured. Records do not depend on the mirror: any W&B error is
logged as a warning and never fails the run.
"""

import logging
import netrc
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, get_args

import wandb

from attest.config.schema import flatten
from attest.config.settings import HasLogger, Logger, Settings
from attest.runs.identity import run_name
from attest.runs.observers import Observer
from attest.runs.records import Record

HOST = "api.wandb.ai"
Mode = Literal["online", "offline", "disabled"]
log = logging.getLogger(__name__)


@contextmanager
def mirror_run(settings: Settings, identity: str, hidden: Sequence[str] = ()) -> Iterator[Observer]:
    """Yield an observer that mirrors a training run, without the final metrics of the `hidden` splits."""
    config = {**flatten(settings), "label": vars(settings.label)}
    with wandb_run(settings, identity, settings.label.table or None, run_name(settings), config) as run:
        yield WandbMirror(run, hidden)


def mirror_record(record: Record, name: str, settings: HasLogger) -> None:
    """Send a finished record to W&B as one run with the given name, as `settings.logger` says."""
    config = {**record.settings, "parents": list(record.parents)}
    with wandb_run(settings, record.id, record.kind, name, config) as run:
        WandbMirror(run).finished(record)


@contextmanager
def wandb_run(
    settings: HasLogger, identity: str, group: str | None, name: str, config: Mapping[str, Any]
) -> Iterator[wandb.Run | None]:
    """Yield a W&B run, and finish it at the end or after an error; yield None if it cannot be started.

    If an online run cannot be started, an offline run is tried.
    """
    run, mode = None, wandb_mode(settings.logger)
    modes: tuple[Mode, ...] = ("online", "offline") if mode == "online" else (mode,)
    for tried in modes:
        with log_wandb_errors(f"starting a run that is {tried}"):
            Path(settings.paths.wandb).mkdir(parents=True, exist_ok=True)
            run = wandb.init(
                project=settings.logger.project,
                group=group,
                name=name,
                id=identity,
                resume="allow" if tried == "online" else None,
                config=dict(config),
                dir=settings.paths.wandb,
                mode=tried,
                settings=wandb.Settings(silent=True, console="off", disable_git=True, x_disable_stats=True),
            )
            break
    exit_code = 1
    try:
        yield run
        exit_code = 0
    finally:
        if run is not None:
            with log_wandb_errors("ending a run"):
                run.finish(exit_code=exit_code)


@contextmanager
def log_wandb_errors(doing: str) -> Iterator[None]:
    """Log any error in the context as a warning, so that a failing mirror never fails the run.

    `doing` is what was tried, for the text of the warning, such as "ending a run". All errors are caught, because W&B
    raises errors of many classes, those of the network included.
    """
    try:
        yield
    except Exception as error:
        reason = " ".join(str(error).split())
        log.warning("Weights & Biases, %s: %s: %s; nothing else is touched by it", doing, type(error).__name__, reason)


class WandbMirror:
    """An observer that sends the curve and the final metrics to a W&B run, or does nothing if `run` is None."""

    def __init__(self, run: Any, hidden: Sequence[str] = ()) -> None:
        self.run, self.hidden = run, hidden

    def step(self, step: int) -> None: ...

    def evaluated(self, entry: Mapping[str, float]) -> None:
        if self.run is not None:
            with log_wandb_errors("sending figures"):
                self.run.log(dict(entry), step=int(entry["step"]))

    def finished(self, record: Record) -> None:
        if self.run is None:
            return
        cost = {} if record.cost is None else {f"cost/{key}": value for key, value in vars(record.cost).items()}
        metrics = {key: value for key, value in record.metrics.items() if key.partition("/")[0] not in self.hidden}
        with log_wandb_errors("sending the end of a run"):
            self.run.summary.update({**metrics, **cost, "status": record.status, "selected": dict(record.selected)})


def wandb_mode(logger: Logger) -> Mode:
    """Return the mode of W&B: as logger.online says, else as WANDB_MODE says, else online if there is an API key."""
    if logger.online is not None:
        return "online" if logger.online else "offline"
    for mode in get_args(Mode):
        if os.environ.get("WANDB_MODE") == mode:
            return mode
    return "online" if has_api_key() else "offline"


def has_api_key() -> bool:
    """Return whether an API key is configured where W&B looks: in WANDB_API_KEY or in the netrc file."""
    if os.environ.get("WANDB_API_KEY"):
        return True
    path = Path(os.environ.get("NETRC", Path.home() / ".netrc"))
    try:
        return netrc.netrc(path).authenticators(HOST) is not None
    except (OSError, netrc.NetrcParseError):
        return False

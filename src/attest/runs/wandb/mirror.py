"""Mirror of runs on Weights & Biases (W&B): a W&B run has the id of a record, and shows its card and figures.

Records do not depend on the mirror: any W&B error is logged as a warning and never fails the run.
"""

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import wandb

from attest.config.settings import HasLogger, Logger
from attest.errors import PASSING_ERRORS, MirrorError, one_line
from attest.runs.observers import MeasureStep, Observer
from attest.runs.records import Record
from attest.runs.run_card import RunCard, summary, with_logger_settings
from attest.runs.run_folder import weights_file
from attest.runs.step_points import StepPoints
from attest.runs.store import Store, first_arrays
from attest.runs.wandb.account import Mode, wandb_mode
from attest.runs.wandb.errors import log_wandb_errors
from attest.runs.wandb.retries import is_retry, note_earlier_curve
from attest.runs.wandb.segments import Logged, logged_offline, remove_unsent_segments

log = logging.getLogger(__name__)
START_SECONDS = 30.0
"""The number of seconds that the start of an online run waits for the server, before the run is kept offline."""
FINISH_SECONDS = 60.0
"""The number of seconds that the end of a run waits for uploads; what is not sent then stays in W&B's folder."""


@contextmanager
def mirror_run(settings: HasLogger, card: RunCard, hidden: Sequence[str] = ()) -> Iterator[Observer]:
    """Yield an observer that mirrors a run, without the final metrics of the `hidden` splits.

    If an online run cannot be started, an offline run is tried. Offline segments of an earlier training of the same run
    are deleted if they are not sent yet; a curve that W&B has is kept, and noted as such.
    """
    mode, folder = mode_of_runs(settings.logger), Path(settings.paths.wandb)
    modes: tuple[Mode, ...] = ("online", "offline") if mode == "online" else (mode,)
    run, logged = None, Logged()
    if is_retried := is_retry(settings, card):
        remove_unsent_segments(folder, card.id)
    for tried in modes:
        with log_wandb_errors(f"starting a run that is {tried}"):
            if tried != modes[0]:
                wandb.teardown()  # otherwise its service holds the id of the run that it could not start
            before = logged_offline(folder, card.id) if tried == "offline" else Logged()
            run = start_run(settings, card, tried)
            logged = logged_online(run) if tried == "online" else before
            if is_retried and logged.step >= 0:
                note_earlier_curve(run)
            break
    if run is None:
        log.warning("W&B does not show this run; after its end, type attest wandb push %s to send it", card.id)
    with finishing(run, card.id):
        yield WandbMirror(run, settings, card, logged, hidden)


def mode_of_runs(logger: Logger) -> Mode:
    """Return the mode of W&B for a run: offline if W&B's settings are not valid, with a warning."""
    try:
        return wandb_mode(logger)
    except MirrorError as error:
        log.warning("%s; the run is kept offline if W&B can start it", error)
        return "offline"


def logged_online(run: wandb.Run) -> Logged:
    """Return the last steps of the curve that the server already has.

    The last steps may have been logged without the evaluation that followed them; the summary has the step of the last
    evaluation, or none before the first.
    """
    if run.starting_step == 0:
        return Logged()
    last, evaluated = run.starting_step - 1, run.summary.get("step")
    return Logged(last, min(int(evaluated), last) if isinstance(evaluated, int | float) else -1)


def log_evaluation(run: wandb.Run, entry: Mapping[str, float], free_step: int) -> int:
    """Log an evaluation at its step, or at the first free step if that is later; return the next free step."""
    step = max(int(entry["step"]), free_step)
    run.log(dict(entry), step=step, commit=True)  # without commit, it could be sent after the summary and replace it
    return step + 1


def start_run(settings: HasLogger, card: RunCard, mode: Mode, *, named: bool = True) -> wandb.Run:
    """Start a W&B run, or resume it if it exists, also if it was interrupted offline; raise W&B's errors.

    If `named` is false, the name and notes are left as they are on the server.
    """
    logger, own = settings.logger, with_logger_settings(card, settings.logger)
    Path(settings.paths.wandb).mkdir(parents=True, exist_ok=True)
    if mode != "online":  # W&B's client would send measurements of its own, also offline
        os.environ.setdefault("WANDB_ERROR_REPORTING", "false")
    return wandb.init(
        project=logger.project,
        entity=logger.entity,
        id=own.id,
        name=own.name if named else None,
        group=own.group,
        job_type=own.job_type,
        tags=own.tags,
        notes=own.notes if named else None,
        config=dict(own.config),
        allow_val_change=True,
        resume="allow",
        dir=settings.paths.wandb,
        mode=mode,
        settings=wandb.Settings(
            silent=True,
            console="off",
            disable_git=True,
            disable_code=True,
            x_disable_stats=True,
            init_timeout=START_SECONDS,
            finish_timeout=FINISH_SECONDS,
            finish_timeout_raises=True,
        ),
    )


@contextmanager
def finishing(run: wandb.Run | None, run_id: str) -> Iterator[None]:
    """Finish a W&B run at the end of the context. After an error, its summary has the status failed and the error.

    A run that can continue has neither: one that was interrupted, or that a full disk or a lost lease has ended.
    """
    exit_code = 1
    try:
        yield
        exit_code = 0
    except PASSING_ERRORS:
        raise
    except Exception as error:
        if run is not None:
            with log_wandb_errors("sending the error of a run"):
                run.summary.update({"status": "failed", "error": one_line(error)})
        raise
    finally:
        if run is not None:
            with log_wandb_errors(f"ending a run (attest wandb push {run_id} sends the rest)"):
                run.finish(exit_code=exit_code)


class WandbMirror(Observer):
    """An observer that sends curves and final metrics to a W&B run, or does nothing if `run` is None."""

    def __init__(
        self, run: Any, settings: HasLogger, card: RunCard, logged: Logged, hidden: Sequence[str] = ()
    ) -> None:
        self.run, self.settings, self.card, self.hidden = run, settings, card, hidden
        self.logged = logged
        """The last steps that an earlier process of the run has logged, which are not logged again."""
        self.free_step = 0 if run is None else int(run.starting_step)
        """The first step of the W&B run that has no evaluation: it ignores what is logged at an earlier one."""
        self.points = StepPoints()

    def resumed(self, curve: Sequence[Mapping[str, float]]) -> None:
        """Log the evaluations that an earlier process did not log before it was killed."""
        for entry in curve:
            self.evaluated(entry)

    def step(self, step: int, measure: MeasureStep | None = None) -> None:
        if self.run is not None and step > self.logged.step and (point := self.points.next_point(measure)) is not None:
            with log_wandb_errors("sending figures"):
                self.run.log(point, step=step)

    def evaluated(self, entry: Mapping[str, float]) -> None:
        step = int(entry["step"])
        if self.run is not None and step > self.logged.evaluated:
            with log_wandb_errors("sending figures"):
                self.free_step = log_evaluation(self.run, entry, max(self.logged.step, self.free_step))

    def finished(self, record: Record) -> None:
        if self.run is not None:
            with log_wandb_errors("sending the end of a run"):
                self.run.summary.update(summary(record, self.card, self.hidden))
            if self.settings.logger.artifacts:
                with log_wandb_errors("sending predictions and weights"):
                    paths = self.settings.paths
                    send_artifacts(self.run, record, [Store(Path(paths.records))], Path(paths.runs), self.hidden)


def send_artifacts(run: Any, record: Record, stores: Sequence[Store], runs: Path, hidden: Sequence[str] = ()) -> None:
    """Send the test predictions of a run as a table, unless they are hidden, and its best weights as an artifact.

    They are in the first of the `stores` that has them, and below `runs`; what is not on this machine is left out.
    """
    arrays = None if "test" in hidden else first_arrays(record.id, stores)
    if arrays is not None:
        columns = {key: values for key, values in arrays.items() if values.ndim == 1}
        rows: list[Any] = [list(row) for row in zip(*(values.tolist() for values in columns.values()), strict=True)]
        run.summary["predictions"] = wandb.Table(columns=list(columns), data=rows)
    weights = weights_file(runs / record.id, record.selected.get("step", 0))
    if weights.is_file():
        artifact = wandb.Artifact(f"weights-{record.id}", type="model", metadata=dict(record.selected))
        artifact.add_file(str(weights), policy="immutable", skip_cache=True)
        logged = run.log_artifact(artifact)
        if not run.offline:
            logged.wait(timeout=int(FINISH_SECONDS))  # raises what would otherwise be lost

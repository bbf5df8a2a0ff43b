"""Mirror of a run in files that Lightning's loggers write: CSV, or those of TensorBoard."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from attest.errors import SettingsError
from attest.runs.observers import MeasureStep, Observer
from attest.runs.records import Record
from attest.runs.run_card import RunCard
from attest.runs.step_points import StepPoints


@contextmanager
def mirror_to_files(
    kind: Literal["csv", "tensorboard"], folder: Path, card: RunCard, hidden: Sequence[str] = ()
) -> Iterator[Observer]:
    """Yield an observer that writes a run to `folder`/csv or `folder`/tensorboard, without metrics of `hidden` splits.

    A resumed run adds a further folder version_1 with the whole curve, and so on. Raise SettingsError if TensorBoard is
    not installed.
    """
    from pytorch_lightning.loggers import CSVLogger, TensorBoardLogger  # takes longer to load than all else together

    try:
        logger = {"csv": CSVLogger, "tensorboard": TensorBoardLogger}[kind](str(folder), name=kind)
    except ModuleNotFoundError as error:
        raise SettingsError(
            "logger=tensorboard: TensorBoard is not installed; type pip install 'attest[tensorboard]'"
        ) from error
    logger.log_hyperparams(dict(card.config))
    status = "failed"
    try:
        yield LightningMirror(logger, hidden)
        status = "success"
    finally:
        logger.finalize(status)


class LightningMirror(Observer):
    """An observer that passes figures to a logger of Lightning."""

    def __init__(self, logger: Any, hidden: Sequence[str] = ()) -> None:
        self.logger, self.hidden = logger, hidden
        self.points = StepPoints()

    def resumed(self, curve: Sequence[Mapping[str, float]]) -> None:
        for entry in curve:
            self.evaluated(entry)

    def step(self, step: int, measure: MeasureStep | None = None) -> None:
        if (point := self.points.next_point(measure)) is not None:
            self.logger.log_metrics(point, step)

    def evaluated(self, entry: Mapping[str, float]) -> None:
        self.logger.log_metrics({key: value for key, value in entry.items() if key != "step"}, int(entry["step"]))
        self.logger.save()

    def finished(self, record: Record) -> None:
        metrics = {f"final/{key}": value for key, value in record.shown_metrics(self.hidden).items()}
        self.logger.log_metrics(metrics, int(record.selected.get("step", 0)))

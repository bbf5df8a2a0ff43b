"""The outcome of a task, and the averages over tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attest.transfer.tasks import TASKS


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of one task."""

    task: str
    metrics: Mapping[str, float]
    """The metrics by name; test and dev are accuracies in percent."""
    examples: Mapping[str, int]
    """The split -> the number of examples used."""
    expected: Mapping[str, int]
    """The split -> the official number of examples."""
    fingerprint: str
    """A hash of the contents of the official files."""
    width: int
    """The width of the sentence vectors."""
    strengths: Sequence[float] = ()
    """The strengths of regularisation that the folds or the dev set selected."""
    cut_off: int = 0
    """The number of fits that ended at their limit of steps, before they converged."""
    encoding_seconds: float = 0.0
    """The seconds for encoding the sentences that no earlier task had."""
    seconds: float = 0.0
    """The seconds for everything else."""

    @property
    def weight(self) -> int:
        """The number of examples that selected the strengths: the dev set, or the set that folds were made of."""
        return next(self.examples[split] for split in ("dev", "train", "all") if split in self.examples)


AVERAGED = tuple(name for name, task in TASKS.items() if task.averaged)


def figures(outcomes: Mapping[str, Outcome]) -> dict[str, float]:
    """Return the metrics of all tasks as MR/test and the like, with the averages macro and micro if all averaged tasks
    are there."""
    metrics = {f"{name}/{key}": value for name, outcome in outcomes.items() for key, value in outcome.metrics.items()}
    if all(name in outcomes for name in AVERAGED):
        for split in ("test", "dev"):
            values = [outcomes[name].metrics[split] for name in AVERAGED]
            weights = [outcomes[name].weight for name in AVERAGED]
            metrics[f"macro/{split}"] = sum(values) / len(values)
            metrics[f"micro/{split}"] = sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)
    return metrics

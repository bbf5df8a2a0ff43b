"""What comes of a task, and what comes of several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attest.transfer.tasks import TASKS


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of one task."""

    task: str
    metrics: Mapping[str, float]
    """test and dev are accuracies in percent."""
    examples: Mapping[str, int]
    """Split -> how many there were."""
    expected: Mapping[str, int]
    """Split -> the official number."""
    fingerprint: str
    width: int
    """Of the sentence vectors."""
    strengths: Sequence[float] = ()
    """Of regularisation, as the folds or the dev set chose them."""
    cut_off: int = 0
    """Fits that ended because their steps were used up."""
    encoding_seconds: float = 0.0
    """For the sentences that no earlier task had."""
    seconds: float = 0.0
    """For everything else."""

    @property
    def weight(self) -> int:
        """The examples that chose the strengths: the dev set, or what folds were made of."""
        return next(self.examples[split] for split in ("dev", "train", "all") if split in self.examples)


AVERAGED = tuple(name for name, task in TASKS.items() if task.averaged)


def figures(outcomes: Mapping[str, Outcome]) -> dict[str, float]:
    """MR/test and the like; of the eight tasks that are averaged, if all are there, macro and micro too."""
    found = {f"{name}/{key}": value for name, one in outcomes.items() for key, value in one.metrics.items()}
    if all(name in outcomes for name in AVERAGED):
        for part in ("test", "dev"):
            values = [outcomes[name].metrics[part] for name in AVERAGED]
            weights = [outcomes[name].weight for name in AVERAGED]
            found[f"macro/{part}"] = sum(values) / len(values)
            found[f"micro/{part}"] = sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)
    return found

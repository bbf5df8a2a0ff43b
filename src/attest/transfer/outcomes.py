"""The outcome of evaluating an encoder on a task of SentEval, and the averages over tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attest.errors import SettingsError
from attest.transfer.tasks import TASKS


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of evaluating an encoder on one task: metrics, numbers of examples and times."""

    task: str
    metrics: Mapping[str, float]
    """The metrics by name; `test` and `dev` are accuracies in percent."""
    examples: Mapping[str, int]
    """The split -> the number of examples used."""
    expected: Mapping[str, int]
    """The split -> the official number of examples."""
    fingerprint: str
    """A hash of the contents of the official files."""
    width: int
    """The width of the sentence vectors."""
    strengths: Sequence[float] = ()
    """The selected values of regularisation (C of Sklearn, weight decay of Torch), one for each problem of
    cross-validation."""
    cut_off: int = 0
    """The number of fits that stopped at the limit of steps before they converged."""
    encoding_seconds: float = 0.0
    """The seconds that it took to encode the sentences that no earlier task had encoded."""
    seconds: float = 0.0
    """The seconds that it took to fit and test classifiers."""

    @property
    def weight(self) -> int:
        """The weight of the task in micro averages: the size of its dev set or else of the set cut into folds."""
        return next(self.examples[split] for split in ("dev", "train", "all") if split in self.examples)


AVERAGED = tuple(name for name, task in TASKS.items() if task.averaged)


def figures(outcomes: Mapping[str, Outcome]) -> dict[str, float]:
    """Return the metrics of all tasks by names such as MR/test; `outcomes` is the result of `evaluate`.

    If all tasks of AVERAGED are present, the averages are added: macro/test and macro/dev, over tasks, and micro/test
    and micro/dev, weighted by `Outcome.weight`.

        >>> facts = {"examples": {"train": 800}, "expected": {"train": 3775}, "fingerprint": "c59f", "width": 600}
        >>> figures({"CR": Outcome(task="CR", metrics={"test": 84.1, "dev": 83.9}, **facts)})
        {'CR/test': 84.1, 'CR/dev': 83.9}
    """
    if not isinstance(outcomes, Mapping) or not all(isinstance(outcome, Outcome) for outcome in outcomes.values()):
        raise SettingsError(f"outcomes: expected the result of evaluate(...), got {type(outcomes).__name__}")
    metrics = {f"{name}/{key}": value for name, outcome in outcomes.items() for key, value in outcome.metrics.items()}
    if all(name in outcomes for name in AVERAGED):
        for split in ("test", "dev"):
            values = [outcomes[name].metrics[split] for name in AVERAGED]
            weights = [outcomes[name].weight for name in AVERAGED]
            metrics[f"macro/{split}"] = sum(values) / len(values)
            metrics[f"micro/{split}"] = sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)
    return metrics

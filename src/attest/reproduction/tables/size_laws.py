"""Power laws of accuracy by the size of the training set. They predict the accuracy at the largest size from the
others, and that at the size of the paper from all."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.run_groups import RunGroup
from attest.reproduction.tables.statistics import QUANTILE, Summary
from attest.reproduction.tables.table import RowResults, Table

MIN_SIZES = 4
"""The smallest number of sizes, the largest included, that a power law is fitted to: it has two parameters."""


@dataclass(frozen=True)
class SizePoint:
    """The accuracy of a row with one number of training examples."""

    size: int
    result: PanelResult
    accuracy: Summary
    """The accuracies of the replicates, in per cent."""

    @property
    def column(self) -> Column:
        """The column that shows the accuracy: the first of its panel."""
        return self.result.panel.columns[self.result.panel.name]


@dataclass(frozen=True)
class PowerLaw:
    """A power law of the error in per cent by the number n of training examples: a n^(-b)."""

    a: float
    b: float
    log_deviation: float
    """The standard deviation of the logarithm of the error around the law, from k - 2 degrees of freedom."""
    log_sizes: tuple[float, ...]
    """The logarithms of the k sizes that the law is fitted to."""

    @property
    def smallest(self) -> int:
        """The smallest size that the law is fitted to."""
        return round(math.exp(min(self.log_sizes)))

    def accuracy(self, size: int) -> float:
        """Return the accuracy in per cent that the law gives for a number of training examples."""
        return 100 - self.a * size**-self.b

    def interval(self, size: int) -> tuple[float, float]:
        """Return the 95% prediction interval of the accuracy for a number of training examples.

        It is that of linear regression on logarithms: log a - b x +- t s sqrt(1 + 1/k + (x - mean)^2 / sum of squares).
        """
        x, x_K = math.log(size), np.array(self.log_sizes)
        squares = float(((x_K - x_K.mean()) ** 2).sum())
        spread = math.sqrt(1 + 1 / len(x_K) + (x - float(x_K.mean())) ** 2 / squares)
        half = float(special.stdtrit(len(x_K) - 2, QUANTILE)) * self.log_deviation * spread
        error = 100 - self.accuracy(size)
        return 100 - error * math.exp(half), 100 - error * math.exp(-half)


@dataclass(frozen=True)
class Forecast:
    """The accuracy at the largest training size, predicted from the smaller ones."""

    row: RowResults
    law: PowerLaw
    fitted: tuple[SizePoint, ...]
    """The points that the law is fitted to, by size."""
    largest: SizePoint
    """The point that is predicted."""
    whole_law: PowerLaw
    """The law that is fitted to the largest point too."""
    paper_size: int | None
    """The number of examples of the paper's training set that would be used; None if our largest set is as large, or if
    the number is not known."""


def size_points(results: Iterable[PanelResult]) -> list[SizePoint]:
    """Return the accuracy of a row at each training size, by size.

    The points are of panels that limit the training examples, and of the panel that takes all beside them, if they have
    a figure.

    Of panels whose runs drew equally many, because there are no more, the one that asks for most has the point.
    """
    results = sorted(results, key=lambda result: result.cell.settings.protocol.examples or math.inf)
    if all(result.cell.settings.protocol.examples is None for result in results):
        return []
    points: dict[int, SizePoint] = {}
    for result in results:
        accuracy = result.our_value(result.panel.columns[result.panel.name])
        if result.group is not None and accuracy is not None and (size := training_size(result.group)):
            points[size] = SizePoint(size, result, accuracy)
    return sorted(points.values(), key=lambda point: point.size)


def training_size(group: RunGroup) -> int | None:
    """Return the number of examples that the runs of a group drew for training; without a limit, all that are used.

    None if the record does not know it.
    """
    data = group.records[0].data
    return data.get("examples") or data["splits"].get("train", {}).get("used")


def fit_power_law(sizes: Sequence[int], accuracies: Sequence[float]) -> PowerLaw:
    """Return the power law of the errors 100 - accuracy, fitted by least squares to their logarithms."""
    x_K, y_K = np.log(sizes), np.log(100 - np.array(accuracies))
    slope, intercept = np.polyfit(x_K, y_K, 1)
    residuals_K = y_K - (intercept + slope * x_K)
    deviation = math.sqrt(float((residuals_K**2).sum()) / (len(x_K) - 2))
    return PowerLaw(math.exp(intercept), -float(slope), deviation, tuple(x_K.tolist()))


def forecasts(table: Table) -> list[Forecast]:
    """Return the forecast of each row that has a figure at enough sizes; none for other tables and metrics."""
    found = []
    for row in table.rows:
        points = [
            point
            for point in size_points(row.results)
            if "accuracy" in point.column.metric and point.size >= table.spec.curve_from
        ]
        if len(points) >= MIN_SIZES and all(point.accuracy.mean < 100 for point in points):
            *fitted, largest = points
            laws = [fit_power_law([point.size for point in some], [point.accuracy.mean for point in some])
                    for some in (fitted, points)]  # fmt: skip
            found.append(Forecast(row, laws[0], tuple(fitted), largest, laws[1], paper_size(largest)))
    return found


def paper_size(largest: SizePoint) -> int | None:
    """Return how many examples of the paper's training set would be used, if the same share is as in ours.

    None if these are no more than those of the largest point, or if the record does not know the paper's set.
    """
    assert largest.result.group is not None
    data = largest.result.group.records[0].data
    official, ours = data["expected"]["splits"].get("train"), data["splits"].get("train", {})
    if not official or not ours.get("labelled"):
        return None
    size = round(official * ours.get("used", ours["labelled"]) / ours["labelled"])
    return size if size > largest.size else None

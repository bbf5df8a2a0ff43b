"""The number of classifiers that an evaluation fits, computed from its settings: records count only those that did not
converge."""

from collections.abc import Mapping
from typing import Any

from attest.config.flat import nest
from attest.config.schema import from_plain
from attest.transfer.settings import Transfer
from attest.transfer.tasks import TASKS


def fit_count(name: str, settings: Transfer) -> int:
    """Return the number of classifiers that are fitted for a task; 0 if it predicts grades.

    Every strength of regularisation is fitted on each split that selects one, and the selected strength is fitted once
    more to be tested. A task with nested folds does all this for each fold.
    """
    design, folds = TASKS[name].design, settings.folds
    problems, splits = {"nested": (folds, folds), "k-fold": (1, folds), "split": (1, 1)}.get(design, (0, 0))
    return problems * (splits * len(settings.classifier.grid(design)) + 1)


def recorded_protocol(flat: Mapping[str, Any]) -> Transfer:
    """Return the protocol of an evaluation from the settings of its record."""
    return from_plain(Transfer, nest({key: flat[key] for key in flat if key not in ("encoder", "tasks")}))

"""The number of classifiers that an evaluation fits, computed from its settings.

Records only count the fits that did not converge.
"""

from attest.transfer.settings import Transfer
from attest.transfer.tasks import TASKS


def fit_count(name: str, settings: Transfer) -> int:
    """Return the number of classifiers that are fitted for a task; 0 if it predicts grades.

    Every value of regularisation is fitted on each split that selects one, and the selected value is fitted once
    more to be tested. A task with nested folds does all this for each fold.
    """
    design, folds = TASKS[name].design, settings.folds
    problems, splits = {"nested": (folds, folds), "k-fold": (1, folds), "split": (1, 1)}.get(design, (0, 0))
    return problems * (splits * len(settings.classifier.grid(design)) + 1)

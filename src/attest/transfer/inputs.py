"""The inputs of an evaluation on SentEval's tasks."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from attest.data.inputs import Input, dataset_input, package_input
from attest.transfer.settings import Transfer
from attest.transfer.task_data import dataset_settings
from attest.transfer.tasks import TASKS, check_tasks

EXTRA, PACKAGE = "transfer", "scikit-learn"
"""The extra that installs what classifiers need, and its package."""


def transfer_inputs(tasks: Sequence[str], settings: Transfer, data: Path) -> Iterator[Input]:
    """Yield the inputs of an evaluation: packages, and the files of the tasks in the folder `data`.

    Raise SettingsError for unknown tasks.
    """
    check_tasks(tasks)
    yield from classifier_inputs(tasks, settings)
    for name in tasks:
        yield dataset_input(dataset_settings(TASKS[name].dataset), data)


def classifier_inputs(tasks: Sequence[str], settings: Transfer) -> Iterator[Input]:
    """Yield the packages that the tasks need to fit classifiers."""
    designs = {TASKS[name].design for name in tasks} - {"similarity"}
    if designs:
        yield package_input("joblib", PACKAGE, EXTRA, "attest transfer")
    if designs - {"relatedness"} and settings.classifier.kind == "sklearn":
        yield package_input("sklearn", PACKAGE, EXTRA, "classifier=sklearn")

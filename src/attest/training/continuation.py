"""Start a longer run from the last checkpoint of a shorter run with the same settings, if that checkpoint was kept.

No step depends on how many steps follow, so the figures are the same as those of a run from the first step.
"""

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from attest.config.flat import flatten
from attest.config.settings import Settings
from attest.data.batches.training import TrainingBatches
from attest.errors import RecordError
from attest.runs.identity import code_versions, default_settings
from attest.runs.records import Record
from attest.runs.run_folder import checkpoint_file
from attest.runs.store import Store
from attest.system.files import atomic_path
from attest.training.schedule import evaluation_is_due

LENGTH_SETTINGS = ("protocol.steps", "protocol.epochs")


def start_from_shorter_run(
    settings: Settings, fingerprint: str, store: Store, folder: Path, batches: TrainingBatches
) -> None:
    """Copy the checkpoint of the longest usable shorter run to `folder`, the folder of this run.

    Do nothing if the folder has a checkpoint already, or if no shorter run is usable.
    """
    if checkpoint_file(folder).is_file():
        return
    defaults = default_settings(settings)
    this_run = (without_length({**defaults, **flatten(settings)}), code_versions(settings), fingerprint)

    def differs_only_in_length(record: Record) -> bool:
        """Return whether a record is of a finished training run that differs from this run only in its length."""
        recorded_run = (without_length({**defaults, **record.settings}), record.versions, record.fingerprint)
        committed = not record.uncommitted  # else the record of this run would name a commit that lacks that code
        return committed and (record.kind, record.status) == ("train", "done") and recorded_run == this_run

    kept = [record_or_none(store, path.parent.name) for path in folder.parent.glob("*/last.ckpt")]
    shorter = {
        int(record.curve[-1]["step"]): folder.parent / record.id
        for record in kept
        if record and differs_only_in_length(record)
    }
    # Every run is evaluated at its last step. If the protocol has no evaluation at that step, a longer run would not
    # have evaluated there, so the shorter run's curve does not fit.
    usable = [
        steps for steps in shorter if steps <= batches.stop and evaluation_is_due(settings.protocol, batches, steps)
    ]
    if usable:
        source = shorter[max(usable)]
        with suppress(FileNotFoundError):  # another process deletes the checkpoint: this run begins at its first step
            for path in [*source.glob("best-*.pt"), checkpoint_file(source)]:  # the last one needs the others
                with atomic_path(folder / path.name) as temporary:
                    shutil.copyfile(path, temporary)


def record_or_none(store: Store, identity: str) -> Record | None:
    """Return a record, or None if there is none or its file is damaged."""
    try:
        return store.get(identity)
    except RecordError:
        return None


def without_length(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return flat settings without the numbers of steps and epochs."""
    return {key: value for key, value in flat.items() if key not in LENGTH_SETTINGS}

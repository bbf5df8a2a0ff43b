"""A run of more steps goes on from a shorter one of the same settings, if that one's last checkpoint was kept.

Nothing that happens before a step depends on how many follow, so both ways lead to the same figures.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attest.config.schema import flatten
from attest.config.settings import Settings
from attest.data.samplers import TrainingBatches
from attest.runs.identity import code_versions, default_settings
from attest.runs.records import Record, Store
from attest.system.files import atomic_path
from attest.training.schedule import is_due

LENGTH = ("protocol.steps", "protocol.epochs")


def begin(settings: Settings, fingerprint: str, store: Store, folder: Path, batches: TrainingBatches) -> None:
    """Give a run without a checkpoint of its own that of the longest run that is its beginning."""
    if (folder / "last.ckpt").is_file():
        return
    absent = default_settings(settings)
    own = (without_length({**absent, **flatten(settings)}), code_versions(settings), fingerprint)

    def begins(record: Record) -> bool:
        """Whether it is of a finished run that differs in its length alone."""
        other = (without_length({**absent, **record.settings}), record.versions, record.fingerprint)
        return (record.kind, record.status) == ("train", "done") and other == own

    kept = filter(None, (store.get(path.parent.name) for path in folder.parent.glob("*/last.ckpt")))
    shorter = {int(record.curve[-1]["step"]): folder.parent / record.id for record in kept if begins(record)}
    # The last step is evaluated in any case. Where no look was due, the longer run would not have looked.
    usable = [steps for steps in shorter if steps <= batches.stop and is_due(settings.protocol, batches, steps)]
    if usable:
        source = shorter[max(usable)]
        for path in [*source.glob("best-*.pt"), source / "last.ckpt"]:  # the checkpoint last: it needs the others
            with atomic_path(folder / path.name) as temporary:
                shutil.copyfile(path, temporary)


def without_length(flat: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in flat.items() if key not in LENGTH}

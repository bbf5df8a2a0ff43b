"""Retries, which train a run again under its id, as with retry_uncommitted, beside the curve that W&B has of it.

W&B can neither replace the curve of a run nor use the id of a deleted run again.
"""

import logging
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import wandb

from attest.config.settings import HasLogger
from attest.runs.run_card import RunCard
from attest.runs.run_folder import checkpoint_file
from attest.runs.store import Store

log = logging.getLogger(__name__)
EARLIER_CURVE = "curve_of_earlier_training"
"""The entry of a W&B run's summary that is true if its curve is not that of its figures."""


def is_retry(settings: HasLogger, card: RunCard) -> bool:
    """Return whether a training run begins at its first step though it has a record."""
    has_record = Store(Path(settings.paths.records)).record_path(card.id).is_file()
    has_checkpoint = checkpoint_file(Path(settings.paths.runs) / card.id).is_file()
    return card.job_type == "train" and has_record and not has_checkpoint


def has_other_figures(run: wandb.Run, metrics: Mapping[str, Any]) -> bool:
    """Return whether a W&B run has ended with other metrics, so that its curve is that of an earlier training."""
    known = {name: run.summary.get(name) for name in metrics} if run.summary.get("status") == "done" else {}
    return any(
        isinstance(value, int | float) and not math.isclose(value, metrics[name], rel_tol=1e-9)
        for name, value in known.items()
    )


def note_earlier_curve(run: wandb.Run) -> None:
    """Warn that W&B keeps the curve of an earlier training of a run, and note it in the run's summary."""
    run.summary.update({EARLIER_CURVE: True})
    log.warning(
        "Weights & Biases keeps the curve of an earlier training of %s beside the figures of its retry; "
        "attest wandb push %s logger.project=NAME sends it whole to another project",
        run.id,
        run.id,
    )

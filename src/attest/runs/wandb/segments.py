"""Offline segments of a run: the files of its processes in W&B's folder, and the last steps of its curve in them."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wandb.util import get_core_path

SegmentItem = dict[str, Any]
"""An item of a file of W&B: its `type`, and under this name its content."""


@dataclass(frozen=True)
class Logged:
    """The steps up to which a curve has been logged."""

    step: int = -1
    """The last step with a figure."""
    evaluated: int = -1
    """The last step with the figures of an evaluation."""


def segment_files(folder: Path, run_id: str) -> list[Path]:
    """Return the files of the offline segments of a run below the folder that holds `wandb/`, the oldest first."""
    return sorted(folder.glob(f"wandb/offline-run-*-{run_id}/run-{run_id}.wandb"))


def synced_file(segment: Path) -> Path:
    """Return the path of the file by which W&B's client marks a segment that it has uploaded."""
    return segment.with_suffix(".wandb.synced")


def remove_unsent_segments(folder: Path, run_id: str) -> None:
    """Delete the offline segments of a run that are not uploaded yet, since a retry of the run replaces them."""
    for path in segment_files(folder, run_id):
        if not synced_file(path).exists():
            shutil.rmtree(path.parent)


def logged_offline(folder: Path, run_id: str) -> Logged:
    """Return the last steps of the curve in the offline segments of a run.

    W&B moves steps that a later segment logs again to later ones when it uploads both, so they must not be logged.
    """
    rows = [row for path in segment_files(folder, run_id) for row in history(path)]
    steps = [int(row["_step"]) for row in rows]
    evaluated = [int(row["_step"]) for row in rows if "epoch" in row]
    return Logged(max(steps, default=-1), max(evaluated, default=-1))


def history(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of the curve in a file of W&B."""
    for item in segment_items(path):
        if item["type"] == "history":
            yield item["history"]["item"]


def segment_items(path: Path) -> Iterator[SegmentItem]:
    """Yield the items of a file of W&B, as W&B's own program reads them, without the damaged end of a killed process.

    The first is a header, the second the run; the last is the exit of a run that was not killed.
    """
    command = [get_core_path(), "leet", "inspect", "--no-observability", "--json", "--run-file", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    yield from map(json.loads, done.stdout.splitlines())

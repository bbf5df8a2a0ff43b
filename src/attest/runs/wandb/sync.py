"""Upload of the offline segments of runs to Weights & Biases."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from attest.config.settings import Settings
from attest.errors import MirrorError
from attest.runs.wandb.completion import is_known_in_part, send_rest
from attest.runs.wandb.errors import translate_wandb_errors
from attest.runs.wandb.segments import segment_files, segment_items, synced_file
from attest.system.leases import is_held, lease_file

HEADER = 7
"""The number of bytes before the first item of a segment."""
INCOMPLETE = "the file ends with an incomplete record"
"""The words in which W&B's client says that it has sent a file without an end as far as it goes."""


def unsent_segments(settings: Settings) -> list[Path]:
    """Return the files of the offline segments that `sync` has not uploaded, by time."""
    return [path for path in segment_files(Path(settings.paths.wandb), "*") if not synced_file(path).exists()]


def is_run_active(settings: Settings, segment: Path) -> bool:
    """Return whether the run of a segment is still training, so that the segment may be incomplete."""
    return is_held(lease_file(Path(settings.paths.runs) / run_id_of(segment)))


def run_id_of(segment: Path) -> str:
    """Return the id of the run of a segment."""
    return segment.stem.removeprefix("run-")


def sync(settings: Settings, segments: Sequence[Path]) -> list[str]:
    """Upload segments, and return the errors that occurred.

    W&B's client would add the curve of a segment to that of the server, also where the server has it already, from a
    push or from an online segment of the run. For such a run, only what the server lacks is sent.
    """
    errors: list[str] = []
    others: list[Path] = []
    for run_id in dict.fromkeys(map(run_id_of, segments)):
        own_segments = [path for path in segments if run_id_of(path) == run_id]
        try:
            with translate_wandb_errors(f"{run_id}: not sent whole"):
                items = [item for path in own_segments for item in segment_items(path)]
                if is_known_in_part(settings, items):
                    send_rest(settings, items)
                    for path in own_segments:
                        synced_file(path).touch()
                else:
                    others += own_segments
        except MirrorError as error:
            errors.append(str(error))
    return errors + upload(others)


def upload(segments: Sequence[Path]) -> list[str]:
    """Upload segments with W&B's own client, and return the errors that it printed.

    The client stops at a segment that a killed process left without an end, and would send it again. The segments of
    such a run are therefore uploaded one by one, and those without an end, which are sent as far as they go, are
    marked as uploaded. A segment in which W&B's program finds nothing, though more than its header is there, is an
    error.
    """
    kinds = {path: [item["type"] for item in segment_items(path)] for path in segments}
    unreadable = [path for path, types in kinds.items() if not types and path.stat().st_size > HEADER]
    killed = {run_id_of(path) for path, types in kinds.items() if "exit" not in types}
    whole = [path for path in segments if run_id_of(path) not in killed]
    errors = sync_with_client(whole) if whole else []
    broken: set[str] = set()
    for path in segments:
        if run_id_of(path) not in killed - broken:
            continue
        own_errors = sync_with_client([path]) if "run" in kinds[path] else []
        if path in unreadable:
            own_errors = [f"{path}: W&B's program cannot read it; remove it if it is damaged"]
        elif "exit" not in kinds[path] and all(INCOMPLETE in text for text in own_errors):
            synced_file(path).touch()
        if not synced_file(path).exists():  # a later segment may only follow an earlier one
            broken.add(run_id_of(path))
            errors += own_errors
    return errors


def sync_with_client(segments: Sequence[Path]) -> list[str]:
    """Upload segments with W&B's client, which marks those that it has uploaded; return the errors that it printed."""
    command = [sys.executable, "-m", "wandb", "sync", "--yes", *map(str, segments)]
    folder = segments[0].parents[2]  # the client's logs go below it, not to the current folder
    environment = {**os.environ, "WANDB_DIR": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    lines = [line.removeprefix("wandb: ") for line in done.stderr.splitlines()]
    errors = [line for line in lines if "ERROR" in line or "error" in line]
    return errors or ([] if done.returncode == 0 else lines[-1:] or [f"exit code {done.returncode}"])

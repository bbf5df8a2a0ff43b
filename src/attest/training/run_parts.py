"""The parts of an interrupted run: the devices that it was trained on, and the code that each part loaded.

A part of a run is what one process computed of it, from a start or a checkpoint to an interruption.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from attest.runs.code_history import CodeSpan, describe_commit_change, with_code_span
from attest.runs.code_state import changed_modules
from attest.runs.devices_used import DeviceUse, with_device_use

log = logging.getLogger(__name__)


class RunParts:
    """The devices and the code of all parts of a run so far; a run that was never interrupted has one part."""

    def __init__(self, code: Mapping[str, Any]) -> None:
        self.code = code
        """The state of the code of this part."""
        self.code_parts = with_code_span([], code, 0)
        """The states of the code of all parts, this part's last."""
        self.devices: list[DeviceUse] = []

    def resume(self, devices: Sequence[DeviceUse], code_parts: Sequence[CodeSpan], step: int) -> None:
        """Restore the devices and the code from a checkpoint after `step` steps, and log how the code differs."""
        self.devices = [*devices]
        self.code_parts = with_code_span(code_parts, self.code, step)
        if text := describe_commit_change(self.code_parts):
            log.info("%s", text)
        if changed := sorted({name for part in self.code_parts for name in changed_modules(part, self.code)}):
            log.warning(
                "resuming from a checkpoint that was written by other code of %s; if the change affects figures, raise "
                "`version` of your class or function: the run then starts from its first step",
                ", ".join(changed),
            )

    def use_device(self, name: str, precision: str, step: int) -> None:
        """Note that the steps after `step` are computed on the device of this name."""
        self.devices = with_device_use(self.devices, name, precision, step)

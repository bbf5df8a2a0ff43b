"""The parts of an interrupted run: the devices that it was trained on, and the code that each part loaded."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from attest.runs.code_parts import CodePart, describe_commit_change, with_code_part
from attest.runs.code_state import changed_modules
from attest.runs.devices_used import DeviceUse, with_device_use

log = logging.getLogger(__name__)


class RunParts:
    """The devices and the code of all parts of a run so far; a run that was never interrupted has one part."""

    def __init__(self, code: Mapping[str, Any]) -> None:
        self.code = code
        """The state of the code of this part."""
        self.code_parts = with_code_part([], code, 0)
        """The states of the code of all parts, this part's last."""
        self.devices: list[DeviceUse] = []

    def resume(self, devices: Sequence[DeviceUse], code_parts: Sequence[CodePart], step: int) -> None:
        """Go on after `step` steps with the devices and the code that a checkpoint names; log how the code differs."""
        self.devices = [*devices]
        self.code_parts = with_code_part(code_parts, self.code, step)
        if text := describe_commit_change(self.code_parts):
            log.info("%s", text)
        if changed := sorted({name for part in self.code_parts for name in changed_modules(part, self.code)}):
            log.warning(
                "the checkpoint that this run goes on from is of other code of %s; if figures depend on the change, "
                "raise the `version` of your class or function, and the run begins anew",
                ", ".join(changed),
            )

    def use_device(self, name: str, precision: str, step: int) -> None:
        """Note that the steps after `step` are computed on the device of this name."""
        self.devices = with_device_use(self.devices, name, precision, step)

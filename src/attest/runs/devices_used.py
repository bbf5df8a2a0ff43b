"""The devices that trained an interrupted run, each with the step after which it was used."""

from collections.abc import Mapping, Sequence
from typing import Any

DeviceUse = Mapping[str, Any]
"""A device that a run was trained on: its `name`, its `precision`, and `from_step`, the number of steps before it: 300
if it was used from step 301 on."""


def with_device_use(uses: Sequence[DeviceUse], name: str, precision: str, step: int) -> list[DeviceUse]:
    """Return the devices of a run that continues after `step` steps on the device of this name.

    The list is unchanged if the device and its precision are those of the step before.
    """
    use = {"name": name, "precision": precision, "from_step": step}
    # A run that stops before the first step on a device has not used it.
    before = [earlier for earlier in uses if earlier["from_step"] < step]
    if before and {**before[-1], "from_step": step} == use:
        return before
    return [*before, use]


def describe_uses(uses: Sequence[DeviceUse]) -> str:
    """Return a text on the devices of a run in their order, as in "A (fp32), from step 301 on B (bf16)"."""
    first, *others = (f"{use['name']} ({use['precision']})" for use in uses)
    later = zip(uses[1:], others, strict=True)
    return ", ".join([first, *(f"from step {use['from_step'] + 1:,} on {text}" for use, text in later)])


def has_moved(uses: Sequence[DeviceUse]) -> bool:
    """Return whether a run was trained on more than one device, or in more than one precision."""
    return len({(use["name"], use["precision"]) for use in uses}) > 1

"""The outcome of a training, for the record of its run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attest.runs.devices_used import DeviceUse
from attest.runs.records import Cost


@dataclass(frozen=True)
class TrainingOutcome:
    """The outcome of a training, apart from its weights."""

    selected: Mapping[str, Any]
    """The step of the best weights, and the rule that selected them."""
    curve: Sequence[Mapping[str, float]]
    """The learning curve, with an entry for each evaluation."""
    cost: Cost
    devices: Sequence[DeviceUse]
    """The devices that the steps were computed on."""
    code: Mapping[str, Any]
    """The state of the code over all parts of the run."""

    @property
    def record_fields(self) -> dict[str, Any]:
        """The fields of the record of a finished run that describe the training."""
        return {
            "status": "done",
            "selected": self.selected,
            "curve": self.curve,
            "cost": self.cost,
            "devices": self.devices,
        }

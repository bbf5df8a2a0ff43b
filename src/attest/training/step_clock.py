"""The time of training steps, measured without a wait for the device at each of them."""

import time

from attest.system.devices import Device, synchronize


class StepClock:
    """The sum of the times of training steps.

    On a CPU, the time between steps, in which batches are made, is not counted. A GPU works on earlier steps
    while the CPU prepares later ones. There the clock runs on until `stop`, which waits for the GPU.
    """

    def __init__(self, device: Device) -> None:
        self.device: Device = device
        self.seconds = 0.0
        self._began: float | None = None

    def begin_step(self) -> None:
        """Start the clock, unless it runs."""
        if self._began is None:
            self._began = time.perf_counter()

    def end_step(self) -> None:
        """Stop the clock if the device has finished when a step returns."""
        if self.device == "cpu":
            self.stop()

    def stop(self) -> None:
        """Wait until the device has finished the steps, and add their time to `seconds`."""
        if self._began is not None:
            synchronize(self.device)
            self.seconds += time.perf_counter() - self._began
            self._began = None

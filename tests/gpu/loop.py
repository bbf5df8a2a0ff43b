"""The training loop on a GPU: its batches, its waits, and runs that move between devices.

It needs torch and numpy alone. Without a GPU, the processor is compared with itself, and what waits is looked for on
torch's device without values.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import torch
from gpu.watch import Watch, without_values

from attest.benchmarks.gpu import device_batches, disan_task, training_step
from attest.data.batches.batch import Batch
from attest.data.batches.device import DeviceSplit, array_to_device
from attest.models.kernels import backends

STEPS = 6
"""The number of steps on a device before a run moves."""
TOLERANCE = 1e-3
"""The largest difference of a loss on another device, as a part of the loss."""


@dataclass(frozen=True)
class Check:
    """The outcome of a check of the loop."""

    name: str
    found: str
    passed: bool


def check_loop(device: str) -> Iterator[Check]:
    """Yield the outcome of each check on a device: cuda or cpu."""
    for check in (check_batches, check_waits, check_moves):
        yield check(device)
    backends.use("auto")


def check_batches(device: str) -> Check:
    """Check that the batches that a device packs are those that the host packs."""
    place, host = torch.device(device), device_batches("cpu", STEPS)
    host.stop = 2 * STEPS
    resident = DeviceSplit(host.split, place)
    equal = [same_batch(resident.batch(batch.index, array_to_device(batch.index, place)), batch) for batch in host]
    return Check("batches", f"{sum(equal)} of {len(equal)} are those of the host", all(equal))


def same_batch(one: Batch, other: Batch) -> bool:
    """Return whether two batches hold equal tokens and labels."""
    pairs = zip((*one.sentences, one.labels), (*other.sentences, other.labels), strict=True)
    return all(torch.equal(tensor.cpu(), host) for tensor, host in pairs)


def check_waits(device: str) -> Check:
    """Check that no step after the first pass over the data waits for the device."""
    if device == "cuda":
        backends.use("auto")
        task = disan_task(device)
        waits = steps_with_error(training_step(task, task.configure_optimizers()), device)
    else:
        backends.use("reference")
        with without_values() as name:
            task = disan_task(name)
            step = training_step(task, task.configure_optimizers())
            with Watch(name) as watch, suppress(RuntimeError):  # what needs a value fails there
                run_steps(step, device_batches(name, STEPS))
        waits = ", ".join(watch.waits)
    return Check("waits", waits or f"none in {STEPS} steps", not waits)


def steps_with_error(step: Callable[[Batch], torch.Tensor], device: str) -> str:
    """Make steps while torch refuses to wait for the GPU; return the first refusal, or "" if there was none."""
    batches = device_batches(device, STEPS)
    run_steps(step, batches)  # compiles what has to be compiled
    torch.cuda.synchronize()
    with refused_waits():
        try:
            run_steps(step, batches)
        except RuntimeError as error:
            return str(error).partition("\n")[0]
    return ""


@contextmanager
def refused_waits() -> Iterator[None]:
    """Let torch raise an error wherever the processor would wait for the GPU."""
    torch.cuda.set_sync_debug_mode("error")
    try:
        yield
    finally:
        torch.cuda.set_sync_debug_mode("default")


def run_steps(step: Callable[[Batch], torch.Tensor], batches: Iterable[Batch], first: int = 0) -> list[torch.Tensor]:
    """Make a step with each batch, and return the losses on the device; step n has the dropout of the seed n."""
    losses = []
    for number, batch in enumerate(batches, start=first):
        torch.manual_seed(number)
        losses.append(step(batch))
    return losses


def check_moves(device: str) -> Check:
    """Check that a run from the processor to the device and back has the losses of a run on the processor alone."""
    alone, moved = losses_on(["cpu"] * 3), losses_on(["cpu", device, "cpu"])
    largest = max(abs(ours - right) / right for ours, right in zip(moved, alone, strict=True))
    return Check(f"cpu, {device}, cpu", f"losses differ by {largest:.1e} of {TOLERANCE:g}", largest <= TOLERANCE)


def losses_on(devices: list[str]) -> list[float]:
    """Return the losses of a run with STEPS steps on each device, between which its checkpoint moves."""
    losses: list[float] = []
    checkpoint = b""
    for turn, device in enumerate(devices):
        backends.use("auto")
        torch.manual_seed(0)
        task = disan_task(device)
        optimizer = task.configure_optimizers()
        if checkpoint:
            content = torch.load(io.BytesIO(checkpoint), map_location="cpu", weights_only=True)
            task.load_state_dict(content["task"])
            optimizer.load_state_dict(content["optimizer"])
        batches = device_batches(device, STEPS)
        batches.start, batches.stop = turn * STEPS, (turn + 1) * STEPS
        losses += [float(loss) for loss in run_steps(training_step(task, optimizer), batches, batches.start)]
        saved = io.BytesIO()
        torch.save({"task": task.state_dict(), "optimizer": optimizer.state_dict()}, saved)
        checkpoint = saved.getvalue()
    return losses

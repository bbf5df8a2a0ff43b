"""The device and the number format of a run, which `auto` leaves to the machine that trains."""

from dataclasses import replace

from attest.config.settings import Trainer
from attest.system.devices import NumberFormat, choose_device, choose_format


def with_device(trainer: Trainer, scale: str = "paper") -> Trainer:
    """Return the settings with the device and the number format that `auto` stands for on this machine.

    Ids hash the number format, so it is chosen before anything else reads the settings. The layers of scale=mini are so
    narrow that their conversion to bf16 takes longer than it saves: a step of DiSAN takes 10 ms instead of 7.
    """
    device = choose_device(trainer.accelerator)
    wanted = "fp32" if (trainer.precision, scale) == ("auto", "mini") else trainer.precision
    return replace(trainer, accelerator=device, precision=choose_format(wanted, device))


def evaluation_format(trainer: Trainer) -> NumberFormat:
    """Return the number format of evaluations during training."""
    training = choose_format(trainer.precision, choose_device(trainer.accelerator))
    return training if trainer.evaluation_precision == "training" else "fp32"

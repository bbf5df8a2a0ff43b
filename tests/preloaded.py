"""What most commands do first, done once in the process that they are forked from: imports, and reading conf/."""

import os
from importlib import import_module

from attest.config.compose import compose_unchecked

os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # as the command line does before Ray is imported
for name in (
    "attest.cli.commands.doctor",
    "attest.cli.commands.reproduce",
    "attest.cli.commands.train",
    "attest.runs.wandb.mirror",
    "attest.training.run",
    "torch._dynamo",  # torch loads its compiler for the first optimiser
    "wandb.sdk.launch.inputs.internal",  # wandb loads it for the first run
):
    import_module(name)
compose_unchecked([])

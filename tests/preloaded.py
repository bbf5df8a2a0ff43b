"""What most commands do first, done once in the process that they are forked from: imports, and reading conf/."""

from importlib import import_module

from attest.config.compose import compose_unchecked

for name in (
    "attest.cli.doctor",
    "attest.cli.reproduce",
    "attest.cli.train",
    "attest.runs.wandb_mirror",
    "attest.training.run",
    "torch._dynamo",  # torch loads its compiler for the first optimiser
    "wandb.sdk.launch.inputs.internal",  # wandb loads it for the first run
):
    import_module(name)
compose_unchecked([])

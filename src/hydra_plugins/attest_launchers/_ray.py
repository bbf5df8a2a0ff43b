"""Ray, started on this machine or joined where it runs, for as long as a sweep needs it."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import ray  # pyright: ignore[reportMissingImports]
from omegaconf import DictConfig, OmegaConf

from attest.errors import MachineError

STORE_BYTES = 78_643_200
"""The memory for objects that tasks share, the least that Ray takes: our jobs return an id each."""
VARIABLES = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is sent to Ray's makers
    "RAY_worker_niceness": "0",  # else jobs yield to every other program, which would also starve their leases
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else jobs that ask Ray for no GPU see none; each takes its own
}


@contextmanager
def running_ray(settings: DictConfig) -> Iterator[None]:
    """Start Ray here, or join the one at the address in the settings, and leave it at the end of the block.

    Raise MachineError if Ray does not start, which it gives up after half a minute, or if there is none to join.
    """
    for name, value in VARIABLES.items():
        os.environ.setdefault(name, value)
    try:
        ray.init(**init_options(OmegaConf.to_container(settings, resolve=True)))  # type: ignore[arg-type]
    except Exception as error:  # Ray raises this class itself
        reason = " ".join(str(error).split())
        raise MachineError(f"hydra/launcher=ray: Ray did not start ({reason:.200}); repeat the command") from error
    try:
        yield
    finally:
        ray.shutdown()


def init_options(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of ray.init: a Ray of our own listens on this machine alone and has no dashboard."""
    chosen = {name: value for name, value in settings.items() if value is not None}
    common = {"log_to_driver": False, "logging_level": "error"}
    if "address" in chosen:
        return {**common, **chosen}
    own = {"include_dashboard": False, "object_store_memory": STORE_BYTES, "_node_ip_address": "127.0.0.1"}
    return {**common, **own, **chosen}

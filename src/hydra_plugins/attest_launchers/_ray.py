"""Ray, started on this machine or joined where it runs, for as long as a sweep needs it."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import ray  # pyright: ignore[reportMissingImports]
from omegaconf import DictConfig, OmegaConf

from attest.errors import MachineError

STORE_BYTES = 78_643_200
"""The memory for objects that tasks share, the least that Ray takes: each job returns an id."""
VARIABLES = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is sent to Ray's makers
    "RAY_worker_niceness": "0",  # else jobs yield to every other program, which would also starve their leases
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else jobs that ask Ray for no GPU see none; each takes its own
}
LOCAL = "local"
"""Ray's word for a Ray that this process starts, also where another runs on this machine."""
STARTS = 2
"""The number of times that Ray is started here: it waits 15 s for its own processes, too short on a busy machine."""


@contextmanager
def running_ray(settings: DictConfig) -> Iterator[None]:
    """Start Ray here, or join the one at the address in the settings, and leave it at the end of the block.

    Raise MachineError if Ray does not start, which it gives up after half a minute, or if there is none to join.
    """
    for name, value in VARIABLES.items():
        os.environ.setdefault(name, value)
    options = init_options(OmegaConf.to_container(settings, resolve=True))  # type: ignore[arg-type]
    if options["address"] == LOCAL:
        start_ray(options)
    else:
        join_ray(options)
    try:
        yield
    finally:
        ray.shutdown()


def join_ray(options: Mapping[str, Any]) -> None:
    """Join the Ray at an address; raise MachineError if it is not there, or asks for a token that is not sent."""
    try:
        ray.init(**options)
    except Exception as error:  # Ray raises this class itself
        raise MachineError(
            f"hydra/launcher=ray: cannot join Ray at {options['address']} ({reason_of(error)}); see that it is there; "
            "if it asks for a token, repeat the command with RAY_AUTH_MODE=token in front"
        ) from error


def start_ray(options: Mapping[str, Any]) -> None:
    """Start Ray here, once more if it does not start at first; raise MachineError if it does not start then either."""
    for start in range(1, STARTS + 1):
        try:
            ray.init(**options)
        except Exception as error:  # Ray raises this class itself
            ray.shutdown()
            if start == STARTS:
                message = f"hydra/launcher=ray: Ray did not start ({reason_of(error)}); repeat the command"
                raise MachineError(message) from error
        else:
            return


def reason_of(error: Exception) -> str:
    """Return the text of an error in one line."""
    return f"{' '.join(str(error).split()):.200}"


def init_options(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of ray.init: a Ray that this process starts listens on this machine alone and has no
    dashboard."""
    chosen = {name: value for name, value in settings.items() if value is not None}
    common = {"log_to_driver": False, "logging_level": "error"}
    if "address" in chosen:
        return {**common, **chosen}
    own = {
        "address": LOCAL,
        "include_dashboard": False,
        "object_store_memory": STORE_BYTES,
        "_node_ip_address": "127.0.0.1",
    }
    return {**common, **own, **chosen}

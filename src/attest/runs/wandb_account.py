"""The account on Weights & Biases: its server, whether it has an API key here, and the mode that follows."""

import netrc
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

import wandb

from attest.config.settings import Logger
from attest.errors import SettingsError

Mode = Literal["online", "offline", "disabled"]
MODES: Mapping[str, Mode] = {
    **{mode: mode for mode in get_args(Mode)},
    "run": "online",
    "dryrun": "offline",
}
"""The values of WANDB_MODE, of which W&B keeps run and dryrun from earlier versions, and what they mean."""
PUBLIC_HOST = "api.wandb.ai"
"""The host under which earlier versions of W&B stored the key of the public server; later ones still accept it."""


def wandb_mode(logger: Logger) -> Mode:
    """Return the mode of W&B: as logger.online says, else as WANDB_MODE says, else online if there is an API key."""
    if logger.online is not None:
        return "online" if logger.online else "offline"
    if not (typed := os.environ.get("WANDB_MODE")):
        return "online" if has_api_key() else "offline"
    if (mode := MODES.get(typed)) is None:
        raise SettingsError(f"WANDB_MODE={typed}: no such mode; choose one of {', '.join(MODES)}, or unset it")
    return mode


def hosts() -> set[str]:
    """Return the hosts whose API key W&B accepts.

    That is the host of WANDB_BASE_URL or, if it is unset, those of W&B's settings and of its public server.
    """
    if own := os.environ.get("WANDB_BASE_URL"):
        return {urlsplit(own).netloc}
    return {urlsplit(wandb.setup().settings.base_url).netloc, PUBLIC_HOST}


def has_api_key() -> bool:
    """Return whether an API key for the server is where W&B looks: in WANDB_API_KEY or in the netrc file."""
    if os.environ.get("WANDB_API_KEY"):
        return True
    path = Path(os.environ.get("NETRC", Path.home() / ".netrc"))
    try:
        keys = netrc.netrc(path)
    except (OSError, netrc.NetrcParseError):
        return False
    return any(keys.authenticators(host) is not None for host in hosts())

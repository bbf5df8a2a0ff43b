"""The account on Weights & Biases: its server, whether it has an API key here, and the mode that follows."""

import netrc
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

import wandb
from pydantic import ValidationError
from wandb.errors import UsageError

from attest.config.settings import Logger
from attest.errors import MirrorError, SettingsError
from attest.runs.wandb.errors import faults, reason_of

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
    """Return the mode of W&B: as logger.online says, else as WANDB_MODE says, else as W&B's settings say.

    If none of them is set, it is online if there is an API key. Raise MirrorError if W&B's settings are not valid.
    """
    if logger.online is not None:
        return "online" if logger.online else "offline"
    if typed := os.environ.get("WANDB_MODE"):
        if (mode := MODES.get(typed)) is None:
            raise SettingsError(f"WANDB_MODE={typed}: no such mode; choose one of {', '.join(MODES)}, or unset it")
        return mode
    mode = MODES.get(client_settings().mode, "online")  # that of `wandb offline`; online is also the default
    return "offline" if mode == "online" and not has_api_key() else mode


def why_offline(logger: Logger) -> str:
    """Return why runs are not uploaded, and what to type; empty if they are."""
    if wandb_mode(logger) == "online":
        return ""
    if logger.online is not None:
        return "logger.online=false: nothing is uploaded; leave it out, or type logger.online=true"
    if typed := os.environ.get("WANDB_MODE"):
        return f"WANDB_MODE={typed}: nothing is uploaded; unset it, or type logger.online=true"
    if MODES.get(client_settings().mode, "online") != "online":
        return "`wandb offline` or `wandb disabled` is in force here; type wandb online"
    return f"no API key for {' or '.join(sorted(hosts()))}; type wandb login, or set WANDB_API_KEY"


def client_settings() -> wandb.Settings:
    """Return the settings of W&B's client, which it reads from its files and from variables such as WANDB_BASE_URL.

    Raise MirrorError, whose text holds no value of a setting, if they are not valid.
    """
    try:
        return wandb.setup().settings
    except ValidationError as error:
        name, fault = faults(error)[0]
        raise MirrorError(
            f"W&B's setting {name} is not valid ({fault}); correct the variable WANDB_{name.upper()}, or {name} in "
            "W&B's file of settings"
        ) from error
    except UsageError as error:  # which names the setting in its text, such as the API key
        raise MirrorError(
            f"W&B's settings are not valid ({reason_of(error)}); correct the variable, such as WANDB_API_KEY, or W&B's "
            "file of settings"
        ) from error


def hosts() -> set[str]:
    """Return the hosts whose API key W&B accepts.

    That is the host of WANDB_BASE_URL or, if it is unset, those of W&B's settings and of its public server.
    """
    if own := os.environ.get("WANDB_BASE_URL"):
        return {host_of(own)}
    return {host_of(client_settings().base_url), PUBLIC_HOST}


def host_of(url: str) -> str:
    """Return the host and port of an address, without the user and password that may stand before them."""
    return urlsplit(url).netloc.rpartition("@")[2]


def has_api_key() -> bool:
    """Return whether an API key for the server is where W&B looks: in a variable, the netrc file or its settings."""
    if any(os.environ.get(name) for name in ("WANDB_API_KEY", "WANDB_IDENTITY_TOKEN_FILE")):
        return True
    try:
        keys = netrc.netrc(netrc_file())
        logins = [keys.authenticators(host) for host in hosts()]
    except (OSError, UnicodeDecodeError, netrc.NetrcParseError):
        logins = []
    return any(login is not None and login[2] for login in logins) or bool(client_settings().api_key)


def netrc_file() -> Path:
    """Return the path of the netrc file, which need not exist: that of NETRC, else ~/.netrc or, as on Windows, ~/_netrc
    if there is no other."""
    if own := os.environ.get("NETRC"):
        return Path(own).expanduser()
    usual, other = Path.home() / ".netrc", Path.home() / "_netrc"
    return other if other.is_file() and not usual.exists() else usual

"""Errors of W&B's client, which are of many classes, those of the network included: logged, or as MirrorError."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from attest.errors import MirrorError

log = logging.getLogger(__name__)
USER_AND_PASSWORD = re.compile(r"(?<=//)[^/\s]*@")
"""The user and password before the host of an address."""


@contextmanager
def log_wandb_errors(doing: str) -> Iterator[None]:
    """Log any error in the context as a warning, so that a failing mirror never fails the run.

    `doing` is what was tried, for the text of the warning, such as "ending a run".
    """
    try:
        yield
    except Exception as error:
        reason = reason_of(error)
        log.warning(
            "Weights & Biases, %s: %s: %s; the run and its record are not affected", doing, type(error).__name__, reason
        )


@contextmanager
def translate_wandb_errors(failure: str, advice: str = "") -> Iterator[None]:
    """Raise MirrorError in place of any error in the context; its text is the failure, the reason and the advice."""
    try:
        yield
    except MirrorError:
        raise
    except Exception as error:
        raise MirrorError(f"{failure} ({reason_of(error) or type(error).__name__}){advice}") from error


def reason_of(error: Exception) -> str:
    """Return the text of an error on one line, without the values of W&B's settings, which may hold a password."""
    if isinstance(error, ValidationError):
        return "; ".join(f"{name}: {fault}" for name, fault in faults(error))
    return without_password(" ".join(str(error).split()))


def faults(error: ValidationError) -> list[tuple[str, str]]:
    """Return the name of each setting that is not valid, and what is wrong with its value, without the value."""
    entries = error.errors(include_input=False)
    return [(".".join(map(str, entry["loc"])), without_password(entry["msg"])) for entry in entries]


def without_password(text: str) -> str:
    """Return a text without the user and password in its addresses."""
    return USER_AND_PASSWORD.sub("", text)

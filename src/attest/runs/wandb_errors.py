"""Errors of W&B's client, which are of many classes, those of the network included: logged, or as MirrorError."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from attest.errors import MirrorError

log = logging.getLogger(__name__)


@contextmanager
def log_wandb_errors(doing: str) -> Iterator[None]:
    """Log any error in the context as a warning, so that a failing mirror never fails the run.

    `doing` is what was tried, for the text of the warning, such as "ending a run".
    """
    try:
        yield
    except Exception as error:
        reason = reason_of(error)
        log.warning("Weights & Biases, %s: %s: %s; nothing else is touched by it", doing, type(error).__name__, reason)


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
    """Return the text of an error on one line."""
    return " ".join(str(error).split())

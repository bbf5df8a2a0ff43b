"""Exceptions that code of the user's own raises: one sentence, and a stack trace that begins in this code."""

import inspect
import traceback
from collections.abc import Collection
from pathlib import Path
from types import FrameType, TracebackType

from attest.config.locate import TRUSTED, is_in
from attest.config.own_folders import own_folders
from attest.errors import AttestError, OwnCodeError

CONTRACTS = {
    "encode": "encode maps the rows (words, features) of a layout to vectors (sentences, width)",
    "forward": "the forward of a head maps sentence vectors (batch, width) to logits (batch, classes)",
    "parse": "parse returns the spans of each sentence's tree",
    "loss": "loss maps outputs (batch, classes) and a batch to a number",
}
"""The method of a component -> what it has to return."""


def own_code_error(error: Exception, remedy: str = "", *, packages: Collection[str] = TRUSTED) -> OwnCodeError | None:
    """Return the error to report in place of an exception that the user's code raised, or None for any other exception.

    `remedy` is what to do after the code is corrected and tested. The trusted `packages` are the user's code too, but
    for those that are trusted by default.
    """
    entries = [] if isinstance(error, AttestError) else own_entries(error.__traceback__, packages)
    if not entries:
        return None
    first, last, line = entries[0], entries[-1].tb_frame, entries[-1].tb_lineno
    reason = traceback.format_exception_only(error)[-1]
    trace = "Traceback (most recent call last):\n" + "".join(traceback.format_tb(first)) + reason
    method = last.f_code.co_name
    contract = f" ({CONTRACTS[method]})" if method in CONTRACTS and "self" in last.f_locals else ""
    failed, location = f"{owner(last)} failed in {method}{shapes(last)}", f"{last.f_code.co_filename}:{line}"
    advice = f"correct it{contract}, test it with `python -m pytest`{remedy}"
    text = f"{failed} ({location}): {' '.join(reason.split())}; {advice}"
    return OwnCodeError(text, trace)


def own_entries(trace: TracebackType | None, packages: Collection[str]) -> list[TracebackType]:
    """Return the entries of a stack trace in files of the user's own folders, and in the user's own packages."""
    folders = [folder.path for folder in own_folders()]
    entries = []
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        inside = [path.relative_to(folder).parts for folder in folders if path.is_relative_to(folder)]
        module = str(trace.tb_frame.f_globals.get("__name__"))
        named = is_in(module, packages) and not is_in(module, TRUSTED)
        if named or any("site-packages" not in parts for parts in inside):
            entries.append(trace)
        trace = trace.tb_next
    return entries


def owner(frame: FrameType) -> str:
    """Return the full name of the class whose method runs in a frame, or the name of the module."""
    module = str(frame.f_globals.get("__name__", "?"))
    return f"{module}.{type(frame.f_locals['self']).__qualname__}" if "self" in frame.f_locals else module


def shapes(frame: FrameType) -> str:
    """Return the names and shapes of the tensors that a function was given, for a message; empty if there are none."""
    arguments = inspect.getargvalues(frame)
    names = [*arguments.args, *([arguments.varargs] if arguments.varargs else [])]
    given = [(name, getattr(value, "shape", None)) for name in names for value in items_of(frame.f_locals.get(name))]
    shown = [f"{name} {tuple(shape)}" for name, shape in given if shape is not None]
    return f", given {', '.join(shown)}" if shown else ""


def items_of(value: object) -> tuple[object, ...]:
    """Return the items of a tuple, and any other value as the only item."""
    return value if isinstance(value, tuple) else (value,)

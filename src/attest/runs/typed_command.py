"""The command that the user has typed, which a launch keeps so that `attest status` can say how to continue it."""

from contextvars import ContextVar

typed_command: ContextVar[str] = ContextVar("typed_command", default="")
"""The command that this process carries out, quoted for a shell; empty if it was called from Python."""

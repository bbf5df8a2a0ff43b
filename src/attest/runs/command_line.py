"""The command that the user has typed, which a launch keeps so that `attest status` can say how to continue it."""

from contextvars import ContextVar

command_line: ContextVar[tuple[str, ...]] = ContextVar("command_line", default=())
"""The arguments of the command that this process carries out, without the folder of the user's own, which
`shell_command` names; empty if it was called from Python."""

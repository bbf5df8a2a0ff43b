"""Errors that a user can correct; commands print them as one sentence, without a traceback."""


def escape_unprintable(text: str, *, keep: str = "") -> str:
    """Return the text with control and other invisible characters, except those in `keep`, as escapes such as \\x1b.

    File names and contents of files reach the terminal in messages; unescaped, they could drive it or hide in the text.
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character in keep else repr(character)[1:-1] for character in text
    )


class AttestError(Exception):
    """The base class of errors whose text names the place (file and line, key or row), the mistake and its remedy.

    Unprintable characters in the text are escaped, except for line ends, which separate the errors of several runs.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(escape_unprintable(text, keep="\n"))


class SettingsError(AttestError):
    """A setting that does not exist, has the wrong type, is out of range, or does not fit the others."""


class DataError(AttestError):
    """A data file that is missing, damaged or of the wrong format. Line ends in its text are escaped as well."""

    def __init__(self, text: str = "") -> None:
        super().__init__(escape_unprintable(text))


class MissingFileError(DataError):
    """An official file that is not at hand."""


class RecordError(AttestError):
    """A record that is missing, cannot be read, or does not fit the installed code."""


class TrainingError(AttestError):
    """A training run that cannot continue."""


class StorageError(AttestError):
    """A file or folder that cannot be written, or a file of Attest that cannot be read back."""


class MachineError(AttestError):
    """A failure of the machine: memory, disk, a killed process or a driver. The same command goes on afterwards."""


class BusyError(AttestError):
    """A run that another process is training at the moment."""


class LeaseLostError(BusyError):
    """A run that another process has taken over from this one."""


PASSING_ERRORS = (StorageError, MachineError, BusyError, BrokenPipeError)
"""The errors that say nothing about a run: they leave no record of a failure, and the same command goes on."""


class MirrorError(AttestError):
    """A failed upload to a service that mirrors runs, such as Weights & Biases."""


class StoppedError(AttestError):
    """A run in a process of its own that has stopped on request, and that the same command continues."""


class FailedBeforeError(AttestError):
    """A run that failed earlier; it is repeated only with retry_failed=true."""


class OwnCodeError(AttestError):
    """An exception that code of the user's own raised, as one sentence and a stack trace."""

    def __init__(self, text: str = "", trace: str = "") -> None:
        super().__init__(text)
        self.trace = trace
        """The stack trace, without the frames above the user's code."""


class EncodingError(AttestError):
    """An encoder whose sentence vectors have a wrong shape or values that are not finite."""


def one_line(error: Exception) -> str:
    """Return the text of an error in one line, with its type if it is none of ours."""
    text = " ".join(str(error).split())
    return text if isinstance(error, AttestError) else f"{type(error).__name__}: {text}"

"""Mistakes that a user can mend: shown as one sentence, without a stack trace."""


class AttestError(Exception):
    """What is wrong, where (file and line, key or row), and what to do about it."""


class SettingsError(AttestError):
    """A setting that does not exist, has the wrong type or is out of range."""


class DataError(AttestError):
    """A file that is missing, damaged or not what it claims to be."""


class RecordError(AttestError):
    """A record that cannot be read or contradicts its run."""


class TrainingError(AttestError):
    """A run that cannot go on."""


class StorageError(AttestError):
    """A place that cannot be written to."""


class BusyError(AttestError):
    """Another process is making this run."""


class FailedBeforeError(AttestError):
    """A run that failed earlier and is not repeated unasked."""


class EncodingError(AttestError):
    """Sentence vectors that cannot be used."""

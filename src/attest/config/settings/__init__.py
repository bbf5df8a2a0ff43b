"""The schema of a run's settings, a file for each subject; all names are imported from here."""

from attest.config.settings.dataset import Archive, Dataset
from attest.config.settings.output import HasLogger, HasPaths, Label, Logger, Paths
from attest.config.settings.run import Settings
from attest.config.settings.text import Phrases, Text, TrainedPhrases, Vectors
from attest.config.settings.training import Protocol, Trainer

__all__ = [
    "Archive",
    "Dataset",
    "HasLogger",
    "HasPaths",
    "Label",
    "Logger",
    "Paths",
    "Phrases",
    "Protocol",
    "Settings",
    "Text",
    "TrainedPhrases",
    "Trainer",
    "Vectors",
]

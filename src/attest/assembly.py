"""From settings to the modules they name."""

from attest import components
from attest.encoders import Encoder
from attest.heads import Head
from attest.settings import Settings


def build_model(settings: Settings, input_size: int) -> tuple[Encoder, Head]:
    """Encoder, or matcher, and head, without word vectors."""
    trusted = settings.packages
    encoder = components.build(settings.model, "model", trusted=trusted, input_size=input_size)
    classes = len(settings.dataset.labels) if settings.task == "classification" else settings.dataset.grades
    head = components.build(settings.head, "head", trusted=trusted, width=encoder.width, classes=classes)
    return encoder, head

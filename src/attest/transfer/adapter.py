"""Any model of the package sentence-transformers as an encoder."""

from collections.abc import Sequence

import numpy as np

from attest.errors import SettingsError
from attest.runs.identity import digest
from attest.transfer.runs import Encoder


def sentence_transformer(name: str) -> Encoder:
    """The model of this name or folder. It is known by its name: a folder whose model changes needs another one."""
    try:
        from sentence_transformers import SentenceTransformer  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise SettingsError(
            f"{name} needs sentence-transformers: pip install 'attest[sentence-transformers]'"
        ) from error
    model = SentenceTransformer(name)

    def encode(sentences: Sequence[str]) -> np.ndarray:
        return model.encode(list(sentences), show_progress_bar=False, convert_to_numpy=True)

    return Encoder(name, digest(["sentence-transformers", name]), encode)

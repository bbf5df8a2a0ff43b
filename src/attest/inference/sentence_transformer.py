"""A finished run as a module of Sentence Transformers, which that library loads from a folder of `attest export`.

The package sentence-transformers is optional, so nothing else imports this file. Its interface `InputModule` is the one
that its documentation names for modules of other packages.

Legend: B sentences, T tokens of the longest sentence, W width of a sentence vector.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sentence_transformers.base.modules import (  # pyright: ignore[reportMissingImports]
    InputModule,
)
from torch import Tensor

from attest.data.batches.batch import gather
from attest.errors import StorageError
from attest.inference.arguments import check_string
from attest.inference.opening import open_model
from attest.inference.trained_run import TrainedRun
from attest.runs.trained_model import MODEL_FILE, write_model


class SentenceEncoder(InputModule):
    """The words, text recipe and encoder of a finished run, from sentences to their vectors (B, W).

    Words that the folder does not hold count as unknown words: no file of word vectors is looked for.
    """

    def __init__(self, trained: TrainedRun) -> None:
        super().__init__()
        self.trained = replace(trained, new_words="unknown", caches_trees=False)
        self.task = trained.task
        """The modules with parameters, which are moved to the device of the model."""

    def preprocess(self, inputs: Sequence[Any], prompt: str | None = None, **_: Any) -> dict[str, Tensor]:
        """Return the tokens (B, T) of sentences and, if the encoder uses phrases, the bits of their phrases (B, T).

        Raise SettingsError if one of the inputs is not a string.
        """
        # The library sorts its inputs into batches, so an index here would be that of another sentence.
        sentences = [((prompt or "") + check_string(text),) for text in inputs]
        batch = gather(self.trained.split(sentences), np.arange(len(sentences)))
        features = {"tokens": batch.sentences[0]}
        return features if batch.phrases is None else {**features, "phrases": batch.phrases[0]}

    def forward(self, features: dict[str, Tensor], **_: Any) -> dict[str, Tensor]:
        """Return the features with the sentence vectors (B, W)."""
        vectors_BW = self.task.encode_tokens(features["tokens"], features.get("phrases"))
        self.task.auxiliary_losses.clear()
        return {**features, "sentence_embedding": vectors_BW}

    def get_embedding_dimension(self) -> int:
        """Return the width W of a sentence vector."""
        return self.task.encoder.width

    def save(self, output_path: str, *_: Any, **__: Any) -> None:
        """Write the model to a folder, in the same format as `attest export`."""
        write_model(Path(output_path) / MODEL_FILE, self.trained.model)

    @classmethod
    def load(  # type: ignore[override]
        cls, model_name_or_path: str, subfolder: str = "", **options: Any
    ) -> "SentenceEncoder":
        """Return the module of a folder, or of a repository of a hub, which the library then downloads.

        Raise StorageError if it holds no model.
        """
        names = ("token", "cache_folder", "revision", "local_files_only")
        given = {name: options[name] for name in names if name in options}
        path = cls.load_file_path(model_name_or_path, MODEL_FILE, subfolder, **given)
        if path is None:
            raise StorageError(
                f"{model_name_or_path}: holds no file {MODEL_FILE}; name a folder that attest export wrote"
            )
        return cls(open_model(Path(path)))

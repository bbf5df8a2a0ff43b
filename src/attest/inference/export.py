"""The folder of an exported run, which Sentence Transformers and `attest.load` open without records or data."""

import json
from pathlib import Path

from attest.errors import StorageError
from attest.inference.trained_run import TrainedRun
from attest.runs.trained_model import model_file, write_model
from attest.system.files import atomic_folder, remove_partials

MODULE = "attest.inference.sentence_transformer.SentenceEncoder"
"""The class that Sentence Transformers loads. It is part of this package, so that the folder holds no code."""
CARD, MODULES, CONFIG = "README.md", "modules.json", "config_sentence_transformers.json"


def check_target(folder: Path) -> None:
    """Raise StorageError if there is a file or folder where an export is to be written; an empty folder is replaced."""
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise StorageError(f"{folder}: exists already and is not empty; delete it, or name another folder")


def write_export(trained: TrainedRun, card: str, folder: Path) -> None:
    """Write the folder of a run with the text of its model card; the folder gets its name when it is complete.

    A matcher has no vectors of single sentences, so its folder holds nothing for Sentence Transformers.
    """
    check_target(folder)
    remove_partials(folder.parent)
    with atomic_folder(folder) as temporary:
        write_model(model_file(temporary), trained.model)
        (temporary / CARD).write_text(card, encoding="utf-8")
        if not trained.task.encoder.pairs:
            modules = [{"idx": 0, "name": "0", "path": "", "type": MODULE}]
            (temporary / MODULES).write_text(json.dumps(modules, indent=1) + "\n", encoding="utf-8")
            config = {"model_type": "SentenceTransformer", "prompts": {}, "similarity_fn_name": "cosine"}
            (temporary / CONFIG).write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
        check_target(folder)  # another process may have written there meanwhile

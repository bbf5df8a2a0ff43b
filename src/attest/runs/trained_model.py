"""The file of a finished run's model, which holds all that encoding needs: weights, words, text recipe and settings.

The words of the corpus have their vectors among the weights, so neither the corpus nor the file of word vectors is
needed to encode them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from attest.config.flat import to_plain
from attest.errors import RecordError, StorageError
from attest.runs.record_files import record_from
from attest.runs.records import Record
from attest.system.safetensors import read_tensors, write_tensors

FORMAT = 2
"""The version of the file's format."""
CONTENT_KEY = "attest"
"""The metadata key under which the file holds, as JSON, everything but the weights."""
MODEL_FILE = "model.safetensors"
REMEDY = "delete it"
"""The advice on a damaged file of a model."""
PARSER_PREFIX = "parser."
"""The prefix of the names of a parser's weights in the file."""


@dataclass(frozen=True, eq=False)
class TrainedParser:
    """The weights of a trained parser, and the record of its run."""

    record: Record
    weights: Mapping[str, Tensor]
    """The state dict of the parser's scorer."""


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """The weights of a finished run, with what turns sentences into their input."""

    record: Record
    """The record of the run; its settings hold the text recipe, the architecture and the names of the classes."""
    words: Sequence[str]
    """The word of each row of the table of word vectors (`Corpus.words`)."""
    training_words: int
    """The number of rows for training words, which follow the reserved rows."""
    sides: int
    """The number of sentences in an example: 1, or 2 for pairs."""
    weights: Mapping[str, Tensor]
    """The state dict of the run's task: encoder, head and word vectors."""
    parser: TrainedParser | None = None
    """The parser whose trees the run uses; None if it uses no trees, those of its data or those of another package."""


def model_file(folder: Path) -> Path:
    """Return the path of the file of the model in the folder of a run, which need not exist."""
    return folder / MODEL_FILE


def write_model(path: Path, model: TrainedModel) -> None:
    """Write the model of a finished run to a file, atomically and under the lease of the run."""
    parser = model.parser
    content = {
        "format": FORMAT,
        "record": to_plain(model.record),
        "words": list(model.words),
        "training_words": model.training_words,
        "sides": model.sides,
        **({} if parser is None else {"parser": to_plain(parser.record)}),
    }
    weights_of_parser = {} if parser is None else {f"{PARSER_PREFIX}{k}": v for k, v in parser.weights.items()}
    write_tensors(path, {**model.weights, **weights_of_parser}, {CONTENT_KEY: json.dumps(content, allow_nan=False)})


def read_model(path: Path) -> TrainedModel:
    """Return the model in a file.

    Raise StorageError if the file is damaged or holds no model of Attest, and RecordError if its record is damaged or a
    newer version wrote it.
    """
    weights, texts = read_tensors(path)
    if CONTENT_KEY not in texts:
        raise StorageError(f"{path}: not a model that Attest wrote; name the folder of a finished run")
    try:
        content = json.loads(texts[CONTENT_KEY])
        if content["format"] > FORMAT:
            raise RecordError(f"{path}: written by a newer version of Attest (format {content['format']}); update it")
        record, parser = record_from(path, content["record"], REMEDY), None
        if "parser" in content:
            names = [name for name in weights if name.startswith(PARSER_PREFIX)]
            of_parser = {name.removeprefix(PARSER_PREFIX): weights.pop(name) for name in names}
            parser = TrainedParser(record_from(path, content["parser"], REMEDY), of_parser)
        return TrainedModel(record, content["words"], content["training_words"], content["sides"], weights, parser)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise StorageError(f"{path}: damaged ({type(error).__name__}: {error}); {REMEDY}") from error

"""Import of weights that other code trained: a run without figures, with words and settings that the user names."""

import inspect
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pooch
import torch
from torch import Tensor

from attest.config.flat import flatten
from attest.config.settings import Settings
from attest.data.corpus import Corpus
from attest.data.files.source import Source
from attest.data.splits.split import FIRST_WORD, UNKNOWN
from attest.errors import DataError
from attest.inference.authors.file import read_named_tensors
from attest.inference.authors.names import MatchedWeights, code_of, match_weights
from attest.models.heads import Head
from attest.runs.identity import code_versions, digest, run_id
from attest.runs.records import Record, utc_now
from attest.runs.store import Store
from attest.runs.trained_model import TrainedModel, model_file, write_model
from attest.system import environment
from attest.system.leases import lease, lease_file
from attest.training.assemble import assemble_task
from attest.training.tasks import SentenceTask

PADDING_WORD, UNKNOWN_WORD = "<pad>", "<unk>"
"""The lines of a file of words that stand for padding and for the unknown word."""


def import_run(path: Path, words: Path | None, settings: Settings) -> Record:
    """Record the weights of a file as a run without figures, and return its record.

    `words` is a file with the word of each row of the table of word vectors in the file of weights. Without it, all
    words get their vectors from the file of word vectors that the settings name. The same files give the same run.
    """
    tensors = read_named_tensors(path)
    task = assemble_task(settings, empty_corpus(["", ""], settings.vectors.size))
    sizes = {"hidden_size": settings.hidden_size, "vectors.size": settings.vectors.size}
    matched = match_weights(path, tensors, task, sizes)
    rows, table_VE = word_table(path, words, matched, settings.vectors.size)
    fingerprint = digest([path and pooch.file_hash(str(path)) for path in (path, words)])
    identity = run_id(settings, fingerprint)
    record = Record(
        id=identity,
        kind="import",
        status="done",
        label=settings.label,
        settings=flatten(settings),
        versions=code_versions(settings),
        data={
            "fingerprint": fingerprint,
            "imported": {
                "file": path.name,
                "words": words and words.name,
                "code": code_of(task.encoder).url,
                "head": matched.has_head,
            },
            "splits": {},
            "vectors": {},
            "expected": {"splits": {}, "vectors": None},
        },
        seed=settings.seed,
        environment=environment.describe(),
        finished=utc_now(),
    )
    task = assemble_task(settings, empty_corpus(rows, settings.vectors.size))
    weights = {**task.state_dict(), **matched.tensors, "words.fixed": table_VE}
    folder = Path(settings.paths.runs) / identity
    with lease(lease_file(folder)):
        write_model(model_file(folder), TrainedModel(record, rows, 0, sides_of(task), weights))
        Store(Path(settings.paths.records)).put(record)
    return record


def empty_corpus(rows: Sequence[str], size: int) -> Corpus:
    """Return a corpus without examples, whose words all keep their vectors."""
    return Corpus({}, rows, 0, np.zeros((len(rows), size), np.float32), (), {})


def word_table(path: Path, words: Path | None, matched: MatchedWeights, size: int) -> tuple[list[str], Tensor]:
    """Return the word of each row of the table of word vectors, and the table (V, E).

    Without words, a line on standard error says how many vectors are left out. Raise DataError if the words do not fit
    the table of the file of weights.
    """
    table_VE = torch.zeros(FIRST_WORD, size)
    embedding_VE = matched.embedding_VE
    if words is None:
        if embedding_VE is not None:
            print(
                f"{path}: {len(embedding_VE):,} word vectors of the file are left out, since nothing names their "
                "words; to use them, add --words WORDS.txt, a file with the word of each vector on a line of its own",
                file=sys.stderr,
            )
        return ["", ""], table_VE
    if embedding_VE is None:
        raise DataError(f"{path}: holds no table of word vectors, so {words} names no rows; leave out --words")
    names = [line for _, line in Source(words, own=True).lines()]
    if names and not names[-1]:
        names.pop()  # an empty line at the end of the file
    if embedding_VE.shape != (len(names), size):
        raise DataError(
            f"{words}: {len(names):,} words for a table of {tuple(embedding_VE.shape)}; the file needs a word for "
            f"each row, and vectors.size is {size}"
        )
    if len({*names}) < len(names):
        repeated = Counter(names).most_common(1)[0][0]
        raise DataError(f"{words}: {repeated!r} stands on several lines; each word has one row")
    kept = [i for i, name in enumerate(names) if name not in (PADDING_WORD, UNKNOWN_WORD)]
    if UNKNOWN_WORD in names:
        table_VE[UNKNOWN] = embedding_VE[names.index(UNKNOWN_WORD)]
    return ["", "", *(names[i] for i in kept)], torch.cat([table_VE, embedding_VE[kept]])


def sides_of(task: SentenceTask) -> int:
    """Return the number of sentences in an example of a task: as many as its head takes vectors."""
    assert isinstance(task.head, Head)
    return len(inspect.signature(task.head.forward).parameters)

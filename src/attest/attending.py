"""What a trained encoder looks at: the attention maps of some sentences, made into a record.

Legend: T words of one sentence, D features.
"""

from collections.abc import Sequence

import numpy as np

from attest.attention_maps import LENGTH, PAIRS, attention_id
from attest.data.split import UNKNOWN
from attest.data.text.tokens import leaves
from attest.errors import SettingsError
from attest.models.encoders.base import NoMapsError
from attest.runs import versions
from attest.runs.records import Record, now
from attest.syntax.trees import is_tree
from attest.system import environment
from attest.trained import Trained


def attend(trained: Trained, sentences: Sequence[str]) -> tuple[Record, dict[str, np.ndarray]]:
    """The record, and its arrays by number of the sentence and name of the map."""
    run, texts = trained.record, list(sentences)
    taken = [taken_by(trained, text) for text in texts]
    words = trained.words(taken)
    for text, found in zip(texts, words, strict=True):
        if not found:
            raise SettingsError(f"{text!r}: a sentence without words, so there is nothing to look at")
    trained.tokens(taken)  # all new words are looked up together
    arrays: dict[str, np.ndarray] = {}
    for number, text in enumerate(taken):
        try:
            maps = trained.attend(text)
        except NoMapsError as error:
            raise SettingsError(f"{run.id}: {error}, so there is nothing to draw") from error
        arrays |= {f"{number}.{name}": reduced(name, value) for name, value in maps.items()}
        arrays |= {
            f"{number}.{LENGTH}{name}": np.linalg.norm(value.reshape(*value.shape[:2], -1), axis=2)
            for name, value in maps.items()
            if name.startswith(PAIRS)
        }
    record = Record(
        id=attention_id(run.id, texts),
        kind="attention",
        status="done",
        parents=(run.id,),
        label=run.label,
        settings=run.settings,
        versions={**run.versions, "attention": versions.ATTENTION},
        data={
            "fingerprint": run.fingerprint,
            "sentences": [
                {"text": text, "tokens": found, "unknown": [word for word in found if trained.rows[word] == UNKNOWN]}
                for text, found in zip(texts, words, strict=True)
            ],
        },
        seed=run.seed,
        environment=environment.describe(),
        finished=now(),
    )
    return record, arrays


def taken_by(trained: Trained, text: str) -> str:
    """What a run takes of a sentence: one that makes its own trees, of a tree that is given, the words alone."""
    makes_trees = trained.module.encoder.levels and trained.parser is not None
    return " ".join(leaves(text)) if makes_trees and is_tree(text) else text


def reduced(name: str, value: np.ndarray) -> np.ndarray:
    """What is kept of a map: of attention between words and of gates the mean over features, all else whole."""
    from_here = 2 if name.startswith(PAIRS) else 1 if name.startswith("gate") else value.ndim
    return value.mean(tuple(range(from_here, value.ndim))) if value.ndim > from_here else value

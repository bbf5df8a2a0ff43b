"""The attention record of sentences: a finished run computes their attention maps, which the record stores."""

from collections.abc import Mapping, Sequence

import numpy as np

from attest.data.splits.split import UNKNOWN
from attest.data.text.tokens import tree_leaves
from attest.errors import SettingsError
from attest.inference.attention_maps import NORM_PREFIX, PAIR_PREFIX, attention_id
from attest.inference.trained_run import TrainedRun
from attest.runs import versions
from attest.runs.records import Record, utc_now
from attest.syntax.trees import is_tree
from attest.system import environment


def attention_record(trained: TrainedRun, sentences: Sequence[str]) -> tuple[Record, dict[str, np.ndarray]]:
    """Return an attention record of the sentences, and its arrays by name.

    An array is named NUMBER.MAP, by the number of its sentence, from 0, and the name of the map. Raise SettingsError
    if a sentence has no words or the encoder has no attention maps.
    """
    run, rows, texts = trained.record, trained.row_of, list(sentences)
    inputs = [input_text(trained, text) for text in texts]
    words = trained.words(inputs)
    for text, tokens in zip(texts, words, strict=True):
        if not tokens:
            raise SettingsError(f"{text!r}: this sentence has no words; give sentences of at least one word")
    trained.numericalise(words)  # looks up all new words at once, so that the file of vectors is read only once
    arrays: dict[str, np.ndarray] = {}
    for number, (tokens, parse) in enumerate(zip(words, trained.parses(inputs), strict=True)):
        maps = trained.maps_of_words(tokens, parse)
        arrays |= {f"{number}.{name}": value for name, value in stored_maps(maps).items()}
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
                {"text": text, "tokens": tokens, "unknown": [word for word in tokens if rows[word] == UNKNOWN]}
                for text, tokens in zip(texts, words, strict=True)
            ],
        },
        seed=run.seed,
        environment=environment.describe(),
        finished=utc_now(),
    )
    return record, arrays


def input_text(trained: TrainedRun, text: str) -> str:
    """Return the text that the run encodes: the sentence or, for a tree, its words alone if the run has a parser."""
    parses_itself = trained.task.encoder.levels and trained.parser is not None
    return " ".join(tree_leaves(text)) if parses_itself and is_tree(text) else text


def stored_maps(maps: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the maps of a sentence as they are stored, with the norm over features of each map from words to words."""
    norms = {
        f"{NORM_PREFIX}{name}": np.linalg.norm(value.reshape(*value.shape[:2], -1), axis=2)
        for name, value in maps.items()
        if name.startswith(PAIR_PREFIX)
    }
    return {name: reduce_features(name, value) for name, value in maps.items()} | norms


def reduce_features(name: str, value: np.ndarray) -> np.ndarray:
    """Return a map as it is stored: a gate or a map from words to words as a mean over features, others in full."""
    first_feature_axis = 2 if name.startswith(PAIR_PREFIX) else 1 if name.startswith("gate") else value.ndim
    return value.mean(tuple(range(first_feature_axis, value.ndim))) if value.ndim > first_feature_axis else value

"""How sentence vectors are judged: every setting of SentEval's protocol (Conneau and Kiela 2018)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from attest.config.schema import AtLeastOne, Range, closest, parse
from attest.config.settings import PRIVATE
from attest.errors import SettingsError
from attest.transfer.classifiers import Sklearn
from attest.transfer.network import Torch

CLASSIFIERS = {"sklearn": Sklearn, "torch": Torch}


@dataclass(frozen=True, kw_only=True)
class Transfer:
    """The same for all tasks."""

    classifier: Sklearn | Torch = field(default_factory=Sklearn)
    folds: Annotated[int, Range(2)] = 10
    """SentEval falls back to 5; its own figures and InferSent's are of 10."""
    seed: Annotated[int, Range(0)] = 1111
    """Of classifiers, and of the folds where a test set stands apart. Nested folds are always those of 1111."""
    batch_size: Annotated[int, AtLeastOne] = field(default=128, metadata=PRIVATE)
    """Sentences that are encoded at once."""
    jobs: Annotated[int, AtLeastOne] | None = field(default=None, metadata=PRIVATE)
    """Processes side by side; null: one for each core."""


def parse_transfer(data: Mapping[str, Any]) -> Transfer:
    """Settings from plain data, where `kind` tells which classifier it is."""
    given = {"kind": "sklearn", **data.get("classifier", {})}
    if (kind := given["kind"]) not in CLASSIFIERS:
        near = closest(str(kind), CLASSIFIERS)
        raise SettingsError(f"classifier: {kind!r} is not one of {', '.join(CLASSIFIERS)}.{near}")
    return parse(Transfer, {**data, "classifier": parse(CLASSIFIERS[kind], given, "classifier")})

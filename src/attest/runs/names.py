"""Names of runs for people to read. No two runs share an id, which `attest.runs.identity` computes."""

from collections.abc import Mapping, Sequence
from typing import Any

from attest.config.overrides import key_of
from attest.config.settings import Settings
from attest.runs.identity import REPLICATE_KEYS


def run_name(settings: Settings, swept: Sequence[str] = (), data: Mapping[str, Any] | None = None) -> str:
    """Return a name for people to read, which several runs may share.

    It consists of the row of the table (else the class of the model), the overrides that a sweep varies, the fold (if
    there is one) and the seed. With the facts about the data of the run, the fold is followed by the number of folds.
    """
    row = settings.label.row or str(settings.model["_target_"]).rpartition(".")[2]
    folds = "" if data is None else f" of {data.get('folds', settings.protocol.folds)}"
    fold = "" if settings.protocol.fold is None else f"{settings.dataset.name} fold={settings.protocol.fold}{folds}"
    varied = [text for text in swept if key_of(text) not in REPLICATE_KEYS]
    return " ".join(filter(None, [row, *varied, fold, f"seed={settings.seed}"]))

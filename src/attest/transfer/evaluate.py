"""An encoder in, what it is worth on each task out."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from attest.config.schema import flatten, parse, plain
from attest.errors import SettingsError
from attest.runs import versions
from attest.runs.identity import digest
from attest.system.files import write_json
from attest.transfer.outcomes import Outcome
from attest.transfer.scoring import Watch, judge, silent
from attest.transfer.settings import Transfer
from attest.transfer.task_data import Sets, read_all
from attest.transfer.vector_cache import Encode, Encodings


def evaluate(
    encode: Encode,
    tasks: Sequence[str],
    data: str | Path,
    settings: Transfer | None = None,
    *,
    identity: str | None = None,
    cache: str | Path | None = None,
    watch: Watch = silent,
) -> dict[str, Outcome]:
    """What `encode`, a function from sentences to an array with a row for each, is worth on `tasks` of TASKS.

    The official files are read below the folder `data`. With an `identity`, by which the encoder is known again, and a
    folder `cache`, vectors and finished tasks are kept there, and an evaluation that was interrupted goes on.
    """
    places = None if identity is None or cache is None else (identity, Path(cache))
    return evaluate_sets(encode, read_all(tasks, Path(data)), settings or Transfer(), places, watch)


def evaluate_sets(
    encode: Encode,
    sets: Mapping[str, Sets],
    settings: Transfer,
    places: tuple[str, Path] | None = None,
    watch: Watch = silent,
    finished: Callable[[Outcome], None] = lambda outcome: None,
) -> dict[str, Outcome]:
    """The same on sets that were read; `finished` is told of each outcome."""
    encodings: Encodings | None = None
    outcomes: dict[str, Outcome] = {}
    for name, one in sets.items():
        path = None if places is None else kept_at(*places, name, one, settings)
        outcome = None if path is None else kept(path)
        if outcome is None:
            if encodings is None:
                folder = None if places is None else places[1] / "vectors" / digest(places[0])
                encodings = Encodings(encode, folder, settings.batch_size)
            outcome = judge(name, one, encodings, settings, watch)
            if path is not None:
                write_json(path, plain(outcome))
        outcomes[name] = outcome
        finished(outcome)
    return outcomes


def kept_at(identity: str, cache: Path, name: str, sets: Sets, settings: Transfer) -> Path:
    """Where the outcome of a task is kept: whatever it depends on is in the name."""
    key = digest([flatten(settings), versions.TRANSFER, identity, sets.fingerprint])
    return cache / "transfer" / f"{name}-{key}.json"


def kept(path: Path) -> Outcome | None:
    try:
        return parse(Outcome, json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, SettingsError):
        return None  # of an earlier day, or damaged: it is made again

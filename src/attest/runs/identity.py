"""Which run is it? Names computed from settings, versions of the code, and the data.

The id of a run hashes what differs from the defaults, so that a new setting leaves old runs their names, and
nothing that cannot change a figure: no path, thread count, logger, commit or library version.
"""

import hashlib
import json
from typing import Any

from attest.config import components
from attest.config.components import COMPONENTS
from attest.config.renamed import hashed
from attest.config.schema import defaults, flatten, plain
from attest.config.settings import Settings
from attest.runs import versions


def differences(settings: Settings) -> dict[str, Any]:
    """The settings that make this run what it is, the seed among them."""
    known = defaults(settings)
    changed = {key: value for key, value in flatten(settings).items() if key not in known or known[key] != value}
    for name in COMPONENTS:
        component = components.differences(getattr(settings, name), settings.packages)
        changed = {key: value for key, value in changed.items() if not key.startswith(f"{name}.")}
        changed |= {f"{name}.{key}": plain(value) for key, value in component.items()}
    unchanged = hashed(known)
    return {key: value for key, value in hashed(changed).items() if key not in unchanged or unchanged[key] != value}


def usual(settings: Settings) -> dict[str, Any]:
    """Dotted key -> what a run did that was made before this setting was there: the default, of schema or class."""
    known = defaults(settings)
    for name in COMPONENTS:
        cls = components.locate(getattr(settings, name), name, settings.packages)
        given = components.parameters(cls).items()
        known |= {f"{name}.{key}": plain(item.default) for key, item in given if item.default is not item.empty}
    return known


def versions_of(settings: Settings) -> dict[str, int]:
    """Version numbers of the code that this run goes through."""
    found = {name: components.locate(getattr(settings, name), name, settings.packages) for name in COMPONENTS}
    return {
        **{name: int(getattr(cls, "version", 0)) for name, cls in found.items()},
        "preparation": versions.PREPARATION,
        "protocol": versions.PROTOCOL,
    }


def digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:12]


def cell_id(settings: Settings, replicate: str = "seed") -> str:
    """The same for all replicates of one experiment, whatever the data; `replicate` is the setting they differ in."""
    shared = {key: value for key, value in differences(settings).items() if key != replicate}
    return digest([shared, versions_of(settings)])


def run_id(settings: Settings, fingerprint: str) -> str:
    """One run: one experiment, one replicate, one state of the data. Which parser made trees is part of that state,
    however it was named."""
    own = {key: value for key, value in differences(settings).items() if key != "parser.run"}
    return digest([own, versions_of(settings), fingerprint])


def name_of(settings: Settings) -> str:
    """Row and replicate, for people: not the name of one run alone."""
    row = settings.label.row or str(settings.model["_target_"]).rpartition(".")[2]
    fold = "" if settings.protocol.fold is None else f" {settings.dataset.name} fold={settings.protocol.fold}"
    return f"{row}{fold} seed={settings.seed}"

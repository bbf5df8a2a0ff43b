"""Which run is it? Names computed from settings, versions of the code, and the data.

The id of a run hashes what differs from the defaults, so that a new setting leaves old runs their names, and
nothing that cannot change a figure: no path, thread count, logger, commit or library version.
"""

import hashlib
import json
from typing import Any

from attest.config import components
from attest.config.components import COMPONENTS
from attest.config.renamed import hashed_settings
from attest.config.schema import flatten, schema_defaults, to_plain
from attest.config.settings import Settings
from attest.runs import versions


def identifying_settings(settings: Settings) -> dict[str, Any]:
    """The settings that make this run what it is, the seed among them."""
    known = schema_defaults(settings)
    changed = {key: value for key, value in flatten(settings).items() if key not in known or known[key] != value}
    for name in COMPONENTS:
        component = components.changed_arguments(getattr(settings, name), settings.packages)
        changed = {key: value for key, value in changed.items() if not key.startswith(f"{name}.")}
        changed |= {f"{name}.{key}": to_plain(value) for key, value in component.items()}
    hashed, unchanged = hashed_settings(changed), hashed_settings(known)
    return {key: value for key, value in hashed.items() if key not in unchanged or unchanged[key] != value}


def default_settings(settings: Settings) -> dict[str, Any]:
    """Dotted key -> what a run did that was made before this setting was there: the default, of schema or class."""
    known = schema_defaults(settings)
    for name in COMPONENTS:
        cls = components.locate_class(getattr(settings, name), name, settings.packages)
        given = components.constructor_parameters(cls).items()
        known |= {f"{name}.{key}": to_plain(item.default) for key, item in given if item.default is not item.empty}
    return known


def code_versions(settings: Settings) -> dict[str, int]:
    """Version numbers of the code that this run goes through."""
    found = {name: components.locate_class(getattr(settings, name), name, settings.packages) for name in COMPONENTS}
    return {
        **{name: int(getattr(cls, "version", 0)) for name, cls in found.items()},
        "preparation": versions.PREPARATION,
        "protocol": versions.PROTOCOL,
    }


def digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:12]


def cell_id(settings: Settings, replicate: str = "seed") -> str:
    """The same for all replicates of one experiment, whatever the data; `replicate` is the setting they differ in."""
    shared = {key: value for key, value in identifying_settings(settings).items() if key != replicate}
    return digest([shared, code_versions(settings)])


def run_id(settings: Settings, fingerprint: str) -> str:
    """One run: one experiment, one replicate, one state of the data. Which parser made trees is part of that state,
    however it was named."""
    own = {key: value for key, value in identifying_settings(settings).items() if key != "parser.run"}
    return digest([own, code_versions(settings), fingerprint])


def run_name(settings: Settings) -> str:
    """Row and replicate, for people: not the name of one run alone."""
    row = settings.label.row or str(settings.model["_target_"]).rpartition(".")[2]
    fold = "" if settings.protocol.fold is None else f" {settings.dataset.name} fold={settings.protocol.fold}"
    return f"{row}{fold} seed={settings.seed}"

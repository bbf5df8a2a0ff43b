"""Ids of runs and of cells, computed from settings, versions of the code, and the data.

A cell is an experiment of a table, without its replicates (seeds or folds) and its data; a run is one replicate on
certain data. An id hashes only settings that differ from their defaults, so that a new setting changes no earlier id.
It does not depend on what cannot change a figure: paths, thread count, logger, commit and library versions.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from attest.config import components
from attest.config.components import COMPONENTS
from attest.config.earlier_setting_names import hashed_settings
from attest.config.flat import flatten, is_plain_data, schema_defaults, to_plain
from attest.config.locate import locate, locate_class, own_code
from attest.config.settings import Settings
from attest.runs import versions

REPLICATE_KEYS = ("seed", "protocol.fold")
"""The dotted keys of the settings in which replicates of an experiment differ."""
(PARSER_RUN,) = hashed_settings({"phrases.parser_run": None})
"""The name under which ids hash the setting phrases.parser_run."""


def identifying_settings(settings: Settings) -> dict[str, Any]:
    """Return the settings that an id hashes, with the seed, by dotted key, under the names that ids hash.

    Settings and classes that were renamed keep the names that they had when ids were first hashed.
    """
    known = schema_defaults(settings)
    changed = {key: value for key, value in flatten(settings).items() if key not in known or known[key] != value}
    for name in COMPONENTS:
        component = components.changed_arguments(getattr(settings, name), name, settings.packages)
        changed = {key: value for key, value in changed.items() if not key.startswith(f"{name}.")}
        changed |= {f"{name}.{key}": to_plain(value) for key, value in component.items()}
    hashed, unchanged = hashed_settings(changed), hashed_settings(known)
    return {key: value for key, value in hashed.items() if key not in unchanged or unchanged[key] != value}


def default_settings(settings: Settings) -> dict[str, Any]:
    """Return the defaults of the schema and of the component classes by dotted key.

    A record of an earlier run lacks settings that were added later; the run is taken to have had these defaults. A
    default that no setting can state, such as a function, is left out.
    """
    known = schema_defaults(settings)
    for name in COMPONENTS:
        cls = locate_class(getattr(settings, name), name, settings.packages)
        given = {key: to_plain(item.default) for key, item in components.constructor_parameters(cls).items()}
        known |= {f"{name}.{key}": value for key, value in given.items() if is_plain_data(value)}
    return known


def code_versions(settings: Settings) -> dict[str, int]:
    """Return the version numbers of the code that the figures of this run depend on, by name."""
    classes = {name: locate_class(getattr(settings, name), name, settings.packages) for name in COMPONENTS}
    return {
        **{name: int(getattr(cls, "version", 0)) for name, cls in classes.items()},
        "preparation": versions.PREPARATION,
        "protocol": versions.PROTOCOL,
        **own_versions(settings),
    }


def own_versions(settings: Settings) -> dict[str, int]:
    """Return the versions of code of the user's own that is no component: the task, the tokeniser, the parser."""
    return {
        key: int(getattr(locate(name, key, (), kind), "version", 1)) for key, (name, kind) in own_code(settings).items()
    }


def digest(data: Any) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 hash of data, which is written as JSON for it."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:12]


def cell_id(identifying: Mapping[str, Any], versions: Mapping[str, int], replicate_key: str) -> str:
    """Return the id of a cell from the identifying settings of one of its runs and the versions of its code.

    `replicate_key` is the setting in which the runs of the cell differ.
    """
    shared = {key: value for key, value in identifying.items() if key != replicate_key}
    return digest([shared, versions])


def run_id(settings: Settings, fingerprint: str) -> str:
    """Return the id of a run, where `fingerprint` is the hash of the data that the run reads.

    The setting that names a parser's run is left out, because the fingerprint covers the trees of the parser.
    """
    return digest([run_id_settings(settings), code_versions(settings), fingerprint])


def run_id_settings(settings: Settings) -> dict[str, Any]:
    """Return the identifying settings of a run without the setting that names a parser's run."""
    return {key: value for key, value in identifying_settings(settings).items() if key != PARSER_RUN}

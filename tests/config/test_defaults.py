"""Defaults are part of the names of runs: a run is named by what differs from them.

With another default the old runs would be taken for new ones. So a default that changes wants a new `version` of its
class, or stays, and conf/ chooses otherwise. After a new version, or to add what is new: delete defaults.json beside
this file and run this test twice.
"""

import inspect
import json
from functools import cache
from pathlib import Path

import torch
from golden_files import golden_text

from attest.config import components
from attest.config.compose import compose
from attest.config.flat import schema_defaults, to_plain
from attest.models import encoders, matchers
from attest.models.heads import aggregation, classifiers, relatedness
from attest.models.heads.matrix import gated, pruned
from attest.runs import versions
from attest.training import optim

KNOWN = Path(__file__).with_name("defaults.json")
MODULES = (encoders, aggregation, classifiers, relatedness, matchers, gated, pruned, optim)


@cache
def now():
    """Name -> version, and default by parameter."""
    found = {
        "settings": {"version": versions.PROTOCOL + versions.PREPARATION, "defaults": schema_defaults(compose([]))}
    }
    for module in MODULES:
        for name, cls in vars(module).items():
            ours = inspect.isclass(cls) and cls.__module__.startswith("attest") and not inspect.isabstract(cls)
            if ours and issubclass(cls, torch.nn.Module | torch.optim.Optimizer):
                given = components.constructor_parameters(cls).items()
                values = {key: to_plain(item.default) for key, item in given if item.default is not item.empty}
                found[name] = {"version": getattr(cls, "version", 0), "defaults": values}
    return json.loads(json.dumps(found))


def known():
    return json.loads(golden_text(KNOWN, lambda: json.dumps(now(), indent=1, sort_keys=True) + "\n"))


def test_a_default_never_changes_under_the_same_version():
    changed = {
        f"{name}.{key}": value
        for name, old in known().items()
        if name in now() and now()[name]["version"] == old["version"]
        for key, value in old["defaults"].items()
        if now()[name]["defaults"].get(key, value) != value
    }
    assert not changed


def test_all_defaults_are_known():
    """A version that is not known guards nothing: delete the file and run this test twice."""
    assert now() == known()

"""Settings that had other names when ids of runs were first hashed.

Records of earlier versions use the earlier names, which `current_settings` replaces. Ids of runs still hash the earlier
names, which `hashed_settings` restores, so that no run changes its id.
"""

from collections.abc import Mapping
from typing import Any

RENAMED = {
    "parser.run": "phrases.parser_run",
    "parser.levels": "phrases.levels",
    "parser.divided_from": "phrases.min_length",
    "parser.branching": "phrases.branching",
    "parser.blocks": "phrases.blocks",
    "protocol.longest_gradient": "protocol.max_grad_norm",
    "protocol.rate_kept": "protocol.lr_decay",
    "protocol.rate_kept_without_gain": "protocol.lr_decay_on_plateau",
    "protocol.least_rate": "protocol.min_lr",
    "protocol.without_dev": "protocol.missing_dev",
    "protocol.lent": "protocol.dev_fraction",
}
"""Earlier key -> current key."""

RENAMED_VALUES = {("protocol.missing_dev", "lend"): "split_train"}
"""(Current key, earlier value) -> current value."""

KIND, TREES, SOURCE = "parser.kind", "parser.trees", "phrases.source"
SOURCES = {
    "none": {KIND: "none", TREES: "corpus"},
    "corpus": {KIND: "syntax", TREES: "corpus"},
    "learned": {KIND: "syntax", TREES: "learned"},
    "stanza": {KIND: "syntax", TREES: "stanza"},
    "balanced": {KIND: "balanced", TREES: "corpus"},
    "right": {KIND: "right", TREES: "corpus"},
}
"""A value of `phrases.source` -> the values of the two earlier settings, KIND and TREES, that it replaces."""

_EARLIER = {current: earlier for earlier, current in RENAMED.items()}
_EARLIER_VALUES = {(key, current): earlier for (key, earlier), current in RENAMED_VALUES.items()}
_GROUPS = {"parser": "phrases"}


def current_settings(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return flat settings (dotted key -> value) with earlier keys and values replaced by the current ones."""
    settings: dict[str, Any] = {}
    for key, value in flat.items():
        if key == KIND:
            trees = flat.get(TREES, "corpus") if value == "syntax" else "corpus"
            settings[SOURCE] = next(
                (name for name, pair in SOURCES.items() if pair == {KIND: value, TREES: trees}), trees
            )
        elif key != TREES:
            name = RENAMED.get(key, key)
            settings[name] = RENAMED_VALUES.get((name, value), value) if isinstance(value, str) else value
    return settings


def hashed_settings(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return flat settings under the keys and values that ids hash: the reverse of `current_settings`."""
    settings: dict[str, Any] = {}
    for key, value in flat.items():
        if key == SOURCE:
            settings |= SOURCES.get(value, {KIND: "syntax", TREES: value})  # others are parsers of the user's own
        else:
            earlier = _EARLIER_VALUES.get((key, value), value) if isinstance(value, str) else value
            settings[_EARLIER.get(key, key)] = earlier
    return settings


def current_key(key: str) -> str | None:
    """Return the current name of a setting or of a group, and None if the name is not an earlier one."""
    return SOURCE if key in (KIND, TREES) else RENAMED.get(key) or _GROUPS.get(key)

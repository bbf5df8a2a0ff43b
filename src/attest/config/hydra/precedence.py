"""The order in which files of settings override each other.

The order is, from the weakest to the strongest: conf/base.yaml, the groups, the experiment, the scale, files of the
user's own, and the overrides of the command line.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

OWN_FOLDER = "own folder"
"""The name under which Hydra knows the folders of attest.config.own_folders."""
OWN_PROVIDERS = (OWN_FOLDER, "command-line", "hydra.searchpath")
"""The beginnings of the names of all folders of the user's own: the last two are those of Hydra's own means."""
SCALE, EXPERIMENT = "scale", "experiment"


class Default(Protocol):
    """An entry of Hydra's list of defaults: a file, and the key below which its values stand."""

    config_path: str | None
    package: str | None


def own_files_last(defaults: Iterable[Any], own: Collection[str]) -> list[Any]:
    """Return the entries of Hydra's list of defaults with the files `own` behind all others, scales excepted.

    A file whose values stand below the key of another group, as those of a mask below `model`, stays behind a file of
    that group.
    """
    moved = {path for path in own if group_of(path) != SCALE}
    changed = {group_of(path) for path in moved}

    def is_moved(default: Default) -> bool:
        path, package = str(default.config_path), str(default.package)
        return path in moved or (package in changed and package != group_of(path))

    return sorted(defaults, key=is_moved)


def group_of(path: str) -> str:
    """Return the group of a file, given as experiment/disan/trec."""
    return path.partition("/")[0]


@dataclass(frozen=True)
class Layer:
    """A file of settings that takes part in a composition."""

    path: str
    """The path of the file below its folder, without suffix, such as experiment/disan/trec."""
    own: bool
    """True if the file is the user's own."""
    values: Mapping[str, Any]
    """Its values by dotted key, with interpolations unresolved."""

    @property
    def choice(self) -> str:
        """The file as an override chooses it, such as experiment=disan/trec."""
        return self.path.replace("/", "=", 1)

    @property
    def kind(self) -> str:
        """The kind of the file: a scale, an experiment or a group, of the user's own or not."""
        group = group_of(self.path)
        return group if group == SCALE else f"{'own ' if self.own else ''}{group if group == EXPERIMENT else 'group'}"

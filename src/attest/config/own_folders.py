"""Folders of the user's own, which hold Python code, settings, tables and data that every command finds.

A folder is laid out as this project is: Python modules at its top, settings in conf/, tables and figures in reproduce/,
files of data sets in data/. ATTEST_PATH names such folders, and --config-dir adds one to a single command. An installed
package names itself as such a folder by an entry point of the group `attest`.
"""

import importlib.util
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from attest.config.paths import OWN_FOLDERS_VARIABLE, shipped_folder, working_folder
from attest.config.yaml_files import yaml_names
from attest.errors import SettingsError

ENTRY_POINTS = "attest"
"""The group of entry points by which installed packages name themselves."""
CONF, REPRODUCE, DATA = "conf", "reproduce", "data"


@dataclass(frozen=True)
class OwnFolder:
    """A folder of the user's own."""

    path: Path
    package: str | None = None
    """The installed package whose folder it is; None for a folder that ATTEST_PATH names."""

    @property
    def conf(self) -> Path | None:
        """The folder of settings: conf/ or, if there is none, the folder itself if it holds groups such as model/."""
        if (self.path / CONF).is_dir():
            return self.path / CONF
        groups = (path.name for path in shipped_folder(CONF).iterdir() if path.is_dir())
        return self.path if any((self.path / group).is_dir() for group in groups) else None

    def provides(self, package: str) -> bool:
        """Return whether a top-level package, given by its name, is one of this folder."""
        if self.package is not None:
            return package == self.package
        return (self.path / f"{package}.py").is_file() or (self.path / package / "__init__.py").is_file()

    def sources(self) -> Iterator[Path]:
        """Yield the files and folders on which the meaning of settings can depend: its code, conf/ and reproduce/."""
        if self.package is not None:
            yield self.path
            return
        yield from sorted(self.path.glob("*.py"))
        yield from sorted(path.parent for path in self.path.glob("*/__init__.py"))
        yield from (path for name in (CONF, REPRODUCE) if (path := self.path / name).is_dir())


def add_own_folder(name: str) -> None:
    """Put a folder in front of those that ATTEST_PATH names, for this process and for those that launchers start."""
    path = Path(os.path.expanduser(name)).resolve()
    if not path.is_dir():
        raise SettingsError(f"--config-dir {name}: no such folder. Name one that holds conf/ or groups such as model/")
    if os.pathsep in str(path):
        raise SettingsError(
            f"--config-dir {name}: {path} contains {os.pathsep}, which separates the folders in "
            f"{OWN_FOLDERS_VARIABLE}; rename it"
        )
    others = os.environ.get(OWN_FOLDERS_VARIABLE)
    os.environ[OWN_FOLDERS_VARIABLE] = os.pathsep.join([str(path), *([others] if others else [])])


def own_folders() -> tuple[OwnFolder, ...]:
    """Return the folders of ATTEST_PATH, then those of installed packages.

    Raise SettingsError if one does not exist, or has a file of settings with the name of a shipped one.
    """
    return (*named_folders(os.environ.get(OWN_FOLDERS_VARIABLE, ""), working_folder()), *packaged_folders())


@cache
def named_folders(variable: str, working_folder: str) -> tuple[OwnFolder, ...]:
    """Return the folders that a value of ATTEST_PATH names, as seen from a working folder.

    They are looked up once, because a tokeniser asks for them with each sentence.
    """
    names = [os.path.expanduser(name) for name in variable.split(os.pathsep) if name]
    names = [str(Path(working_folder, name).resolve()) for name in names]
    for name in names:
        if not Path(name).is_dir():
            raise SettingsError(
                f"{OWN_FOLDERS_VARIABLE}: {name}: no such folder; name one that holds conf/, or leave it out"
            )
    return tuple(check_names(OwnFolder(Path(name))) for name in dict.fromkeys(names))


@cache
def packaged_folders() -> tuple[OwnFolder, ...]:
    """Return the folders of the installed packages that have an entry point of the group `attest`."""
    folders = []
    for entry in entry_points(group=ENTRY_POINTS):
        package = entry.module.partition(".")[0]
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise SettingsError(
                f"the entry point {ENTRY_POINTS}: {entry.name} = {entry.value}: there is no package {package}; "
                "install its distribution again, or uninstall it"
            )
        folders.append(check_names(OwnFolder(Path(spec.submodule_search_locations[0]), package)))
    return tuple(folders)


def check_names(folder: OwnFolder) -> OwnFolder:
    """Return the folder; raise SettingsError if one of its files would never be read, because a shipped one is."""
    parts = {REPRODUCE: folder.path / REPRODUCE} | ({} if folder.conf is None else {CONF: folder.conf})
    for part, own in parts.items():
        for group in (path for path in shipped_folder(part).iterdir() if path.is_dir()):
            for name in set(yaml_names(own / group.name)) & set(yaml_names(group)):
                raise SettingsError(
                    f"{own / group.name / name}.yaml:1: attest has a file {group.name}/{name} of its own; "
                    "give yours another name"
                )
    return folder


def is_own_module(module: str) -> bool:
    """Return whether a module, given by its dotted name, is one of the user's own, and make it importable if so."""
    package = module.partition(".")[0]
    folder = next((folder for folder in own_folders() if folder.provides(package)), None)
    if folder is None:
        return False
    if folder.package is None and str(folder.path) not in sys.path:
        sys.path.append(str(folder.path))  # behind all others, so that no file of the user's hides an installed package
    return True


def check_origin(module: str) -> None:
    """Raise SettingsError if Python finds another module than that of the user's own folder under this name."""
    package = module.partition(".")[0]
    for folder in own_folders():
        if folder.package is None and folder.provides(package):
            found = getattr(sys.modules.get(package), "__file__", None) or ""
            if not Path(found).resolve().is_relative_to(folder.path):
                raise SettingsError(
                    f"{folder.path / package}: Python finds another {package} first, in {found or 'itself'}; "
                    "give yours another name"
                )
            return


def own_configs() -> list[Path]:
    """Return the folders with settings of the user's own."""
    return [conf for folder in own_folders() if (conf := folder.conf) is not None]


def own_data() -> list[Path]:
    """Return the folders with files of the user's own data sets."""
    return [folder.path / DATA for folder in own_folders() if (folder.path / DATA).is_dir()]


def choices(group: str) -> dict[str, Path]:
    """Return the files of a group of settings by the names under which they are chosen, the user's own included."""
    return files_by_name(Path(group), [shipped_folder(CONF), *own_configs()])


def files_by_name(below: Path, folders: list[Path]) -> dict[str, Path]:
    """Return the YAML files below a relative path in several folders, by name and sorted; the earlier folder counts."""
    named = {
        name: folder / below / f"{name}.yaml" for folder in reversed(folders) for name in yaml_names(folder / below)
    }
    return dict(sorted(named.items()))


def specifications() -> dict[str, Path]:
    """Return the files of tables and figures by name, as disan/table1, the user's own included."""
    own = [folder.path / REPRODUCE for folder in own_folders()]
    return files_by_name(Path(), [shipped_folder(REPRODUCE), *own])


def is_own(path: Path) -> bool:
    """Return whether a file is in a folder of the user's own."""
    return any(path.is_relative_to(folder.path) for folder in own_folders())

"""The defaults lists of files of settings that are the user's own: which files a file chooses."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attest.config.yaml_files import line_of, read_yaml
from attest.errors import SettingsError


def own_file(name: str, folders: Sequence[Path]) -> Path | None:
    """Return the path of a file such as model/mine in the first of the folders that has it, or None."""
    return next((path for folder in folders if (path := folder / f"{name}.yaml").is_file()), None)


def with_defaults(names: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """Return the names of files, followed by those of own files in the defaults lists of own files."""
    known = list(names)
    for name in known:  # which grows
        known += [choice for choice in own_choices(name, folders) if choice not in known]
    return known


def own_choices(name: str, folders: Sequence[Path]) -> list[str]:
    """Return the names of the own files that the defaults list of an own file chooses; none for other files."""
    if (path := own_file(name, folders)) is None:
        return []
    bases = ("", name.partition("/")[0], name.rpartition("/")[0])
    stated = [choice for entry in default_entries(read_yaml(path)) for choice in names_in(entry)]
    below = dict.fromkeys(f"{base}{choice}".lstrip("/") for base in bases for choice in stated)
    return [choice for choice in below if own_file(choice, folders)]


def circle_error(overrides: Sequence[str], folders: Sequence[Path]) -> SettingsError | None:
    """Return an error that names own files whose defaults lists choose each other in a circle, or None.

    Those that an override names come first.
    """
    own = [f"{path.parent.relative_to(top)}/{path.stem}" for top in folders for path in sorted(top.rglob("*.yaml"))]
    named = [text.replace("=", "/", 1) for text in overrides]
    own.sort(key=lambda name: name not in named)

    def extend(chain: list[str]) -> list[str]:
        """Return the circle in which a chain of choices ends; empty if it ends otherwise."""
        for choice in own_choices(chain[-1], folders):
            if choice in chain:
                return [*chain[chain.index(choice) :], choice]
            if circle := extend([*chain, choice]):
                return circle
        return []

    circle = next(filter(None, (extend([name]) for name in own)), None)
    if circle is None or (path := own_file(circle[0], folders)) is None:
        return None
    names = ", ".join(circle)
    return SettingsError(f"{path}:{line_of(path, 'defaults')}: files choose each other in a circle: {names}")


def entry_with(stated: Mapping[str, Any], name: str) -> int | None:
    """Return the number of the entry in a file's defaults list that chooses a file or a group; None if none does."""
    numbered = enumerate(default_entries(stated))
    return next((number for number, entry in numbered if any(map(f"/{name}".endswith, names_in(entry)))), None)


def default_entries(stated: Mapping[str, Any]) -> list[Any]:
    """Return the entries of a file's defaults list; none if it has no list."""
    return entries if isinstance(entries := stated.get("defaults"), list) else []


def names_in(entry: object) -> Iterator[str]:
    """Yield the group and the files that an entry of a defaults list names, as /optimizer and /optimizer/adam.

    They begin with a slash also where the entry is relative to the group of its file.
    """
    group, names = next(iter(entry.items()), ("", ())) if isinstance(entry, dict) else ("", entry)
    folder = str(group).rpartition(" ")[2].partition("@")[0].strip("/")
    if folder:
        yield f"/{folder}"
    for name in names if isinstance(names, list) else [names]:
        yield "/".join(["", *filter(None, [folder, str(name).strip("/")])])

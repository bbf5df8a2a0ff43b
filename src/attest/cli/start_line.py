"""The line at the start of a run: the scale, data and budget in force, and the settings that a file replaced."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attest.config.compose import compose_unchecked
from attest.config.overrides import format_value
from attest.config.own_folders import own_data
from attest.config.precedence import Replacement
from attest.config.replaced_settings import replaced_settings
from attest.config.settings import Protocol, Settings
from attest.data.dataset import official_files
from attest.data.mini.provide import reads_built_in_data
from attest.errors import AttestError


def start_line(name: str, settings: Settings, overrides: Sequence[str]) -> str:
    """Return the line at the start of the run of this name with these settings, which the overrides compose to."""
    return f"{name}: {'; '.join(start_facts(settings, overrides))}"


def start_facts(settings: Settings, overrides: Sequence[str]) -> Iterator[str]:
    """Yield the parts of the line: what is in force, what replaced what, and which official files are not read."""
    yield f"scale={settings.scale}, {describe_data(settings)}, {describe_budget(settings.protocol)}"
    yield from describe_replacements(list(replaced_settings(overrides, settings)))
    built_in = reads_built_in_data(settings) and own_folder_of(settings) is None
    if built_in and (folder := unread_official_files(overrides)) is not None:
        yield f"the official files of {settings.dataset.name} are in {folder}, and scale=paper trains on them"


def describe_data(settings: Settings) -> str:
    """Return which data the run reads."""
    name = settings.dataset.name
    if folder := own_folder_of(settings):
        return f"{name} in {folder}"
    return f"built-in corpus {name}" if reads_built_in_data(settings) else f"{name} in {settings.paths.data}"


def own_folder_of(settings: Settings) -> Path | None:
    """Return the folder of the user's own that holds the files of the data set, or None if they are elsewhere."""
    with suppress(AttestError):
        paths = [file.source.path for file in official_files(settings)]
        return next((folder for folder in own_data() if any(path.is_relative_to(folder) for path in paths)), None)
    return None


def describe_budget(protocol: Protocol) -> str:
    """Return how long the run trains, on how many examples at a time, and on how many in all if not on all."""
    lengths = {"steps": protocol.steps, "epochs": protocol.epochs}
    length = " or ".join(f"{format_count(number)} {unit}" for unit, number in lengths.items() if number is not None)
    batch = f"{protocol.batch_words:,} words" if protocol.batch_words else f"{protocol.batch_size:,} examples"
    of = "" if protocol.examples is None else f" drawn from {protocol.examples:,}"
    return f"{length} in batches of {batch}{of}"


def format_count(number: float) -> str:
    """Return a number of steps or epochs as text, such as 1,562,500 or 0.5."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,g}"


def describe_replacements(replaced: Sequence[Replacement]) -> Iterator[str]:
    """Yield for each pair of files the settings that one states and the other replaces."""
    for winner, source in dict.fromkeys((item.winner, item.source) for item in replaced):
        changes = [
            f"{item.key} {format_short(item.stated)} -> {format_short(item.in_force)}"
            for item in replaced
            if (item.winner, item.source) == (winner, source)
        ]
        yield f"{winner} overrides {source}: {', '.join(changes)}"


def format_short(value: Any) -> str:
    """Return a value as an override writes it, a number with at most six digits."""
    return f"{value:g}" if isinstance(value, float) else format_value(value)


def unread_official_files(overrides: Sequence[str]) -> Path | None:
    """Return the folder with the official files of the run's data set, or None if one of them is missing."""
    with suppress(AttestError):
        paper = compose_unchecked([*(text for text in overrides if not text.startswith("scale=")), "scale=paper"])
        official_files(paper)
        return Path(paper.paths.data)
    return None

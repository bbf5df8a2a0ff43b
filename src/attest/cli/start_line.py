"""The line at the start of a run: the scale, data and budget in force, and the settings that a file replaced."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attest.config.compose import compose_unchecked
from attest.config.hydra.replaced_settings import Replacement, replaced_settings
from attest.config.locate import is_built_in
from attest.config.overrides import override_value
from attest.config.own_folders import own_data
from attest.config.settings import Protocol, Settings
from attest.data.dataset import official_files
from attest.data.mini.provide import reads_built_in_data
from attest.errors import AttestError

SIZE, RATE = "hidden_size", "optimizer.lr"


def start_line(
    name: str, settings: Settings, overrides: Sequence[str], splits: Mapping[str, Mapping[str, Any]] | None = None
) -> str:
    """Return the line at the start of the run of this name with these settings, which the overrides compose to.

    `splits` are the facts of the splits of its data, as `split_facts` returns them.
    """
    facts = [*start_facts(settings, overrides), *length_facts(settings, splits or {})]
    return f"{name}: {'; '.join(facts)}"


def start_facts(settings: Settings, overrides: Sequence[str]) -> Iterator[str]:
    """Yield the parts of the line: what is in force, what replaced what, and which official files are not read."""
    yield f"scale={settings.scale}, {describe_data(settings)}, {describe_budget(settings.protocol)}"
    replaced = list(replaced_settings(overrides, settings))
    yield from describe_replacements(replaced)
    if any(item.key == SIZE for item in replaced) and has_other_size(settings):
        name = str(settings.model["_target_"]).rpartition(".")[2]
        yield f"{name} is not given {SIZE}, so its size is that of its own settings or defaults"
    built_in = reads_built_in_data(settings) and own_folder_of(settings) is None
    if built_in and (folder := unread_official_files(overrides)) is not None:
        yield f"the official files of {settings.dataset.name} are in {folder}, and scale=paper trains on them"


def length_facts(settings: Settings, splits: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield how many examples of a data set of the user's own are left out or cut since they are long."""
    if own_folder_of(settings) is None:
        return
    for split, facts in splits.items():
        if count := facts.get("too_long"):
            yield (
                f"text.length_percentile={settings.text.length_percentile:g} leaves out {count:,} of "
                f"{facts['used'] + count:,} examples of {split}, those with over {facts['length_limit']:,} tokens"
            )
        if cut := facts.get("cut"):
            yield f"text.token_limit={settings.text.token_limit} cuts {cut['examples']:,} examples of {split}"


def has_other_size(settings: Settings) -> bool:
    """Return whether a model of the user's own gets its size neither from `hidden_size` nor by another name."""
    own = not is_built_in(str(settings.model["_target_"]))
    return own and SIZE not in settings.model and settings.hidden_size not in settings.model.values()


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
    """Yield for each pair of files the settings that one states and the other replaces.

    An experiment has the learning rate of its own optimiser, so that of a chosen one needs an override.
    """
    for winner, source in dict.fromkeys((item.winner, item.source) for item in replaced):
        changes = [
            f"{item.key} {format_short(item.stated)} -> {format_short(item.in_force)}"
            for item in replaced
            if (item.winner, item.source) == (winner, source)
        ]
        yield f"{winner} overrides {source}: {', '.join(changes)}"
    for item in replaced:
        if item.key == RATE and item.source.startswith("optimizer="):
            yield f"type {RATE}={format_short(item.stated)} for the rate of {item.source}"


def format_short(value: Any) -> str:
    """Return a value as an override writes it, a number with at most six digits."""
    return f"{value:g}" if isinstance(value, float) else override_value(value)


def unread_official_files(overrides: Sequence[str]) -> Path | None:
    """Return the folder with the official files of the run's data set, or None if one of them is missing."""
    with suppress(AttestError):
        paper = compose_unchecked([*(text for text in overrides if not text.startswith("scale=")), "scale=paper"])
        official_files(paper)
        return Path(paper.paths.data)
    return None

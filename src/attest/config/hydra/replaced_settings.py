"""The settings of one composition that a chosen file states and another file replaces, for the start of a run."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hydra.core.override_parser.types import Override
from omegaconf import DictConfig, OmegaConf

from attest.config.flat import flatten
from attest.config.hydra.cache import compose_config, current_merger, needs_hydra
from attest.config.hydra.precedence import EXPERIMENT, SCALE, Layer
from attest.config.overrides import parse_hydra_override
from attest.config.settings import Settings

FILE_GROUPS = ("dataset", "vectors")
"""The groups whose settings outside the id describe official files, for people to read."""


@dataclass(frozen=True)
class Replacement:
    """A value that a file states and that another file replaces."""

    key: str
    stated: Any
    source: str
    """The choice of the file that states the value."""
    in_force: Any
    winner: str
    """The choice of the file whose value is in force."""


def replaced_settings(overrides: Sequence[str], settings: Settings) -> Iterator[Replacement]:
    """Yield the values that a file chosen by overrides states and another file replaces, with the value in force.

    `settings` are those that the overrides compose to. Settings that an override sets itself are left out. What an
    experiment takes from another one counts as its own.
    """
    parsed = [override for text in overrides if not needs_hydra(override := parse_hydra_override(text))]
    files = current_merger(parsed)
    groups = [override for override in parsed if files.is_group(override)]
    set_by_command = [override.key_or_group for override in parsed if override not in groups]
    config, public = compose_config([str(override.input_line) for override in parsed]), flatten(settings)
    choices = [choice for override in groups for choice in choices_of(override)]
    for replacement in replacements(files.layers(groups), choices):
        key = replacement.key
        described = key.split(".")[0] in FILE_GROUPS and key not in public
        if described or any(f"{key}.".startswith(f"{name}.") for name in set_by_command):
            continue
        stated, in_force = resolve(config, key, replacement.stated), resolve(config, key, replacement.in_force)
        if stated != in_force:
            source, winner = (chosen_experiment(choice, choices) for choice in (replacement.source, replacement.winner))
            yield Replacement(key, stated, source, in_force, winner)


def chosen_experiment(choice: str, choices: Sequence[str]) -> str:
    """Return the choice of a file; for an experiment from which that of the command line derives, the latter."""
    begin = f"{EXPERIMENT}="
    return next((other for other in choices if choice.startswith(begin) and other.startswith(begin)), choice)


def choices_of(override: Override) -> list[str]:
    """Return the choices of an override of a group, which may be several: logger=[wandb,csv]."""
    value = override.value()
    return [f"{override.key_or_group}={name}" for name in (value if isinstance(value, list) else [value])]


def resolve(config: DictConfig, key: str, value: Any) -> Any:
    """Return the value of a file with its interpolations resolved, as if it stood at its key of `config`."""
    if not isinstance(value, str) or "${" not in value:
        return value
    whole = config.copy()
    OmegaConf.update(whole, key, value, force_add=True)
    return OmegaConf.select(whole, key)


def replacements(layers: Iterable[Layer], choices: Collection[str]) -> Iterator[Replacement]:
    """Yield the values, with interpolations unresolved, that a file states and a later file of another kind replaces.

    If several files state a key, the file that the command line chose is reported, else any file but the scale: a scale
    sets values for every choice, so that its replaced values are expected. A shipped group counts only if it is in
    `choices`, those of the command line: experiments are made to change groups. An experiment of the user's own may
    likewise change the shipped one that it derives from.
    """
    stated: dict[str, dict[str, Layer]] = {}
    for layer in layers:
        if layer.kind != "group" or layer.choice in choices:
            for key in layer.values:
                by_kind = stated.setdefault(key, {})
                by_kind.pop(layer.kind, None)
                by_kind[layer.kind] = layer
    for key, by_kind in stated.items():
        *below, winner = by_kind.values()
        replaced = [layer for layer in below if (layer.kind, winner.kind) != (EXPERIMENT, f"own {EXPERIMENT}")]
        replaced.sort(key=lambda layer: (layer.choice in choices, layer.kind != SCALE))
        for layer in replaced[-1:]:
            yield Replacement(key, layer.values[key], layer.choice, winner.values[key], winner.choice)

"""The settings that each command accepts: one table for the commands, for completion and for errors about arguments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LOCATION_KEYS = ("scale", "paths")
"""The top-level keys of the settings that say where records are."""
QUERY_KEYS = ("table", "row", "status", "since", "until", "limit")
"""The settings that select runs by more than their settings."""
HYDRA = "hydra"
"""The beginning of the keys of Hydra's own settings."""


@dataclass(frozen=True)
class Accepted:
    """The settings that a command accepts."""

    roots: Sequence[str] | None = None
    """The top-level keys of settings in the primary config; None: all but `excluded`."""
    own: Sequence[str] = ()
    """The settings of the command itself, which are in no config."""
    config: str = "config"
    """The primary config in conf/."""
    excluded: Sequence[str] = ()
    """The top-level keys of settings that the command sets itself."""
    hydra: bool = False
    """True if the command also accepts Hydra's own settings."""


NOTHING, PATHS, LOCATIONS = Accepted(()), Accepted(("paths",)), Accepted(LOCATION_KEYS)
FINISHED_RUN = Accepted(("packages", "paths"))
ACCEPTED: Mapping[str, Accepted] = {
    "train": Accepted(hydra=True),
    "reproduce": Accepted(own=("rows", "seeds", "again", "with"), excluded=("label",), hydra=True),
    "plan": PATHS,
    "tune": Accepted(own=("runs", "minutes", "at_once"), hydra=True),
    "show": Accepted(LOCATION_KEYS, own=("with",)),
    "status": PATHS,
    "runs": Accepted(own=QUERY_KEYS),
    "compare": Accepted(own=tuple(key for key in QUERY_KEYS if key not in ("status", "limit"))),
    "collate": NOTHING,
    "publish": PATHS,
    "figures": LOCATIONS,
    "describe": Accepted(),
    "describe TABLE": NOTHING,
    "bench": PATHS,
    "choices": NOTHING,
    **dict.fromkeys(("encode", "predict", "evaluate", "attend", "export", "submit"), FINISHED_RUN),
    "import": Accepted(),
    "transfer": Accepted(config="transfer"),
    "hard": Accepted(),
    "doctor": Accepted(),
    "settings": Accepted(),
    "parser": Accepted(config="parser_training"),  # before its action is typed
    "parser train": Accepted(config="parser_training"),
    "parser test": Accepted(("scale", "paths", "phrases", "dataset")),
    "parser parse": Accepted(("scale", "paths", "phrases")),
    "new": NOTHING,
    "data": PATHS,
    "wandb": Accepted((*LOCATION_KEYS, "logger"), own=("with",)),
    "completion": NOTHING,
}
"""Command -> the settings that it accepts; those of one action follow "COMMAND ACTION", and those of a command with a
table "COMMAND TABLE"."""


def entry_of(words: Sequence[str]) -> str:
    """Return the entry of ACCEPTED for the words of a command line, of which --config-dir is left out."""
    command, *arguments = words
    names = [text for text in arguments if "=" not in text and text[:1] not in ("-", "+", "~")]
    entries = [f"{command} {names[0]}", f"{command} TABLE"] if names else []
    return next((entry for entry in entries if entry in ACCEPTED), command)


def accepted_by(words: Sequence[str]) -> Accepted:
    """Return the settings that the command accepts which the words of a command line name; none for an unknown one."""
    return ACCEPTED.get(entry_of(words), NOTHING) if words else NOTHING


def roots_of(accepted: Accepted) -> set[str]:
    """Return the top-level keys of the settings that a command accepts, Hydra's own left out."""
    roots = all_roots(accepted.config) - {*accepted.excluded} if accepted.roots is None else {*accepted.roots}
    return roots | {*accepted.own}


def all_roots(config: str) -> set[str]:
    """Return the top-level keys of the settings of a primary config."""
    from attest.config.keys import groups_of
    from attest.config.paths import shipped_folder
    from attest.config.settings import Settings
    from attest.config.yaml_files import read_yaml

    if config == "config":
        return {*Settings.__dataclass_fields__, *groups_of()}
    files = [shipped_folder("conf") / f"{config}.yaml", *(shipped_folder("conf") / config).glob("*.yaml")]
    return {*groups_of(config), *(key for path in files for key in read_yaml(path))} - {"defaults", "dataset"}


def check_accepted(words: Sequence[str], overrides: Sequence[str]) -> None:
    """Raise SettingsError for an override that the command does not accept which the words of a command line name.

    Where a command accepts all settings of a run, their composition checks the overrides.
    """
    entry, accepted = entry_of(words), accepted_by(words)
    if not overrides or (accepted.roots is None and not accepted.excluded and accepted.config == "config"):
        return
    from attest.config.keys import check_keys
    from attest.config.overrides import key_of

    if accepted.hydra:
        overrides = [text for text in overrides if not key_of(text).startswith(HYDRA)]
    check_keys(overrides, roots_of(accepted), accepted.config, f"attest {entry}")

"""Overrides of Hydra's own settings that commands refuse, because they would do nothing or harm."""

import re
from collections.abc import Sequence

from attest.config.overrides import key_of, parse_override
from attest.errors import SettingsError

HYDRAS_FOLDERS = ("hydra.run.dir", "hydra.sweep.dir", "hydra.sweep.subdir")
"""The settings of Hydra for folders in which it would keep the files of runs."""


def check_single(overrides: Sequence[str]) -> None:
    """Raise SettingsError if overrides of a single run are about a launcher or a sweeper, which only sweeps have."""
    for text in overrides:
        if re.match(r"hydra[./](launcher|sweeper)\b", key_of(text)):
            raise SettingsError(
                f"{text}: only a sweep has a launcher and a sweeper; add -m, as in attest train -m {text}, or leave it "
                "out"
            )


def check_hydra(overrides: Sequence[str]) -> None:
    """Raise SettingsError if overrides give Hydra a folder for the run, make it work in one, or choose two sweepers.

    Relative paths, such as that in paths.home=out, would be looked up in the folder that runs work in.
    """
    sweepers = [text for text in overrides if key_of(text) == "hydra/sweeper"]
    if len(sweepers) > 1:
        raise SettingsError(f"{sweepers[-1]}: the command has a sweeper already; leave it out")
    for text in overrides:
        key = key_of(text)
        if key in HYDRAS_FOLDERS:
            raise SettingsError(f"{text}: a run is kept in paths.runs; type paths.runs=FOLDER, or leave {key} out")
        if key == "hydra.job.chdir" and parse_override(text).value() is not False:
            raise SettingsError(
                f"{text}: runs work in the folder of the command, which relative paths are relative to; leave {key} out"
            )

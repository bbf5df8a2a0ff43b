"""attest train. The only module that starts a Hydra application."""

import argparse
import io
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path

import hydra
from hydra.types import TaskFunction
from omegaconf import DictConfig, OmegaConf

from attest.cli.job import job
from attest.config.compose import compose, compose_unchecked
from attest.config.flat import to_plain
from attest.config.hydra_cache import VERSION
from attest.config.hydra_errors import translate_hydra_errors
from attest.config.overrides import key_of, path_overrides
from attest.config.own_errors import own_code_error
from attest.config.paths import shipped_folder
from attest.errors import AttestError, SettingsError
from attest.system.write_errors import make_folder


def train(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Train one run; with -m sweep over several; with --cfg, --info or --hydra-help print what Hydra says and stop."""
    if (parsed.package or parsed.resolve) and parsed.cfg in (None, True):
        raise SettingsError("attest train: --package and --resolve need --cfg job; add it, or leave them out")
    if parsed.cfg is True:
        print(OmegaConf.to_yaml(OmegaConf.create(to_plain(compose(overrides)))))
    elif parsed.cfg:
        flags = ["--cfg", parsed.cfg, *(["--package", parsed.package] if parsed.package else [])]
        start_hydra([*flags, *(["--resolve"] if parsed.resolve else []), *overrides])
    elif parsed.info:
        print_info(["--info", parsed.info, *overrides])
    elif parsed.hydra_help:
        start_hydra(["--hydra-help", *overrides])
    elif parsed.multirun:
        start_hydra(["-m", *overrides])
    else:
        compose(overrides)  # a mistake in them is reported before Hydra starts
        check_single(overrides)
        start_hydra(overrides)


def print_info(arguments: Sequence[str]) -> None:
    """Print what Hydra says with --info.

    Hydra logs it, and logging prints a stack trace for each line that nobody reads, as behind `| head`.
    """
    text = io.StringIO()
    try:
        with redirect_stdout(text):
            start_hydra(arguments)
    finally:
        print(text.getvalue(), end="")


def check_single(overrides: Sequence[str]) -> None:
    """Raise SettingsError if overrides of a single run are about a launcher or a sweeper, which only sweeps have."""
    for text in overrides:
        if re.match(r"hydra[./](launcher|sweeper)\b", key_of(text)):
            raise SettingsError(
                f"{text}: only a sweep has a launcher and a sweeper; add -m, as in attest train -m {text}, or leave it "
                "out"
            )


def make_folder_of_hydra(overrides: Sequence[str]) -> None:
    """Make the folder that Hydra makes when it starts: its own error for a folder that cannot be made is a traceback.

    A mistake in the overrides is left to the composition of the run.
    """
    with suppress(SettingsError):
        make_folder(Path(compose_unchecked(path_overrides(overrides)).paths.hydra))


def start_hydra(arguments: Sequence[str], job: TaskFunction = job) -> None:
    """Start one Hydra application: a run, or a sweep with the launcher and sweeper that the overrides choose."""
    sys.argv = ["attest", *arguments]
    application = hydra.main(version_base=VERSION, config_path=str(shipped_folder("conf")), config_name="config")
    errors: list[AttestError] = []

    def single_job(config: DictConfig) -> None:
        """Train a single run, and keep its error from Hydra, which would print a stack trace."""
        try:
            job(config)
        except AttestError as error:
            errors.append(error)
        except Exception as error:
            if (failure := own_code_error(error, packages=config.packages)) is None:
                raise
            errors.append(failure)

    overrides = [text for text in arguments if text != "-m"]
    if not any(text.startswith("--") for text in overrides):  # such as --cfg, which prints and stops
        make_folder_of_hydra(overrides)
    with translate_hydra_errors(arguments):
        application(job if "-m" in arguments else single_job)()
    if errors:
        raise errors[0]

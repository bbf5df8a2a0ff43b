"""attest train. The only module that starts a Hydra application."""

import argparse
import io
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode, TaskFunction
from omegaconf import DictConfig

from attest.cli.arguments.hydra_overrides import check_hydra, check_single
from attest.cli.job import job
from attest.cli.settings_yaml import print_settings
from attest.cli.start_line import describe_replacements
from attest.config.compose import compose, compose_unchecked
from attest.config.error_words import did_you_mean
from attest.config.hydra.cache import VERSION
from attest.config.hydra.errors import translate_hydra_errors
from attest.config.hydra.replaced_settings import replaced_settings
from attest.config.keys import known_keys
from attest.config.overrides import parse_override, path_overrides
from attest.config.own_errors import own_code_error
from attest.config.paths import shipped_folder
from attest.errors import AttestError, SettingsError
from attest.system.write_errors import make_folder

HYDRAS_PARTS = ("launcher", "sweeper", "run", "sweep", "job", "runtime", "overrides", "env")
"""The parts of Hydra's own settings that `attest train --cfg hydra --package` prints."""


def train(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Train one run, or a sweep with -m; with --cfg, --info or --hydra-help print settings, jobs or help and stop."""
    if (parsed.package or parsed.resolve) and parsed.cfg in (None, True):
        raise SettingsError(
            "attest train: --package and --resolve need --cfg job, hydra or all; add one, or leave them out"
        )
    lists_jobs = parsed.multirun and parsed.cfg is True
    shows_one = bool(parsed.cfg or parsed.info) and not lists_jobs
    if shows_one and any(parse_override(text).is_sweep_override() for text in overrides):
        flag = "--cfg" if parsed.cfg else "--info"
        raise SettingsError(
            f"attest train: {flag} shows the settings of one run; type one value for each key, or -m --cfg to list the "
            "runs of a sweep"
        )
    if lists_jobs:
        start_hydra(["-m", "hydra/sweeper=grid", "hydra.sweeper.only_list=true", *overrides])
    elif parsed.cfg is True:
        print_settings(compose(overrides))
        print_replacements(overrides)
    elif parsed.cfg:
        flags = ["--cfg", parsed.cfg, *(["--package", parsed.package] if parsed.package else [])]
        print_config([*flags, *(["--resolve"] if parsed.resolve else []), *overrides], parsed.package)
        if parsed.cfg != "hydra":
            sys.stdout.flush()
            print_replacements(overrides)
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


def print_replacements(overrides: Sequence[str]) -> None:
    """Print to standard error which chosen files state values that another file replaces."""
    with suppress(SettingsError):  # Hydra prints a configuration also where a setting in it is wrong
        settings = compose_unchecked(overrides)
        for text in describe_replacements(list(replaced_settings(overrides, settings))):
            print(f"attest: {text}", file=sys.stderr)


def print_info(arguments: Sequence[str]) -> None:
    """Print what Hydra says with --info.

    Hydra logs it, and logging prints a stack trace for each line that nobody reads, as behind `| head`.
    """
    text = io.StringIO()
    with redirect_stdout(text):
        start_hydra(arguments)
    print(text.getvalue(), end="")


def print_config(arguments: Sequence[str], package: str | None) -> None:
    """Print what Hydra prints with --cfg; raise SettingsError if the package is no part of the configuration."""
    text = io.StringIO()
    try:
        with redirect_stderr(text):
            start_hydra(arguments)
    except SystemExit:  # so Hydra ends if there is no such package
        if package is None or not text.getvalue().startswith("package "):
            raise
        known = {f"hydra.{name}" for name in HYDRAS_PARTS} if package.startswith("hydra.") else known_keys()
        raise SettingsError(f"{package}: unknown part of the configuration.{did_you_mean(package, known)}") from None
    finally:
        if not text.getvalue().startswith("package "):
            print(text.getvalue(), end="", file=sys.stderr)


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

    def single_job(config: DictConfig) -> Any:
        """Train a single run, and keep its error from Hydra, which would print a stack trace.

        A file of settings may make a sweep of the command, whose sweeper collects what its jobs return or raise.
        """
        if HydraConfig.get().mode == RunMode.MULTIRUN:
            return job(config)
        try:
            job(config)
        except AttestError as error:
            errors.append(error)
        except Exception as error:
            if (failure := own_code_error(error, packages=config.packages)) is None:
                raise
            errors.append(failure)
        return None

    overrides = [text for text in arguments if text != "-m"]
    if not any(text.startswith("--") for text in overrides):  # such as --cfg, which prints and stops
        check_hydra(overrides)
        make_folder_of_hydra(overrides)
    with translate_hydra_errors(arguments):
        application(job if "-m" in arguments else single_job)()
    if errors:
        raise errors[0]

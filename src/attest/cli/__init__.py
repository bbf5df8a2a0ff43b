"""The command line `attest`: its commands, their arguments, and exit codes. Settings are Hydra's key=value."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from attest.cli.arguments.accepted import check_accepted
from attest.cli.arguments.commands import parser
from attest.cli.arguments.typed_overrides import split_arguments, without_folder
from attest.config.paths import OWN_FOLDERS_VARIABLE, first_use_notice, working_folder
from attest.errors import AttestError, OwnCodeError, SettingsError
from attest.runs.command_line import command_line
from attest.system.failures import machine_error
from attest.system.openmp import choose_wait_policy
from attest.system.signals import ReceivedSignal, Stopped, exit_code_of_signal
from attest.system.write_errors import WRITE_ERROR_ADVICE, access_error

EXIT_FAILED, EXIT_MISUSED = 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name, and return its exit code.

    An error that a user can mend is printed as one sentence; any other exception is raised.
    """
    if sys.stdout is None:  # as Python has it if the shell closed it
        print("attest: standard output is closed; leave >&- out, or type >/dev/null to discard it", file=sys.stderr)
        return EXIT_FAILED
    os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra then raises its errors instead of printing them
    os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # else a Ray that we start listens on all networks
    os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")  # torch asks for huge pages: large layers are 1.5 times as fast
    earlier, overrides = os.environ.get(OWN_FOLDERS_VARIABLE), list[str]()
    ReceivedSignal.forget()
    typed = sys.argv[1:] if arguments is None else arguments
    command_line.set(tuple(without_folder(typed)))
    try:
        words, overrides = split_arguments(typed)
        choose_wait_policy([*words, *overrides])
        parsed = parser().parse_args(words)
        working_folder()  # torch cannot be loaded where it is missing
        overrides = fitted(overrides)
        check_accepted(without_folder(words), overrides)
        return run_command(parsed, overrides)
    except AttestError as error:
        return report_error(error)
    except BrokenPipeError:  # the reader of our output has closed it, as `head` does
        null = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            os.dup2(null, stream.fileno())  # without this, Python prints an error when it exits
        return EXIT_FAILED
    except Exception as error:
        failure = failure_of_the_machine(error) or missing_dependency(error) or failure_of_own_code(error, overrides)
        if failure is None:
            raise
        return report_error(failure)
    except (KeyboardInterrupt, Stopped) as stop:
        print(f"attest: {str(stop) or 'stopped'}; the same command continues from there", file=sys.stderr)
        return exit_code_of_signal()
    finally:
        set_variable(OWN_FOLDERS_VARIABLE, earlier)


def fitted(overrides: Sequence[str]) -> list[str]:
    """Return the overrides as Hydra reads them with the types of a run's settings."""
    if not overrides:
        return []
    from attest.config.fit_overrides import fit_overrides
    from attest.config.settings import Settings

    return fit_overrides(overrides, Settings)


def run_command(parsed: argparse.Namespace, overrides: Sequence[str]) -> int:
    """Run a command whose arguments are parsed, and return its exit code."""
    module, _, function = parsed.command.partition(":")
    if parsed.config_dir is not None:
        from attest.config.own_folders import add_own_folder

        add_own_folder(parsed.config_dir)
    announce_folders(module, overrides)
    code = int(getattr(importlib.import_module(f"attest.cli.commands.{module}"), function)(parsed, overrides) or 0)
    sys.stdout.flush()
    return code


def set_variable(name: str, value: str | None) -> None:
    """Set an environment variable, or delete it if the value is None."""
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def announce_folders(module: str, overrides: Sequence[str]) -> None:
    """Say where output goes when an installed package is first used, unless the overrides say so."""
    sentence = first_use_notice()
    if sentence and module != "completion" and not any(text.startswith("paths.") for text in overrides):
        print(f"attest: {sentence}", file=sys.stderr, flush=True)


def failure_of_the_machine(error: Exception) -> AttestError | None:
    """Return the error to print in place of an exception that the machine caused, or None for any other exception."""
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        text = error.object[:60].encode("utf-8", "backslashreplace").decode()
        return SettingsError(f"{text}: an argument or the name of a file is not UTF-8; type or name it in UTF-8")
    if isinstance(error, OSError) and error.errno in WRITE_ERROR_ADVICE:  # Hydra's writes do not translate their errors
        return access_error(Path(str(error.filename or "standard output")), error.errno)
    return machine_error(error)


def missing_dependency(error: Exception) -> AttestError | None:
    """Return the error to print where Attest is installed without its dependencies, or None for any other exception."""
    if not isinstance(error, ModuleNotFoundError) or find_spec("hydra") is not None:
        return None
    return SettingsError(
        f"{error.name} is not installed: this environment has attest.models alone; for commands, install Attest with "
        "its dependencies (pip install WHEEL)"
    )


def failure_of_own_code(error: Exception, overrides: Sequence[str]) -> AttestError | None:
    """Return the error to print in place of an exception that the user's code raised, or None for any other one.

    Packages that the overrides of the command trust are the user's code.
    """
    from attest.config.hydra.class_overrides import packages_in_overrides
    from attest.config.overrides import parse_override
    from attest.config.own_errors import own_code_error

    return own_code_error(error, packages=packages_in_overrides([parse_override(text) for text in overrides]))


def report_error(error: AttestError) -> int:
    """Print an error as one sentence, below the stack trace of the user's own code if this code raised it.

    Return the exit code of the command.
    """
    trace = error.trace if isinstance(error, OwnCodeError) else ""
    names_command = str(error).startswith("attest ")
    print(f"{trace}{'' if names_command else 'attest: '}{error}", file=sys.stderr)
    return EXIT_MISUSED if isinstance(error, SettingsError) else EXIT_FAILED

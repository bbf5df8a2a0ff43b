"""Errors about unknown and missing arguments of commands: what to type instead."""

from argparse import Action, _SubParsersAction
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import chain

from attest.cli.arguments.accepted import accepted_by

FLAGS_OF_HYDRA = {
    "config_name": "the configuration is always conf/config.yaml; choose experiment=NAME, also one of your own, in a "
    "folder given with --config-dir",
    "config_path": "the configuration is always conf/config.yaml; add a folder of your own with --config-dir",
    "run": "a single run is the default; leave this flag out",
    "version": "type attest --version",
    **dict.fromkeys(("sc", "shell_completion"), "type attest completion bash, zsh or fish"),
    "experimental_rerun": "give the overrides again; the same command continues a run",
}
"""Flags of other Hydra applications -> what to type instead."""
FEW = 8
"""The largest number of names that an error lists."""


def explain_unknown(argument: str, arguments: Sequence[str], command: str, options: Sequence[str]) -> str:
    """Return what to type instead of an argument that a command does not have, which has these options."""
    if not argument.startswith("-"):
        from attest.config.keys import groups_of  # reads conf/, which takes longer than a right command line

        behind = [*arguments[arguments.index(argument) + 1 :], "NAME"] if argument in arguments else ["NAME"]
        if argument in groups_of() and not behind[0].startswith("-"):
            return f"{argument}: a choice of a group is written with =; type {argument}={behind[0]}"
        return f"{argument}: this word is not expected here; see `attest {command} --help`"
    flag, equals, value = argument.partition("=")
    name = flag.lstrip("-").replace("-", "_")
    if name in FLAGS_OF_HYDRA:
        return f"{flag}: {FLAGS_OF_HYDRA[name]}"
    if not equals:
        behind = arguments[arguments.index(argument) + 1 :] if argument in arguments else ()
        value = behind[0] if behind and not behind[0].startswith("-") else "VALUE"
    from attest.config.keys import known_keys  # reads conf/, which takes longer than a right command line

    accepted = accepted_by([command])
    known = known_keys(accepted.config) | set(accepted.own)
    if name not in known and (near := get_close_matches(flag, options, n=1, cutoff=0.7)):
        return f"{flag}: unknown option. Did you mean {near[0]}?"
    ending = [key for key in sorted(known) if key.rpartition(".")[2] == name]
    keys = [name] if name in known else ending or get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    if keys:
        return f"{flag}: settings are written key=value, without dashes; type {keys[0]}={value}"
    return f"{flag}: unknown option; `attest {command} --help` lists options and settings"


def explain_missing(names: Sequence[str], actions: Sequence[Action], prog: str) -> str:
    """Return what to type for the arguments that are missing, by their names in argparse's error.

    `actions` are the arguments of the command `prog`. Argparse also names lists that may be empty; they are left out.
    """
    by_name = {"/".join(action.option_strings) or action.metavar or action.dest: action for action in actions}
    missing = {name: by_name[name] for name in names if by_name[name].nargs != "*"}
    text = ", ".join(missing)
    if len(missing) == 1:
        text += f": missing; {advice(next(iter(missing.values())), prog)}"
    else:
        text += f": missing; `{prog} --help` explains them"
    if "file" in missing:
        text += f"; write -- in front of a name that contains =, as in {prog} ... -- a=b.txt"
    return text


def advice(action: Action, prog: str) -> str:
    """Return what to type for an argument: its choices, if there are few, or what its help says."""
    from attest.cli.arguments.names import argument_names  # reads conf/, which takes longer than a right command line

    if isinstance(action, _SubParsersAction):
        return f"`{prog} --help` lists them"
    if action.option_strings:
        return f"type {action.option_strings[-1]} {action.metavar}, {action.help}"
    command = prog.rpartition(" ")[2]
    names = list(action.choices or chain.from_iterable(argument_names(command).values()))
    if 1 < len(names) <= FEW:
        return f"type {', '.join(names[:-1])} or {names[-1]}"
    return f"type {action.help}" + (f"; `{prog} --help` lists them" if names else "")

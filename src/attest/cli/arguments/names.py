"""The names that the arguments of commands can have, for completion and for --help."""

from collections.abc import Mapping, Sequence

from attest.benchmarks.spec import BENCHMARKS, benchmark_names
from attest.config.own_folders import choices
from attest.config.vector_files import NO_FILE
from attest.config.yaml_files import read_yaml
from attest.reproduction.specs import files

SPEC_KINDS: dict[str, Sequence[files.Kind]] = {
    "show": ["table"], "reproduce": ["table"], "describe": ["table"], "figures": ["figure"],
    "publish": ["table", "figure"], "wandb": ["table"], "plan": ["table"], "status": ["table"],
    "tune": ["search"], "choices": ["open choices"],
}  # fmt: skip
"""Command -> the kinds of files in reproduce/ whose names can be its arguments."""
ARGUMENT_GROUPS = {"data": ("dataset", "vectors")}
"""Command -> the groups in conf/ whose choices can be its arguments."""
TITLES: Mapping[str, str] = {
    "table": "tables", "figure": "figures", "search": "searches", "open choices": "papers",
    "dataset": "data sets", "vectors": "word vectors",
}  # fmt: skip
"""A kind of files in reproduce/, or a group in conf/ -> its title in --help."""


def argument_names(command: str) -> dict[str, list[str]]:
    """Return the names of tables, figures, data sets and so on that can be arguments of a command, by their title."""
    names: dict[str, list[str]] = {TITLES[kind]: files.names(kind) for kind in SPEC_KINDS.get(command, ())}
    for group in ARGUMENT_GROUPS.get(command, ()):
        names[TITLES[group]] = [name for name in choices(group) if name != NO_FILE]
    if command == "hard":  # only sets of this format have hypotheses
        names["data sets"] = [
            name for name, path in choices("dataset").items() if read_yaml(path).get("format") == "nli"
        ]
    if command == "bench":
        names["benchmarks"] = benchmark_names()
    if command == "figures":
        names["charts"] = [f"{BENCHMARKS}/{name}" for name in benchmark_names()]
    return names

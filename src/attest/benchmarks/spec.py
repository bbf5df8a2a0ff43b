"""What is measured, as data: one YAML file per benchmark in `reproduce/benchmarks/`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from attest.config.paths import shipped
from attest.config.schema import parse
from attest.config.yaml_files import blamed_on, check_name, names_in, read_yaml

FOLDER = "benchmarks"


@dataclass(frozen=True, kw_only=True)
class Goal:
    """How many times less a variant should need than another: time, or memory."""

    case: str
    variant: str
    versus: str
    at_least: float


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    name: str
    title: str
    text: str
    measure: Literal[
        "core", "step", "epoch", "encoding", "encoder_memory", "memory", "optimizer", "convergence", "ngrams",
        "ngrams_memory", "recurrent", "structured", "structured_memory", "transfer",
    ]  # fmt: skip
    options: Mapping[str, Any]
    axis: str
    """What the cases are, as the chart's axis says it."""
    base: str | None = None
    """The variant that the others are compared with."""
    goals: Sequence[Goal] = ()
    paper: Mapping[str, float] = field(default_factory=dict)
    """Case -> figure printed in a paper, in the same unit."""


def names() -> list[str]:
    return names_in(shipped("reproduce") / FOLDER)


def load(name: str) -> Benchmark:
    check_name(name, names(), "there is no such benchmark")
    return read(shipped("reproduce") / FOLDER / f"{name}.yaml")


def read(path: Path) -> Benchmark:
    data = read_yaml(path)
    with blamed_on(path):
        return parse(Benchmark, {"name": path.stem, **data})

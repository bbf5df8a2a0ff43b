"""The specification of a benchmark: a YAML file in `reproduce/benchmarks/`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from attest.config.paths import shipped_folder
from attest.config.schema import from_plain
from attest.config.yaml_files import check_name, locate_errors_in_file, read_yaml, yaml_names

BENCHMARKS = "benchmarks"
"""The name of the folder of benchmarks: that of their files in `reproduce/`, and that of their charts in results."""


@dataclass(frozen=True, kw_only=True)
class Goal:
    """A ratio of time or memory that a benchmark should reach."""

    case: str
    variant: str
    versus: str
    """The variant that `variant` is compared with."""
    at_least: float
    """The smallest ratio of `versus` to `variant` that reaches the goal."""


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """A benchmark: what is measured, with which options, and how its page presents it."""

    name: str
    title: str
    text: str
    """The explanation on the benchmark's page."""
    options: Mapping[str, Any]
    """The keyword arguments of the function in `attest.benchmarks.bench.MEASURES` that has the benchmark's name."""
    axis: str
    """The label of the chart's axis of cases."""
    table_only: Sequence[str] = ()
    """The cases that the chart leaves out, because they answer another question."""
    base: str | None = None
    """The variant with which the page compares the others; None: no comparison."""
    goals: Sequence[Goal] = ()
    paper: Mapping[str, float] = field(default_factory=dict)
    """A case -> the figure that a paper prints for it, in the unit of the benchmark."""


def benchmark_names() -> list[str]:
    """Return the names of all benchmarks."""
    return yaml_names(shipped_folder("reproduce") / BENCHMARKS)


def load_benchmark(name: str) -> Benchmark:
    """Return the benchmark of this name; raise SettingsError if there is none, or if its file is not valid."""
    check_name(name, benchmark_names(), "there is no such benchmark")
    path = shipped_folder("reproduce") / BENCHMARKS / f"{name}.yaml"
    data = read_yaml(path)
    with locate_errors_in_file(path):
        return from_plain(Benchmark, {"name": name, **data})

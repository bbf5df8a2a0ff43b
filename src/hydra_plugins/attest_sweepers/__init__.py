"""How several runs are started: a table's rows times replicates, the trials of a search, or a grid of choices.

They live here because Hydra takes plugins from this namespace only; Hydra imports all of it whenever
it starts, but for modules whose names begin with _; so what is heavy is imported when a sweep begins.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.config_store import ConfigStore
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.plugins import Plugins
from hydra.core.utils import JobReturn
from hydra.plugins.launcher import Launcher
from hydra.plugins.sweeper import Sweeper
from hydra.types import HydraContext, TaskFunction
from omegaconf import MISSING, DictConfig, OmegaConf

from hydra_plugins.attest_sweepers._launching import launch_all


class OwnSweeper(Sweeper):
    """What Hydra asks of every sweeper."""

    launcher: Launcher | None = None

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        OmegaConf.set_readonly(config.hydra, False)
        self.launcher = Plugins.instance().instantiate_launcher(
            hydra_context=hydra_context, task_function=task_function, config=config
        )


class TableSweeper(OwnSweeper):
    """hydra/sweeper=table hydra.sweeper.table=disan/table1: all runs of a table, or of some of its rows."""

    def __init__(self, table: str, rows: Sequence[str], seeds: str | None) -> None:
        self.table, self.rows, self.seeds = table, list(rows), seeds

    def sweep(self, arguments: list[str]) -> list[JobReturn]:
        from attest.reproduction.specs.table import load
        from attest.reproduction.tables.cells import cells, check_overrides, jobs

        assert self.launcher is not None
        spec, scale = load(self.table), scale_of(arguments)
        others = [argument for argument in arguments if not argument.startswith("scale=")]
        wanted = cells(spec, scale, self.rows)
        check_overrides(spec, wanted, others)
        runs = jobs(wanted, scale, self.seeds)
        made = {name: [*overrides, f"scale={scale}", *others] for name, overrides in runs.items()}
        return launch_all(self.launcher, made)


class SearchSweeper(OwnSweeper):
    """hydra/sweeper=search hydra.sweeper.search=dam/ngram: so many trials of a random search, or so many minutes."""

    def __init__(self, search: str, runs: int | None, minutes: float | None, at_once: int) -> None:
        self.search, self.runs, self.minutes, self.at_once = search, runs, minutes, at_once

    def sweep(self, arguments: list[str]) -> list[JobReturn]:
        from attest.reproduction.search.space import load
        from hydra_plugins.attest_sweepers._searching import Budget, search_all

        assert self.launcher is not None
        return search_all(self.launcher, load(self.search), arguments, Budget(self.runs, self.minutes, self.at_once))


def scale_of(arguments: Sequence[str]) -> str:
    chosen = [argument.partition("=")[2] for argument in arguments if argument.startswith("scale=")]
    return chosen[-1] if chosen else "mini"


class GridSweeper(BasicSweeper):
    """Hydra's own sweep over a=1,2 b=3,4, ended by one table of failures instead of the first stack trace."""

    def __init__(self, params: dict[str, str]) -> None:
        super().__init__(None, params)

    def sweep(self, arguments: list[str]) -> list[JobReturn]:
        assert self.launcher is not None
        assert self.hydra_context is not None
        parser = OverridesParser.create(config_loader=self.hydra_context.config_loader)
        parsed = parser.parse_overrides([*self._parse_config(), *arguments])
        overrides = [list(job) for batch in self.split_arguments(parsed, None) for job in batch]
        self.validate_batch_is_legal(overrides)
        return launch_all(self.launcher, {name_of(job, overrides): job for job in overrides})


def name_of(job: Sequence[str], jobs: Sequence[Sequence[str]]) -> str:
    """What tells one job of a grid from the others."""
    common = set(job).intersection(*jobs)
    return " ".join(override for override in job if override not in common) or "the run"


@dataclass
class TableSettings:
    _target_: str = "hydra_plugins.attest_sweepers.TableSweeper"
    table: str = MISSING
    rows: list[str] = field(default_factory=list)
    seeds: Any = None


@dataclass
class SearchSettings:
    _target_: str = "hydra_plugins.attest_sweepers.SearchSweeper"
    search: str = MISSING
    runs: int | None = None
    minutes: float | None = None
    at_once: int = 1


@dataclass
class GridSettings:
    _target_: str = "hydra_plugins.attest_sweepers.GridSweeper"
    params: dict[str, str] = field(default_factory=dict)


for name, settings in (("table", TableSettings), ("search", SearchSettings), ("grid", GridSettings)):
    ConfigStore.instance().store(group="hydra/sweeper", name=name, node=settings, provider="attest")

"""Sweepers of Hydra that start several runs: the runs of a table, the trials of a search, or a grid of choices.

They are here because Hydra finds plugins in this namespace only. Hydra imports the namespace whenever it starts,
without modules whose names begin with _; imports that take long are therefore made when a sweep begins.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.config_store import ConfigStore
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import ChoiceSweep, Override
from hydra.core.plugins import Plugins
from hydra.core.utils import JobReturn
from hydra.plugins.launcher import Launcher
from hydra.plugins.sweeper import Sweeper
from hydra.types import HydraContext, TaskFunction
from omegaconf import MISSING, DictConfig, OmegaConf

from attest.errors import SettingsError


class OwnSweeper(Sweeper):
    """The base of the sweepers here, which keeps Hydra's launcher."""

    launcher: Launcher | None = None

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        OmegaConf.set_readonly(config.hydra, False)
        self.launcher = Plugins.instance().instantiate_launcher(
            hydra_context=hydra_context, task_function=task_function, config=config
        )


class TableSweeper(OwnSweeper):
    """The sweeper that makes the runs of a table or of some of its rows.

    It is chosen by hydra/sweeper=table hydra.sweeper.table=disan/table1.
    """

    def __init__(
        self,
        table: str,
        rows: Sequence[str],
        seeds: str | None,
        again: str | None = None,
        added: str = "",
        **job: object,
    ) -> None:
        self.table, self.rows, self.seeds, self.again, self.added = table, list(rows), seeds, again, added

    def sweep(self, arguments: list[str]) -> list[JobReturn]:
        from attest.reproduction.specs.added_rows import row_names, with_rows
        from attest.reproduction.specs.table import load_table
        from attest.reproduction.tables.cells import cells, check_same_experiment, jobs
        from hydra_plugins.attest_sweepers._again import repeat_jobs, uncommitted_runs
        from hydra_plugins.attest_sweepers._inputs import report_missing_inputs
        from hydra_plugins.attest_sweepers._launching import engine_of, launch_all

        assert self.launcher is not None
        spec, scale = with_rows(load_table(self.table), self.added), scale_of(arguments)
        settings = [argument for argument in arguments if not argument.startswith("scale=")]
        table_cells = cells(spec, scale, [*self.rows, *row_names(self.added)])
        elsewhere = engine_of(self.launcher) == "slurm"
        check_same_experiment(spec, table_cells, settings)
        if self.again is None:
            report_missing_inputs(table_cells, settings, elsewhere=elsewhere)
            runs = jobs(table_cells, scale, self.seeds)
        else:
            places = [argument for argument in arguments if argument.startswith(("scale=", "paths."))]
            marked = uncommitted_runs(table_cells, places)
            report_missing_inputs([cell for cell, _ in marked.values()], settings, elsewhere=elsewhere)
            runs = repeat_jobs(marked)
        return launch_all(
            self.launcher,
            {name: [*overrides, f"scale={scale}", *settings] for name, overrides in runs.items()},
            self.table,
        )


class SearchSweeper(OwnSweeper):
    """The sweeper that makes trials of a random search until a number of trials or minutes is reached.

    It is chosen by hydra/sweeper=search hydra.sweeper.search=dam/ngram.
    """

    def __init__(self, search: str, runs: int | None, minutes: float | None, at_once: int, **job: object) -> None:
        self.search, self.runs, self.minutes, self.at_once = search, runs, minutes, at_once

    def sweep(self, arguments: list[str]) -> list[JobReturn]:
        from attest.reproduction.search.space import load_search
        from hydra_plugins.attest_sweepers._searching import Budget, search_all

        if self.runs is None and self.minutes is None:
            raise SettingsError("hydra.sweeper: no budget; type hydra.sweeper.runs=20 or hydra.sweeper.minutes=30")
        assert self.launcher is not None
        return search_all(
            self.launcher, load_search(self.search), arguments, Budget(self.runs, self.minutes, self.at_once)
        )


def scale_of(arguments: Sequence[str]) -> str:
    """Return the scale that the overrides choose, or the default."""
    scales = [argument.partition("=")[2] for argument in arguments if argument.startswith("scale=")]
    return scales[-1] if scales else "mini"


class GridSweeper(BasicSweeper):
    """Hydra's own sweep over a=1,2 b=3,4, which makes every run, prints a table of them, and reports all
    failures in one error; mistakes in the settings of its runs are reported before the first one begins."""

    def __init__(self, params: dict[str, str], swept: Sequence[str] = (), **job: object) -> None:
        super().__init__(None, params)
        self.swept = list(swept)

    def sweep(self, arguments: list[str]) -> list[JobReturn]:
        from hydra_plugins.attest_sweepers._launching import launch_until_done, report_failures, runs_elsewhere
        from hydra_plugins.attest_sweepers._settings_check import check_all_settings
        from hydra_plugins.attest_sweepers._tabulating import tabulate

        assert self.launcher is not None
        assert self.hydra_context is not None
        parser = OverridesParser.create(config_loader=self.hydra_context.config_loader)
        parsed = parser.parse_overrides([*self._parse_config(), *arguments])
        overrides = jobs_of(parsed)
        if not overrides:
            empty = ", ".join(each.input_line or "" for each in parsed if each.is_sweep_override())
            raise SettingsError(f"{empty}: this sweep has no run; list values, as in seed=1,2")
        self.validate_batch_is_legal(overrides)
        self.swept = keys_swept(overrides)
        swept = f"hydra.sweeper.swept=[{','.join(map(repr, self.swept))}]"
        jobs = {name_of(job, overrides): job for job in overrides}
        check_all_settings(jobs, elsewhere=runs_elsewhere(self.launcher))
        title = f"sweep over {', '.join(self.swept)}" if self.swept else "sweep"
        done = launch_until_done(self.launcher, {name: [*job, swept] for name, job in jobs.items()}, title)
        tabulate(arguments, jobs, done, self.swept)
        report_failures(done)
        return list(done.values())


def jobs_of(overrides: Sequence[Override]) -> list[list[str]]:
    """Return the overrides of each job of a grid.

    Hydra lets the last override of a key count. A choice such as model=s2t and values such as model={hidden_size: 8}
    have the same key, but each job needs one of both. Raise SettingsError for an interval, which lists no values.
    """
    for override in overrides:
        if override.is_sweep_override() and not override.is_discrete_sweep():
            raise SettingsError(f"{override.input_line}: an interval lists no values; type them, as in seed=1,2, or a "
                                "range, as in seed=range(1,4)")  # fmt: skip
    values = [override for override in overrides if has_dictionaries(override)]
    others = [override for override in overrides if not has_dictionaries(override)]
    (jobs,), (additions,) = (BasicSweeper.split_arguments(part, None) for part in (others, values))
    return [[*job, *addition] for job in jobs for addition in additions]


def has_dictionaries(override: Override) -> bool:
    """Return whether an override sets the values of a group by a dictionary, or by several separated by commas."""
    value = override.value()
    return all(isinstance(item, dict) for item in (value.list if isinstance(value, ChoiceSweep) else [value]))


def keys_swept(jobs: Sequence[Sequence[str]]) -> list[str]:
    """Return the keys of the overrides that differ between the jobs of a grid, in the order of the command."""
    from attest.config.overrides import key_of

    common = set.intersection(*map(set, jobs))
    return list(dict.fromkeys(key_of(override) for job in jobs for override in job if override not in common))


def name_of(job: Sequence[str], jobs: Sequence[Sequence[str]]) -> str:
    """Return the overrides that tell one job of a grid from the other jobs, as its name."""
    common = set(job).intersection(*jobs)
    return " ".join(override for override in job if override not in common) or "the run"


@dataclass
class JobSettings:
    """The settings that tell a job of a sweep which one it is: the sweeper sets them for each job."""

    launch: str = ""
    """The name of the folder of the launch."""
    job: int = 0
    """The number of the job in its launch."""


@dataclass
class TableSettings(JobSettings):
    """The settings of TableSweeper, below hydra.sweeper."""

    _target_: str = "hydra_plugins.attest_sweepers.TableSweeper"
    table: str = MISSING
    rows: list[str] = field(default_factory=list)
    seeds: Any = None
    again: str | None = None
    added: str = ""


@dataclass
class SearchSettings(JobSettings):
    """The settings of SearchSweeper, below hydra.sweeper."""

    _target_: str = "hydra_plugins.attest_sweepers.SearchSweeper"
    search: str = MISSING
    runs: int | None = None
    minutes: float | None = None
    at_once: int = 1


@dataclass
class GridSettings(JobSettings):
    """The settings of GridSweeper, below hydra.sweeper."""

    _target_: str = "hydra_plugins.attest_sweepers.GridSweeper"
    params: dict[str, str] = field(default_factory=dict)
    swept: list[str] = field(default_factory=list)
    """The keys whose values differ between the jobs: the sweeper sets it for each job."""


for name, settings in (("table", TableSettings), ("search", SearchSettings), ("grid", GridSettings)):
    ConfigStore.instance().store(group="hydra/sweeper", name=name, node=settings, provider="attest")

"""The sweeper of tables: it makes the runs of a table or of some of its rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hydra.core.config_store import ConfigStore
from hydra.core.utils import JobReturn
from omegaconf import MISSING

from hydra_plugins.attest_sweepers._base import JobSettings, OwnSweeper


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
        from hydra_plugins.attest_sweepers._launching import launch_all, runs_elsewhere

        assert self.launcher is not None
        spec, scale = with_rows(load_table(self.table), self.added), scale_of(arguments)
        settings = [argument for argument in arguments if not argument.startswith("scale=")]
        table_cells = cells(spec, scale, [*self.rows, *row_names(self.added)])
        elsewhere = runs_elsewhere(self.launcher)
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


def scale_of(arguments: Sequence[str]) -> str:
    """Return the scale that the overrides choose, or the default."""
    scales = [argument.partition("=")[2] for argument in arguments if argument.startswith("scale=")]
    return scales[-1] if scales else "mini"


@dataclass
class TableSettings(JobSettings):
    """The settings of TableSweeper, below hydra.sweeper."""

    _target_: str = "hydra_plugins.attest_sweepers.table.TableSweeper"
    table: str = MISSING
    rows: list[str] = field(default_factory=list)
    seeds: Any = None
    again: str | None = None
    added: str = ""


ConfigStore.instance().store(group="hydra/sweeper", name="table", node=TableSettings, provider="attest")

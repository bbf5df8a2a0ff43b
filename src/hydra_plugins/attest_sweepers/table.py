"""The sweeper of tables: it runs the missing runs of a table, or of some of its rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hydra.core.config_store import ConfigStore
from hydra.core.utils import JobReturn
from omegaconf import MISSING

from hydra_plugins.attest_sweepers._base import JobSettings, OwnSweeper


class TableSweeper(OwnSweeper):
    """The sweeper that runs the missing runs of a table or of some of its rows.

    It is chosen by hydra/sweeper=table hydra.sweeper.table=disan/table1.
    """

    def __init__(
        self,
        table: str,
        rows: Sequence[str],
        seeds: str | None,
        again: str | None = None,
        added: str = "",
        **job_settings: object,  # JobSettings, which the jobs read
    ) -> None:
        self.table, self.rows, self.seeds, self.again, self.added = table, list(rows), seeds, again, added

    def sweep(self, arguments: list[str]) -> list[JobReturn]:
        from attest.reproduction.specs.added_rows import row_names, with_rows
        from attest.reproduction.specs.table import load_table
        from attest.reproduction.tables.cells import cells, check_same_experiment, jobs
        from hydra_plugins.attest_sweepers._inputs import check_inputs_of_cells
        from hydra_plugins.attest_sweepers._launching import launch_all, runs_elsewhere
        from hydra_plugins.attest_sweepers._uncommitted import retry_jobs, uncommitted_runs

        assert self.launcher is not None
        spec, scale = with_rows(load_table(self.table), self.added), chosen_scale(arguments)
        settings = [argument for argument in arguments if not argument.startswith("scale=")]
        table_cells = cells(spec, scale, [*self.rows, *row_names(self.added)])
        elsewhere = runs_elsewhere(self.launcher)
        check_same_experiment(spec, table_cells, settings)
        if self.again is None:
            check_inputs_of_cells(table_cells, settings, elsewhere=elsewhere)
            runs = jobs(table_cells, scale, self.seeds)
        else:
            locations = [argument for argument in arguments if argument.startswith(("scale=", "paths."))]
            marked = uncommitted_runs(table_cells, locations)
            check_inputs_of_cells([cell for cell, _ in marked.values()], settings, elsewhere=elsewhere)
            runs = retry_jobs(marked)
        return launch_all(
            self.launcher,
            {name: [*overrides, f"scale={scale}", *settings] for name, overrides in runs.items()},
            self.table,
        )


def chosen_scale(arguments: Sequence[str]) -> str:
    """Return the scale that the overrides choose, or the default."""
    scales = [argument.partition("=")[2] for argument in arguments if argument.startswith("scale=")]
    return scales[-1] if scales else "mini"


@dataclass
class TableSettings(JobSettings):
    """The settings of TableSweeper, below hydra.sweeper."""

    _target_: str = "hydra_plugins.attest_sweepers.table.TableSweeper"
    table: str = MISSING
    """The name of the table, as disan/table1."""
    rows: list[str] = field(default_factory=list)
    """The rows to run; empty: all."""
    seeds: Any = None
    """The number of seeds or folds, or a list such as [0,7]; null: as many as the table asks for."""
    again: str | None = None
    """uncommitted: retrain finished runs whose code had uncommitted changes; null: run what is missing."""
    added: str = ""
    """Rows to add, as in model=mine; see attest.reproduction.specs.added_rows."""


ConfigStore.instance().store(group="hydra/sweeper", name="table", node=TableSettings, provider="attest")

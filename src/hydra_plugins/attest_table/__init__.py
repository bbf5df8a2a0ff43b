"""A table as one Hydra multirun: hydra/sweeper=table hydra.sweeper.table=disan/table1.

Rows times replicates, for whichever launcher is chosen. It lives here because Hydra takes plugins from this
namespace only; Hydra imports it whenever it starts, so what is heavy is imported when a sweep begins.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hydra.core.config_store import ConfigStore
from hydra.core.plugins import Plugins
from hydra.core.utils import JobReturn, JobStatus
from hydra.plugins.launcher import Launcher
from hydra.plugins.sweeper import Sweeper
from hydra.types import HydraContext, TaskFunction
from omegaconf import MISSING, DictConfig, OmegaConf

from attest.errors import AttestError, SettingsError

if TYPE_CHECKING:
    from attest.reproduction.cells import Cell


class TableSweeper(Sweeper):
    """All runs of a table, or of some of its rows."""

    def __init__(self, table: str, rows: Sequence[str], seeds: str | None) -> None:
        self.table, self.rows, self.seeds = table, list(rows), seeds
        self.launcher: Launcher | None = None

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        OmegaConf.set_readonly(config.hydra, False)
        self.launcher = Plugins.instance().instantiate_launcher(
            hydra_context=hydra_context, task_function=task_function, config=config
        )

    def sweep(self, arguments: list[str]) -> list[JobReturn]:
        from attest.reproduction.cells import cells, check_overrides, seeds_of
        from attest.reproduction.spec import load

        assert self.launcher is not None
        spec, scale = load(self.table), scale_of(arguments)
        others = [argument for argument in arguments if not argument.startswith("scale=")]
        check_overrides(spec, scale, others)
        jobs = [(cell, seed) for seed in seeds_of(spec, scale, self.seeds) for cell in cells(spec, scale, self.rows)]
        overrides = [[*cell.overrides, f"scale={scale}", f"seed={seed}", *others] for cell, seed in jobs]
        returns = list(self.launcher.launch(overrides, initial_job_idx=0))
        report_failures(jobs, returns)
        return returns


def scale_of(arguments: Sequence[str]) -> str:
    chosen = [argument.partition("=")[2] for argument in arguments if argument.startswith("scale=")]
    return chosen[-1] if chosen else "mini"


def report_failures(jobs: Sequence[tuple["Cell", int]], returns: Sequence[JobReturn]) -> None:
    """One line per failed run, and an error if there is one; the other runs are finished and recorded."""
    lines = []
    for (cell, seed), returned in zip(jobs, returns, strict=True):
        if returned.status != JobStatus.COMPLETED:
            cause = returned._return_value
            name = " ".join(filter(None, [cell.row, cell.variant, f"seed={seed}"]))
            if isinstance(cause, SettingsError):
                raise cause  # nothing ran: every run would say the same
            lines.append(f"  {name}: {type(cause).__name__}: {cause}")
    if lines:
        raise AttestError(f"{len(lines)} of {len(jobs)} runs failed:\n" + "\n".join(lines))


@dataclass
class TableSweeperSettings:
    _target_: str = "hydra_plugins.attest_table.TableSweeper"
    table: str = MISSING
    rows: list[str] = field(default_factory=list)
    seeds: Any = None


ConfigStore.instance().store(group="hydra/sweeper", name="table", node=TableSweeperSettings, provider="attest")

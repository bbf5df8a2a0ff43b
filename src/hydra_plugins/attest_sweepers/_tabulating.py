"""Printing of the table of a finished grid, and writing of it with its chart below the results."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from hydra.core.utils import JobReturn
from omegaconf import DictConfig, OmegaConf

from attest.config.overrides import values_by_key
from attest.config.shell_command import shell_command
from attest.errors import one_line
from attest.reproduction.pages.sweeps import render_output
from attest.reproduction.sweep_files import write_sweep
from attest.reproduction.tables.sweep_outcomes import SweepOutcome, sweep_table
from attest.reproduction.tables.sweeps import FOLD, SweepTable
from attest.runs.identity import digest
from attest.runs.records import Record
from attest.runs.store import Store
from hydra_plugins.attest_sweepers._launching import failure


def tabulate(
    arguments: Sequence[str],
    jobs: Mapping[str, Sequence[str]],
    done: Mapping[str, JobReturn],
    swept: Sequence[str],
) -> None:
    """Print the table of a grid and write it; do nothing for a single job, or if no job has finished.

    `arguments` are the overrides of the command, `jobs` holds those of each job by its name, and `swept` the keys in
    which jobs differ.
    """
    finished = [returned for returned in done.values() if failure(returned) is None]
    if len(jobs) < 2 or not finished:
        return
    table = grid_table(jobs, done, swept)
    print(render_output(table), flush=True)
    folder = Path(config_of(finished[0]).paths.results) / "sweeps" / digest(sorted(map(sorted, jobs.values())))
    command = shell_command("train", "-m", *arguments)
    print(write_sweep(table, folder, command), file=sys.stderr, flush=True)


def grid_table(jobs: Mapping[str, Sequence[str]], done: Mapping[str, JobReturn], swept: Sequence[str]) -> SweepTable:
    """Return the table of a grid, whose axes are the swept keys; replicates are folds if the grid has some."""
    replicates = FOLD if FOLD in swept else "seed"
    axes = [key for key in swept if key != replicates]
    outcomes = []
    for name, job in jobs.items():
        values, error = values_by_key(job), failure(done[name])
        outcomes.append(
            SweepOutcome(
                tuple(values.get(key, "") for key in axes),
                str(OmegaConf.select(config_of(done[name]), replicates)),
                None if error is not None else finished_record(done[name]),
                "" if error is None else one_line(error),
            )
        )
    return sweep_table(axes, outcomes, replicates)


def finished_record(returned: JobReturn) -> Record:
    """Return the record of a finished job, which has returned the id of its run."""
    record = Store(Path(config_of(returned).paths.results, "records")).get(returned.return_value.run_id)
    assert record is not None
    return record


def config_of(returned: JobReturn) -> DictConfig:
    """Return the configuration of a job that has ended."""
    assert returned.cfg is not None
    return returned.cfg

"""The check of the inputs of a table's runs before the first run begins."""

import sys
from collections.abc import Sequence

from attest.config.compose import compose_unchecked
from attest.config.hydra.error_locations import locate_errors_in_own_files
from attest.data.inputs import joint_error, missing_inputs
from attest.data.mini.provide import provide_data
from attest.errors import AttestError
from attest.reproduction.tables.cells import Cell
from attest.training.inputs import training_inputs


def check_inputs_of_cells(cells: Sequence[Cell], overrides: Sequence[str], *, elsewhere: bool = False) -> None:
    """Print the missing inputs of a table's cells, whose runs will fail, each input with the rows that need it; raise
    an error if no cell has all its inputs. Write the built-in corpora first.

    `overrides` are those of all runs. If the runs are trained on other machines (`elsewhere`), which share the folders,
    the device of this machine does not count.
    """
    machine = ["trainer.accelerator=auto"] * elsewhere
    rows_of: dict[str, list[str]] = {}
    errors: dict[str, AttestError] = {}
    complete = False
    for cell in cells:
        first = cell.panel.replicates.override(cell.panel.replicates.first)
        settings = compose_unchecked([*cell.overrides, first, f"scale={cell.settings.scale}", *overrides, *machine])
        provide_data(settings)
        missing = missing_inputs(training_inputs(settings))
        complete = complete or not missing
        errors |= missing
        for name in missing:
            rows_of.setdefault(name, []).append(cell.row)
    if errors and not complete:
        with locate_errors_in_own_files([*cells[0].overrides, *overrides]):
            raise joint_error(errors)
    for name, error in errors.items():
        rows = ", ".join(dict.fromkeys(rows_of[name]))
        print(f"missing: {name}, without which these rows will fail: {rows}. {error}", file=sys.stderr, flush=True)

"""The settings of a finished run come back from its record, and are kept."""

import pytest

from attest.config.compose import compose, recompose
from attest.config.flat import flatten
from attest.errors import SettingsError
from attest.reproduction.specs.table import load_table, table_names
from attest.reproduction.tables.cells import cells
from attest.runs.identity import run_id


@pytest.mark.parametrize("name", table_names())
def test_the_settings_of_every_row_come_back_from_a_record(name):
    scale = "mini" if name == "disan/table1" else "paper"
    for cell in {cell.row: cell for cell in cells(load_table(name), scale)}.values():
        again = recompose(flatten(cell.settings))
        assert run_id(again, "data") == run_id(cell.settings, "data")
        assert again.vectors == cell.settings.vectors
        assert again.dataset == cell.settings.dataset


def test_an_older_record_has_the_defaults_of_settings_that_came_later():
    flat = flatten(compose(["scale=paper", "protocol.batches=by_length", "protocol.batch_words=7"]))
    older = {key: value for key, value in flat.items() if key != "protocol.batch_words"}
    assert recompose(older).protocol.batch_words is None


def test_only_settings_outside_the_id_may_be_given_to_a_finished_run():
    flat = flatten(compose(["model=s2t"]))
    assert recompose(flat, ["paths.data=/elsewhere"]).paths.data == "/elsewhere"
    with pytest.raises(SettingsError, match="protocol.steps: cannot be changed for a finished run"):
        recompose(flat, ["protocol.steps=3"])

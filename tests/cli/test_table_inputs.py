"""A table's inputs are looked for before its first run begins."""

from dataclasses import replace

import pytest

from attest.errors import DataError
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import cells
from hydra_plugins.attest_sweepers._inputs import check_inputs_of_cells


def test_rows_without_their_inputs_are_named_and_the_others_go_on(mini_data, capsys):
    first, second = cells(load_table("disan/table1"), "mini", ["additive", "s2t"])
    places = [f"paths.data={mini_data}"]
    check_inputs_of_cells([first, second], places)
    assert capsys.readouterr().err == ""
    broken = replace(second, overrides=(*second.overrides, "vectors.file=missing.txt"))
    check_inputs_of_cells([first, broken], places)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("missing: the word vectors missing.txt, without which these rows will fail: s2t. ")
    with pytest.raises(DataError, match=r"neither missing.txt nor missing.txt.xz is there"):
        check_inputs_of_cells([broken], places)

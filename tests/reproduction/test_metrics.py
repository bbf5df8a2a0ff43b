import pytest
from reproduction.made_up import finished_run

from attest.config.compose import compose
from attest.reproduction.tables.metrics import overlap_of_splits


@pytest.mark.parametrize(
    ("overrides", "facts", "overlap"),
    [
        (["experiment=disan/snli"], {}, 0.0),
        (["experiment=disan/cr", "protocol.fold=0"], {}, 1 / 9),
        (["experiment=disan/cr", "protocol.fold=0", "protocol.folds=5"], {}, 1 / 4),
        (["experiment=disan/cr", "protocol.fold=0"], {"folds": 5}, 1 / 4),  # the data set has a column of folds
        (["experiment=disan/snli"], {"drawn": {"train": 80, "dev": 10, "test": 10}}, 1 / 9),
    ],
)
def test_overlap_of_splits(overrides, facts, overlap):
    assert overlap_of_splits(finished_run(compose(overrides), facts=facts)) == overlap

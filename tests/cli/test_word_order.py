"""On the built-in corpora, a model that sees word order is better than those that do not."""

import numpy as np
import pytest
from cli.fixtures import records

from attest.runs.store import Store

pytestmark = pytest.mark.usefixtures("quiet_home")


def test_directions_pay_where_word_order_decides(home, here):
    """The built-in corpora are made so that only a model that sees word order gets beyond a coin toss there.

    This also catches a wrong mask. One seed, no tuning: 800 of the 1,200 steps of `make table1` are enough. The rows
    additive and s2t give the same vector in every order of the words, see models/encoders/test_baselines.py.
    """
    rows = "rows=no_directions,disan"
    done = here("reproduce", "disan/table1", rows, "logger=none", "trainer.on_train=false", "protocol.steps=800")
    assert done.returncode == 0, done.stderr
    on_order = {r.label.row: r.metrics["test/accuracy/order"] for r in records(home)}
    assert on_order["disan"] >= on_order["no_directions"] + 10
    assert on_order["no_directions"] < 58  # a coin
    predictions = Store(home / "results/mini/records").arrays(records(home)[0].id)
    assert len(np.unique(predictions["rows"])) == records(home)[0].data["splits"]["test"]["used"]

"""Equations 16 to 18 on three words, cell by cell."""

import pytest
import torch

from attest.models.attention import allowed_keys

YES, NO = True, False


@pytest.mark.parametrize(
    ("direction", "rows"),
    [
        ("forward", [[NO, NO, NO], [YES, NO, NO], [YES, YES, NO]]),
        ("backward", [[NO, YES, YES], [NO, NO, YES], [NO, NO, NO]]),
        ("diagonal", [[NO, YES, YES], [YES, NO, YES], [YES, YES, NO]]),
        ("none", [[YES, YES, YES]] * 3),
    ],
)
def test_rows_are_queries_and_columns_keys(direction, rows):
    assert allowed_keys(direction, 3).equal(torch.tensor(rows))


def test_forward_and_backward_share_out_the_diagonal_mask():
    both = allowed_keys("forward", 7).int() + allowed_keys("backward", 7).int()
    assert both.equal(allowed_keys("diagonal", 7).int())


def test_an_unknown_direction_is_refused():
    with pytest.raises(ValueError, match="forward, backward, diagonal, none"):
        allowed_keys("sideways", 3)  # type: ignore[arg-type]

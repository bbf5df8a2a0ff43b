"""Where sentences stand: packed without padding, or with it."""

import pytest
import torch

from attest.models.attention import Layout

MASK = torch.tensor([[True, True, False], [False, False, False], [True, True, True], [False, True, False]])
X = torch.arange(12.0).reshape(4, 3)


def test_packed_rows_are_the_words():
    layout = Layout(MASK, packed=True)
    assert layout.rows(X).tolist() == [0, 1, 6, 7, 8, 10]
    assert layout.first_B.tolist() == [0, 2, 2, 5]
    assert layout.length_B.tolist() == [2, 0, 3, 1]
    assert layout.sentence_N.tolist() == [0, 0, 2, 2, 2, 3]
    assert layout.position_N.tolist() == [0, 1, 0, 1, 2, 0]
    assert layout.real_N.all()


def test_a_grid_has_the_words_in_front_and_zeros_behind():
    layout = Layout(MASK, packed=True)
    grid = layout.grid(layout.rows(X))
    assert grid.tolist() == [[0, 1, 0], [0, 0, 0], [6, 7, 8], [10, 0, 0]]
    assert layout.rows_of_grid(grid).equal(layout.rows(X))
    assert layout.grid_mask_BT.tolist() == [[True, True, False], [False] * 3, [True] * 3, [True, False, False]]


def test_rows_may_be_filled_up_to_a_multiple():
    layout = Layout(MASK, packed=True, multiple=4)
    assert layout.rows(X).tolist() == [0, 1, 6, 7, 8, 10, 0, 0]
    assert layout.real_N.tolist() == [True] * 6 + [False] * 2
    assert layout.grid(layout.rows(X)).tolist() == [[0, 1, 0], [0, 0, 0], [6, 7, 8], [10, 0, 0]]
    assert layout.rows_of_grid(layout.grid(layout.rows(X))).equal(layout.rows(X))
    whole = Layout(MASK, packed=True, multiple=3)
    assert whole.rows(X).equal(Layout(MASK, packed=True).rows(X))


def test_the_last_words():
    assert Layout(MASK, packed=True).last_B[[0, 2, 3]].tolist() == [1, 4, 5]
    assert Layout(torch.tensor([[True, False], [True, True]]), packed=False).last_B.tolist() == [0, 3]


def test_padded_rows_are_all_places():
    mask = torch.tensor([[True, True, False], [True, False, False]])
    layout = Layout(mask, packed=False)
    x = torch.arange(1.0, 7.0).reshape(2, 3)
    assert layout.rows(x).tolist() == [1, 2, 0, 4, 0, 0]
    assert layout.first_B.tolist() == [0, 3]
    assert layout.real_N.tolist() == mask.flatten().tolist()
    assert layout.rows_of_grid(layout.grid(layout.rows(x))).equal(layout.rows(x))


@pytest.mark.parametrize(
    ("direction", "start", "end"),
    [
        ("forward", [0, 0, 0], [0, 1, 2]),
        ("backward", [1, 2, 3], [3, 3, 3]),
        ("none", [0, 0, 0], [3, 3, 3]),
        ("diagonal", [0, 0, 0], [3, 3, 3]),
    ],
)
def test_words_that_each_word_may_attend_to(direction, start, end):
    got = Layout(torch.ones(1, 3, dtype=torch.bool), packed=True).key_range(direction)
    assert [x.tolist() for x in got] == [start, end]


def test_masks_are_boolean_and_padding_stands_behind_where_it_stays():
    with pytest.raises(ValueError, match="boolean"):
        Layout(torch.ones(2, 3), packed=True)
    with pytest.raises(ValueError, match="padding in front of a word; put it behind the words"):
        Layout(torch.tensor([[False, True]]), packed=False)


def test_a_batch_without_any_word():
    layout = Layout(torch.zeros(2, 1, dtype=torch.bool), packed=True)
    assert layout.rows(torch.randn(2, 1, 5)).shape == (0, 5)
    assert layout.grid(torch.zeros(0, 5)).shape == (2, 1, 5)


FRONT = torch.arange(4) < torch.tensor([3, 0, 4, 1, 4, 2])[:, None]


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("multiple", [1, 8])
def test_lengths_that_the_host_knows_change_nothing(packed, multiple):
    """The host then asks the device for no shape (`tests/training/test_device_loop.py` counts such questions)."""
    asked = Layout(FRONT, packed, multiple=multiple)
    known = Layout(FRONT, packed, multiple=multiple, known_lengths=[3, 0, 4, 1, 4, 2])
    for name in ("place_N", "grid_place_N", "sentence_N", "position_N", "real_N", "word_count"):
        torch.testing.assert_close(getattr(known, name), getattr(asked, name))
    x = torch.randn(6, 4, 2)
    assert known.rows(x).equal(asked.rows(x))
    if packed:
        assert known.grid(known.rows(x)).equal(asked.grid(asked.rows(x)))
        assert known.rows_of_grid(x).equal(asked.rows_of_grid(x))


def test_there_is_a_known_length_for_each_sentence():
    with pytest.raises(ValueError, match="5 lengths are known; use one for each of 6 sentences"):
        Layout(FRONT, packed=True, known_lengths=[3, 0, 4, 1, 4])

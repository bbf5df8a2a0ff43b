"""Where sentences stand: packed without padding, or with it."""

import math

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
    assert layout.words(grid).equal(layout.rows(X))
    assert layout.front_BT.tolist() == [[True, True, False], [False] * 3, [True] * 3, [True, False, False]]


def test_rows_may_be_filled_up_to_a_multiple():
    layout = Layout(MASK, packed=True, multiple=4)
    assert layout.rows(X).tolist() == [0, 1, 6, 7, 8, 10, 0, 0]
    assert layout.real_N.tolist() == [True] * 6 + [False] * 2
    assert layout.grid(layout.rows(X)).tolist() == [[0, 1, 0], [0, 0, 0], [6, 7, 8], [10, 0, 0]]
    assert layout.words(layout.grid(layout.rows(X))).equal(layout.rows(X))
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
    assert layout.words(layout.grid(layout.rows(x))).equal(layout.rows(x))


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


@pytest.mark.parametrize("settings", [{"packed": True}, {"packed": True, "multiple": 8}, {"packed": False}])
def test_by_parts_is_the_same_as_all_at_once(settings):
    """Sums of what stands before each word, with gradients; 37 sentences, some of them empty."""
    lengths = torch.arange(37) * 7 % 12
    layout = Layout(torch.arange(11) < lengths[:, None], **settings)
    shapes = []

    def sums(part, x_STD, factor_STD):
        shapes.append(x_STD.shape[:2])
        return x_STD.cumsum(1) * factor_STD

    rows = torch.randn(2, len(layout.place_N), 5).masked_fill(~layout.real_N[:, None], 0).requires_grad_()
    got, expected = layout.apply_in_parts(sums, *rows), layout.words(sums(layout, *map(layout.grid, rows)))
    expected = expected.masked_fill(~layout.real_N[:, None], 0)
    torch.testing.assert_close(got, expected)
    gradients = [torch.autograd.grad(x.square().sum(), rows)[0] for x in (got, expected)]
    torch.testing.assert_close(*gradients)
    *parts, whole = shapes
    assert whole == (37, 11)
    assert int(lengths.sum()) <= sum(math.prod(part) for part in parts) < 0.7 * 37 * 11
    assert all(sentences <= 16 for sentences, _ in parts)


@pytest.mark.parametrize("sentences", [0, 2])
def test_by_parts_without_any_word(sentences):
    layout = Layout(torch.zeros(sentences, 3, dtype=torch.bool), packed=True, multiple=4)
    got = layout.apply_in_parts(lambda part, x: pytest.fail("there is nothing to call it with"), torch.zeros(0, 5))
    assert got.shape == (0, 5)


FRONT = torch.arange(4) < torch.tensor([3, 0, 4, 1, 4, 2])[:, None]


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("multiple", [1, 8])
def test_lengths_that_the_host_knows_change_nothing(packed, multiple):
    """The host then asks the device for no shape (`tests/training/test_device_loop.py` counts such questions)."""
    asked = Layout(FRONT, packed, multiple=multiple)
    known = Layout(FRONT, packed, multiple=multiple, known_lengths=[3, 0, 4, 1, 4, 2])
    for name in ("place_N", "front_place_N", "sentence_N", "position_N", "real_N", "word_count"):
        torch.testing.assert_close(getattr(known, name), getattr(asked, name))
    x = torch.randn(6, 4, 2)
    assert known.rows(x).equal(asked.rows(x))
    for one, other in zip(known.parts[1], asked.parts[1], strict=True):
        assert one.mask_BT.equal(other.mask_BT)
    assert known.parts[0].equal(asked.parts[0])
    if packed:
        assert known.grid(known.rows(x)).equal(asked.grid(asked.rows(x)))
        assert known.words(x).equal(asked.words(x))


def test_there_is_a_known_length_for_each_sentence():
    with pytest.raises(ValueError, match="5 lengths are known; use one for each of 6 sentences"):
        Layout(FRONT, packed=True, known_lengths=[3, 0, 4, 1, 4])


def test_bits_of_phrases_hold_the_level_that_is_asked_for():
    mask, phrases = torch.ones(1, 2, dtype=torch.bool), torch.tensor([[255, 129]], dtype=torch.uint8)
    layout = Layout(mask, packed=True, phrases_BT=phrases)
    assert [layout.phrase_starts_N(level)[1].item() for level in (1, 2, 8)] == [True, False, True]
    with pytest.raises(ValueError, match=r"phrases are torch.uint8, whose 8 bits hold no level 9; use a type with"):
        layout.phrase_starts_N(9)
    wider = Layout(mask, packed=True, phrases_BT=phrases.short())
    assert wider.phrase_starts_N(9).tolist() == [True, False]

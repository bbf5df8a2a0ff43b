"""Sentences in groups of similar length: the same results as for all at once, and less padding."""

import math
import weakref

import pytest
import torch

from attest.models.attention import Layout
from attest.models.attention.groups import apply_in_groups, sentence_groups


@pytest.mark.parametrize("settings", [{"packed": True}, {"packed": True, "multiple": 8}, {"packed": False}])
def test_groups_give_the_same_as_all_at_once(settings):
    """Sums of what stands before each word, with gradients; 37 sentences, some of them empty."""
    lengths = torch.arange(37) * 7 % 12
    layout = Layout(torch.arange(11) < lengths[:, None], **settings)
    shapes = []

    def sums(group, x_STD, factor_STD):
        shapes.append(x_STD.shape[:2])
        return x_STD.cumsum(1) * factor_STD

    rows = torch.randn(2, len(layout.place_N), 5).masked_fill(~layout.real_N[:, None], 0).requires_grad_()
    got, expected = apply_in_groups(layout, sums, *rows), layout.rows_of_grid(sums(layout, *map(layout.grid, rows)))
    expected = expected.masked_fill(~layout.real_N[:, None], 0)
    torch.testing.assert_close(got, expected)
    gradients = [torch.autograd.grad(x.square().sum(), rows)[0] for x in (got, expected)]
    torch.testing.assert_close(*gradients)
    *of_groups, whole = shapes
    assert whole == (37, 11)
    assert int(lengths.sum()) <= sum(math.prod(shape) for shape in of_groups) < 0.7 * 37 * 11
    assert all(sentences <= 16 for sentences, _ in of_groups)


@pytest.mark.parametrize("sentences", [0, 2])
def test_groups_without_any_word(sentences):
    layout = Layout(torch.zeros(sentences, 3, dtype=torch.bool), packed=True, multiple=4)
    got = apply_in_groups(layout, lambda group, x: pytest.fail("there is nothing to call it with"), torch.zeros(0, 5))
    assert got.shape == (0, 5)


def test_lengths_that_the_host_knows_give_the_same_groups():
    lengths = torch.tensor([3, 0, 4, 1, 4, 2] * 4)
    mask = torch.arange(4) < lengths[:, None]
    (asked_rows, asked), (known_rows, known) = (
        sentence_groups(Layout(mask, packed=True, known_lengths=given)) for given in (None, lengths.tolist())
    )
    assert len(asked) == 2
    assert known_rows.equal(asked_rows)
    assert all(one.mask_BT.equal(other.mask_BT) for one, other in zip(known, asked, strict=True))


def test_a_gpu_gets_all_sentences_as_one_group():
    lengths = [3, 0, 4, 1, 4, 2] * 4
    mask = torch.arange(4) < torch.tensor(lengths)[:, None]
    _, known = sentence_groups(Layout(mask.to("meta"), packed=True, known_lengths=lengths))
    assert [group.mask_BT.shape for group in known] == [(20, 4)]


def test_groups_are_made_once_for_a_layout_and_not_kept_after_it():
    layout = Layout(torch.ones(2, 3, dtype=torch.bool), packed=True)
    made = sentence_groups(layout)
    assert sentence_groups(layout) is made
    group = weakref.ref(made[1][0])
    del layout, made
    assert group() is None

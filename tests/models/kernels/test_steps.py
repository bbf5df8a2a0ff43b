"""The steps of a recurrence over packed words: the order of rows, and numbers of sequences that fit the words."""

import pytest
import torch

from attest.models.attention import Layout
from attest.models.kernels.gru import gru
from attest.models.kernels.lstm import lstm
from attest.models.kernels.steps import rows_by_step, sequences_by_step


def steps_of(layout, *, backward):
    rows, _, steps = rows_by_step(layout.last_B if backward else layout.first_B, layout.length_B, backward=backward)
    return rows.tolist(), steps


@pytest.mark.parametrize("options", [{}, {"multiple": 4}], ids=str)
def test_steps_have_the_longest_sentences_in_front(options):
    layout = Layout(torch.arange(3) < torch.tensor([2, 0, 3, 1])[:, None], packed=True, **options)
    assert steps_of(layout, backward=False) == ([2, 0, 5, 3, 1, 4], [3, 2, 1])
    assert steps_of(layout, backward=True) == ([4, 1, 5, 3, 0, 2], [3, 2, 1])
    padded = Layout(torch.tensor([[True, False, False], [True, True, False]]), packed=False)
    assert steps_of(padded, backward=True) == ([4, 0, 3], [2, 1])


def test_a_sequence_is_in_as_many_steps_as_it_has_words():
    assert sequences_by_step([2, 0, 3, 1]) == [3, 2, 1]
    assert sequences_by_step([0, 0]) == sequences_by_step([]) == []


@pytest.mark.parametrize("steps", [[3, 2, 1], [3, 2, 3], [2, 3, 2], [8, -1], [7, 7], []], ids=str)
def test_steps_of_another_number_of_words_are_refused(steps):
    with pytest.raises(ValueError, match=r"steps are \[.*\]; use \(words, 4 H\), \(4 H, H\)"):
        lstm(torch.randn(7, 20), torch.randn(20, 5), steps)
    with pytest.raises(ValueError, match=r"steps are \[.*\]; use \(words, 3 H\), \(3 H, H\)"):
        gru(torch.randn(7, 15), torch.randn(15, 5), torch.randn(15), steps)

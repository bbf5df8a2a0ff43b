import math

import numpy as np
import pytest
import torch
from scipy import stats

from attest.data.splits.split import Ragged, Split
from attest.models.heads.relatedness import divergence, expected_grade, soft_labels
from attest.training.tasks import Relatedness


def test_a_score_between_grades_is_shared_by_both():
    torch.testing.assert_close(
        soft_labels(torch.tensor([3.6, 1.0, 5.0]), 5),
        torch.tensor([[0, 0, 0.4, 0.6, 0], [1.0, 0, 0, 0, 0], [0, 0, 0, 0, 1.0]]),
    )


@pytest.mark.parametrize("score", np.linspace(1, 5, 17).tolist())
def test_soft_labels_are_distributions_whose_mean_is_the_score(score):
    (target,) = soft_labels(torch.tensor([score], dtype=torch.float64), 5)
    assert target.sum() == pytest.approx(1)
    assert target @ torch.arange(1.0, 6.0, dtype=torch.float64) == pytest.approx(score)


def test_six_grades_begin_at_0():
    assert soft_labels(torch.tensor([0.25, 5.0]), 6).tolist() == [[0.75, 0.25, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]]
    assert expected_grade(torch.zeros(1, 6)).tolist() == [2.5]


def test_who_always_says_the_same_has_no_correlation():
    assert Relatedness.metrics("dev", torch.zeros(2, 5), split_of([1.0, 2.0]))["dev/pearson"] == 0.0


def test_the_expected_grade():
    assert expected_grade(torch.zeros(1, 5)).tolist() == [3.0]
    assert expected_grade(torch.tensor([[0.0, 0, 0, 0, 100.0]])).tolist() == [5.0]


def test_divergence_by_hand():
    # t = (0.5, 0.5, 0, ...), p = 1/5 each: sum t log(t / p) = log(2.5); what is zero in t adds nothing to 1e-8.
    assert divergence(torch.zeros(1, 5), torch.tensor([1.5])).item() == pytest.approx(math.log(2.5), abs=1e-6)
    exact = torch.tensor([[0.0, -1e9, -1e9, -1e9, -1e9]])
    assert divergence(exact, torch.tensor([1.0])).item() == pytest.approx(0, abs=1e-6)
    assert divergence(-exact, torch.tensor([1.0])).isfinite()


def test_the_gradient_near_a_good_fit_is_that_of_fp32_where_layers_are_in_bf16():
    """It is p - t, the small difference of two numbers that bf16 holds to three digits."""
    scores = torch.linspace(1.05, 4.95, 40)
    logits = (soft_labels(scores, 5) + 0.01).log().bfloat16()
    exact = logits.double().requires_grad_()
    divergence(exact, scores).backward()
    rounded = logits.requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = divergence(rounded, scores)
    loss.backward()
    assert loss.dtype == torch.float32
    assert (rounded.grad - exact.grad).abs().max() < 2**-8 * exact.grad.abs().max()


def split_of(scores):
    number = len(scores)
    return Split(
        (Ragged.from_lists([[2]] * number),) * 2, np.zeros(number, np.int64), np.arange(number) + 7,
        np.zeros(number, np.int16),
        np.array(scores, np.float32),
    )  # fmt: skip


def test_metrics_by_hand():
    # Said: 1, 3, 5 against 1, 2, 5.
    logits = torch.tensor([[99.0, 0, 0, 0, 0], [0, 0, 99.0, 0, 0], [0, 0, 0, 0, 99.0]])
    metrics = Relatedness.metrics("dev", logits, split_of([1.0, 2.0, 5.0]))
    assert metrics["dev/mse"] == pytest.approx(1 / 3)
    assert metrics["dev/spearman"] == pytest.approx(1.0)
    # Deviations (-5/3, -2/3, 7/3) and (-2, 0, 2): 8 / sqrt(26/3 * 8).
    assert metrics["dev/pearson"] == pytest.approx(8 / math.sqrt(26 / 3 * 8))


def test_correlations_are_scipys_also_with_ties():
    rng = np.random.default_rng(0)
    gold, logits = rng.integers(2, 10, 50) / 2, torch.randn(50, 5)
    logits[10:20] = logits[0]
    metrics = Relatedness.metrics("dev", logits, split_of(gold))
    said = expected_grade(logits.double()).numpy()
    assert metrics["dev/pearson"] == pytest.approx(stats.pearsonr(gold, said)[0])
    assert metrics["dev/spearman"] == pytest.approx(stats.spearmanr(gold, said)[0])


def test_predictions_are_scores():
    kept = Relatedness.predictions(torch.zeros(2, 5), split_of([1.0, 2.0]))
    assert {name: array.tolist() for name, array in kept.items()} == {
        "rows": [7, 8], "lengths": [[1, 1], [1, 1]], "same_bag": [True, True],
        "scores": [1.0, 2.0], "predictions": [3.0, 3.0],
    }  # fmt: skip

import copy
import math

import pytest
import torch

from attest.models.word_vectors import WordVectors

# Padding, unknown, three training words (the second without a vector), one frozen word.
TABLE = torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 2.0], [math.nan, math.nan], [3.0, 4.0], [5.0, 6.0]])
TOKENS = torch.tensor([[2, 5, 2, 0], [1, 4, 0, 0]])


def words(**settings) -> WordVectors:
    return WordVectors(TABLE, 3, **{"trainable": True, "unknown_range": 0.05, "sparse": True, **settings})


def test_a_table_that_is_a_parameter_is_copied_without_its_graph():
    source = torch.nn.Parameter(TABLE.nan_to_num())
    table = WordVectors(source, 3, trainable=True, unknown_range=0.05, sparse=False)
    for _ in range(2):
        copy.deepcopy(table)(TOKENS).sum().backward()
        table(TOKENS).sum().backward()
    assert source.grad is None
    assert not table.fixed.requires_grad


def test_trained_rows_do_not_keep_the_whole_table():
    table = WordVectors(torch.zeros(1000, 2), 3, trainable=True, unknown_range=0.05, sparse=True)
    assert table.trained.untyped_storage().nbytes() == 3 * 2 * 4


@pytest.mark.parametrize("sparse", [True, False])
def test_lookup_and_gradient(sparse):
    table = words(sparse=sparse)
    x = table(TOKENS)
    assert x[0].tolist() == [[1, 2], [5, 6], [1, 2], [0, 0]]
    assert x[1].tolist() == [[0, 0], [3, 4], [0, 0], [0, 0]]
    x.sum().backward()
    gradient = table.trained.grad
    assert gradient is not None
    assert gradient.is_sparse is sparse
    if sparse:
        assert gradient.coalesce().indices().tolist() == [[0, 2]]  # the words of the batch and no others
    assert gradient.to_dense().tolist() == [[2, 2], [0, 0], [1, 1]] if sparse else gradient.tolist()


def test_words_without_a_vector_start_in_the_range_and_from_the_seed():
    torch.manual_seed(3)
    first = words().trained[1]
    torch.manual_seed(3)
    assert words().trained[1].equal(first)
    assert 0 < first.abs().max() < 0.05
    assert words(unknown_range=0.0).trained[1].eq(0).all()


def test_words_without_a_vector_may_start_normal():
    table = torch.full((3002, 2), math.nan)
    table[:2] = 0.0
    started = WordVectors(table, 3000, trainable=True, unknown="normal", unknown_range=2.0, sparse=True).trained
    assert started.std().item() == pytest.approx(2.0, abs=0.1)
    assert started.abs().max() > 2.0


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
def test_words_without_a_vector_have_the_type_of_the_table(dtype):
    table = WordVectors(TABLE.to(dtype), 3, trainable=True, unknown_range=0.05, sparse=True)
    assert table.trained.dtype == dtype
    assert 0 < table.trained[1].abs().max() < 0.06


def test_one_row_at_least_is_reserved():
    with pytest.raises(ValueError, match="reserved, training_words are 0, 3; .* at least 1 that is reserved"):
        words(reserved=0)


@pytest.mark.parametrize(("row", "value"), [(0, math.nan), (1, math.nan), (1, math.inf), (3, math.inf), (5, -math.inf)])
def test_only_words_may_lack_a_vector_and_infinity_is_no_vector(row, value):
    """A reserved row of NaN used to become random, and infinity to stand in sentence vectors."""
    table = TABLE.clone()
    table[row, 1] = value
    with pytest.raises(
        ValueError, match=r"^the table has infinity, or NaN in its first 2 rows, which are reserved; use"
    ):
        WordVectors(table, 3, trainable=True, unknown_range=0.05, sparse=True)


def test_nothing_is_trained_if_so_chosen():
    assert not words(trainable=False).trained.requires_grad


def test_fixed_rows_travel_with_the_weights():
    other = words()
    torch.nn.init.zeros_(other.fixed)
    other.load_state_dict(words().state_dict())
    assert other.fixed.tolist() == [[0, 0], [0, 0], [5, 6]]


def test_further_rows_stand_behind_all_others_and_change_none():
    table = words()
    before = table(torch.arange(6))
    assert list(table.extend(torch.tensor([[7.0, 8.0], [9.0, 1.0]]))) == [6, 7]
    assert list(table.extend(torch.tensor([[2.0, 3.0]]))) == [8]
    assert table(torch.arange(6)).equal(before)
    assert table(torch.tensor([8, 6, 7])).tolist() == [[2, 3], [7, 8], [9, 1]]


def test_vectors_of_length_1():
    table = torch.tensor([[0.0, 0.0], [0.0, 0.0], [3.0, 4.0], [float("nan")] * 2, [0.0, 2.0]])
    words = WordVectors(table, 2, trainable=False, unknown="normal", unknown_range=1.0, sparse=False, unit_length=True)
    lengths = words(torch.arange(5)).norm(dim=-1)
    torch.testing.assert_close(lengths, torch.tensor([0.0, 0.0, 1.0, 1.0, 1.0]))
    (new,) = words.extend(torch.tensor([[0.0, 9.0]]))
    assert words(torch.tensor([new])).tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize("trainable", [True, False])
def test_rows_are_put_without_counting_them(trainable):
    """So a GPU looks words up; the gradient is dense."""
    table = words(trainable=trainable, sparse=False)
    is_trained = (TOKENS >= 2) & (TOKENS < 5)
    fixed = table(TOKENS).detach().masked_fill(is_trained[..., None], 9.0)
    x = table.put_trained_rows(fixed, TOKENS, is_trained)
    assert x.equal(table(TOKENS))
    if trainable:
        (gradient,) = torch.autograd.grad((x * torch.arange(16.0).reshape(2, 4, 2)).sum(), table.trained)
        (counted,) = torch.autograd.grad((table(TOKENS) * torch.arange(16.0).reshape(2, 4, 2)).sum(), table.trained)
        assert gradient.equal(counted)


def test_a_table_without_trained_words_is_left_as_it_is():
    table = WordVectors(TABLE[[0, 1, 2]], 0, trainable=True, unknown_range=0.05, sparse=False)
    x = torch.ones(1, 2)
    assert table.put_trained_rows(x, torch.tensor([2]), torch.tensor([False])) is x

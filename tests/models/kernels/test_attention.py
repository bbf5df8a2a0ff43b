"""The C++ attention beside plain torch: values and gradients, odd shapes, poison, and the rest of torch."""

import math

import pytest
import torch
from marks import needs_kernels
from models.kernels.relative_errors import relative_error

from attest.models.attention import Layout, attend_words, feature_attention, pool_words
from attest.models.attention.feature import reference_attention
from attest.models.kernels import attention

DIRECTIONS = ("forward", "backward", "diagonal", "none")
FEATURES = 37  # two tiles of 16 and a narrow one

pytestmark = needs_kernels


def drawn(lengths, spread=1.0, seed=0):
    """Keys, queries and values of a padded batch, and the probe that makes a loss of its result."""
    generator = torch.Generator().manual_seed(seed)
    shape = (len(lengths), max(1, *lengths), FEATURES)
    return [spread * torch.randn(shape, generator=generator) for _ in range(4)]


def with_gradients(function, tensors):
    """What the function makes of the first three tensors, and the gradients of its sum weighted by the fourth."""
    *inputs, probe = (tensor.clone().requires_grad_() for tensor in tensors)
    result = function(*inputs)
    return [result.detach(), *torch.autograd.grad((result * probe.detach()).sum(), inputs)]


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("spread", [1.0, 30.0, 300.0], ids=["usual", "steep", "huge"])
@pytest.mark.parametrize("seed", range(5))
def test_equals_the_reference_in_double_precision(direction, spread, seed):
    generator = torch.Generator().manual_seed(seed)
    lengths = [*torch.randint(0, 23, (9,), generator=generator).tolist(), 0, 1, 2]
    tensors = drawn(lengths, seed=seed)
    tensors[:2] = [tensor * spread for tensor in tensors[:2]]
    options = {"direction": direction, "lengths": torch.tensor(lengths), "scale": 5.0}
    got = with_gradients(lambda *inputs: feature_attention(*inputs, **options), tensors)
    expected = with_gradients(lambda *inputs: reference_attention(*inputs, **options), [x.double() for x in tensors])
    # Steep keys of 300 are themselves only good to 3e-5 in fp32, before anything is computed with them.
    bound = 1e-5 * max(1.0, spread / 30)
    assert [relative_error(x, y) < bound for x, y in zip(got, expected, strict=True)] == [True] * 4


@pytest.mark.parametrize("scale", [1e-6, 0.5, 1.0, 10.0, 40.0, 100.0])
def test_every_scale(scale):
    lengths = [7, 3]
    tensors, options = (
        drawn(lengths, spread=scale),
        {"direction": "none", "lengths": torch.tensor(lengths), "scale": scale},
    )
    got = with_gradients(lambda *inputs: feature_attention(*inputs, **options), tensors)
    expected = with_gradients(lambda *inputs: reference_attention(*inputs, **options), [x.double() for x in tensors])
    # The exponent reaches the scale: fp32 knows it to scale * 6e-8.
    assert [relative_error(x, y) < 1e-5 * max(1, scale / 5) for x, y in zip(got, expected, strict=True)] == [True] * 4


@pytest.mark.parametrize("scale", [5.0, 20.0, 40.0])
def test_large_gradients_of_the_lowest_scores_do_not_overflow(scale):
    """All weights are exp(-2 scale), whose inverse times the gradient is infinite in fp32 at the largest scale."""
    lengths, low = [4], torch.full((1, 4, FEATURES), -1000.0)
    tensors = [low, low, torch.randn(1, 4, FEATURES), torch.full((1, 4, FEATURES), 1e5)]
    options = {"direction": "forward", "lengths": torch.tensor(lengths), "scale": scale}
    got = with_gradients(lambda *inputs: feature_attention(*inputs, **options), tensors)
    expected = with_gradients(lambda *inputs: reference_attention(*inputs, **options), [x.double() for x in tensors])
    for one, other in zip(got, expected, strict=True):
        torch.testing.assert_close(one.double(), other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_packed_rows_give_what_padded_rows_give(direction):
    lengths = [5, 0, 1, 11]
    *inputs, _ = drawn(lengths)
    padded = feature_attention(*inputs, direction=direction, lengths=torch.tensor(lengths))
    layout = Layout(torch.arange(11) < torch.tensor(lengths)[:, None], packed=True)
    packed = attend_words(*(layout.rows(x) for x in inputs), layout, direction=direction)
    assert packed.equal(layout.rows(padded))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_words_without_anything_to_attend_to_get_zeros_and_give_no_gradient(direction):
    tensors = drawn([1, 0])
    got, *gradients = with_gradients(
        lambda *inputs: feature_attention(*inputs, direction=direction, lengths=torch.tensor([1, 0])), tensors
    )
    if direction == "none":  # a single word attends to itself
        torch.testing.assert_close(got[0, 0], tensors[2][0, 0])
        assert all(gradient[0].abs().max() < 1e-6 for gradient in gradients[:2])
    else:
        assert all(x.eq(0).all() for x in (got, *gradients))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_poison_in_the_padding_has_no_influence(direction):
    lengths = torch.tensor([4, 1, 0, 7])
    real = torch.arange(7) < lengths[:, None]
    clean = drawn(lengths.tolist())
    poisoned = [x.masked_fill(~real[..., None], math.nan) for x in clean[:3]] + clean[3:]
    results = [
        with_gradients(lambda *inputs: feature_attention(*inputs, direction=direction, lengths=lengths), tensors)
        for tensors in (clean, poisoned)
    ]
    for first, second in zip(*results, strict=True):
        assert first.equal(second)
        assert first[~real].eq(0).all()


@pytest.mark.parametrize(("which", "lost"), [(0, [3, 4]), (1, [2]), (2, [3, 4])], ids=["keys", "queries", "values"])
def test_nan_in_nan_out(which, lost):
    """NaN in word 2 of 5: where its key or value is seen, or its query asks, and nowhere else."""
    tensors = drawn([5])
    tensors[which][0, 2, 20] = math.nan
    got = feature_attention(*tensors[:3], direction="forward", lengths=torch.tensor([5]))
    assert got.isnan().nonzero().tolist() == [[0, word, 20] for word in lost]


@pytest.mark.parametrize("which", [0, 1], ids=["keys", "queries"])
@pytest.mark.parametrize("extreme", [math.inf, -math.inf, 1e30])
def test_scores_are_bounded_whatever_comes_in(which, extreme):
    tensors, lengths = drawn([5]), torch.tensor([5])
    tensors[which][0, 2, 20] = extreme
    got = feature_attention(*tensors[:3], direction="forward", lengths=lengths)
    torch.testing.assert_close(got, reference_attention(*tensors[:3], direction="forward", lengths=lengths, scale=5.0))


def test_source2token_equals_the_reference_in_double_precision():
    for seed, spread in enumerate((1.0, 30.0, 300.0)):
        lengths = [11, 5, 0, 1, 17]
        layout = Layout(torch.arange(17) < torch.tensor(lengths)[:, None], packed=True)
        scores, values, _, probe = (layout.rows(x) for x in drawn(lengths, seed=seed))
        results = []
        for dtype in (torch.float32, torch.float64):
            inputs = [x.to(dtype).requires_grad_() for x in (scores * spread, values)]
            pooled = pool_words(*inputs, layout)
            loss = (pooled * probe[: len(lengths)].to(dtype)).sum()
            results.append([pooled.detach(), *torch.autograd.grad(loss, inputs)])
        assert all(relative_error(x, y) < 1e-5 for x, y in zip(*results, strict=True))
        assert results[0][0][2].eq(0).all()


def test_source2token_shows_nan_in_its_sentence_alone():
    layout = Layout(torch.tensor([[True, True], [True, True]]), packed=True)
    scores, values = torch.randn(2, 4, FEATURES)
    scores[1, 3] = math.nan
    assert pool_words(scores, values, layout).isnan().any(1).tolist() == [True, False]


# ------------------------------------------------------------------------------------------ the rest of torch


def arguments(dtype=torch.float32):
    lengths = torch.tensor([3, 0, 4])
    layout = Layout(torch.arange(4) < lengths[:, None], packed=True)
    rows = [torch.randn(7, 5, dtype=dtype, requires_grad=True) for _ in range(3)]
    return rows, layout


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.filterwarnings("ignore")
def test_the_operators_keep_torchs_rules(dtype):
    rows, layout = arguments(dtype)
    places = (layout.first_B, layout.length_B)
    # Finite differences want fp64, which the kernels do not have: gradients are compared with the reference above.
    tests = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_static")
    inputs = (*rows, *places, *layout.key_range("diagonal"), True, 5.0)
    torch.library.opcheck(attention.token2token.operator, inputs, test_utils=tests)
    torch.library.opcheck(attention.source2token.operator, (*rows[:2], *places), test_utils=tests)


@pytest.mark.filterwarnings("ignore")
def test_torch_compile_keeps_the_operator_whole():
    rows, layout = arguments()
    inputs = (*rows, layout.first_B, layout.length_B, *layout.key_range("forward"), False, 5.0)

    def twice(*inputs):
        return attention.token2token(*inputs)[0] * 2

    compiled = torch.compile(twice, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(*inputs), twice(*inputs))
    gradients = [torch.autograd.grad(function(*inputs).square().sum(), rows) for function in (compiled, twice)]
    torch.testing.assert_close(*gradients)


def test_under_autocast_dense_layers_are_in_bf16_and_attention_is_computed_in_fp32():
    layer = torch.nn.Linear(5, 5)
    (x, *_), layout = arguments()
    with torch.autocast("cpu", torch.bfloat16):
        keys = layer(x)
        attended = attend_words(keys, keys, keys, layout, direction="none")
    assert keys.dtype == attended.dtype == torch.bfloat16
    plain = attend_words(*(keys.float() for _ in range(3)), layout, direction="none")
    torch.testing.assert_close(attended.float(), plain, rtol=2**-8, atol=0)  # one rounding, at the end
    assert attended.float().sum().isfinite()


def test_results_do_not_depend_on_the_number_of_threads():
    lengths = [23, 1, 9, 0, 14] * 5
    tensors = drawn(lengths)
    before, results = torch.get_num_threads(), []
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        results.append(
            with_gradients(
                lambda *x: feature_attention(*x, direction="diagonal", lengths=torch.tensor(lengths)), tensors
            )
        )
    torch.set_num_threads(before)
    assert all(x.equal(y) for other in results[1:] for x, y in zip(results[0], other, strict=True))


def test_nothing_of_size_words_by_words_by_features_is_stored():
    """2 sentences of 400 words and 64 features: 82 MB for each such tensor in fp32."""
    tensors = [torch.randn(2, 400, 64, requires_grad=True) for _ in range(3)]
    sizes = []

    class Watch(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            result = function(*args, **(kwargs or {}))
            outputs = result if isinstance(result, tuple | list) else [result]
            sizes.extend(x.numel() for x in outputs if isinstance(x, torch.Tensor))
            return result

    with Watch():
        feature_attention(*tensors, direction="forward", lengths=torch.tensor([400, 399])).sum().backward()
    assert max(sizes) <= 2 * 400 * 64

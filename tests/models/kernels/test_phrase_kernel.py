"""The C++ attention within phrases beside plain torch in double precision."""

import math

import pytest
import torch
import torch.nn.functional as F
from marks import needs_kernels
from models.kernels.relative_errors import relative_error

from attest.models.attention import Layout, attend_phrases
from attest.models.attention.phrase_spans import PhraseSpans
from attest.models.kernels import attention

FEATURES = 37  # two tiles of 16 and a narrow one
LENGTHS = torch.tensor([0, 11, 1, 0, 7, 2])

pytestmark = needs_kernels


def layout_of(*, packed, seed=0, multiple=1):
    generator = torch.Generator().manual_seed(seed)
    mask = torch.arange(11) < LENGTHS[:, None]
    phrases = torch.randint(0, 8, mask.shape, generator=generator)
    return Layout(mask, packed, multiple=multiple, phrases_BT=phrases)


def drawn(layout, spread=1.0, seed=0):
    generator = torch.Generator().manual_seed(seed)
    keys, queries, values, probe = (
        layout.rows(torch.randn(*layout.mask_BT.shape, FEATURES, generator=generator)) for _ in range(4)
    )
    return [spread * keys, spread * queries, values, probe]


def with_gradients(tensors, layout, level, *, lone=False):
    *inputs, probe = (tensor.clone().requires_grad_() for tensor in tensors)
    result = attend_phrases(*inputs, layout, level, F.elu, lone_words_attend=lone)
    return [result.detach(), *torch.autograd.grad((result * probe.detach()).sum(), inputs)]


@pytest.mark.parametrize("options", [{"packed": True}, {"packed": False}, {"packed": True, "multiple": 64}], ids=str)
@pytest.mark.parametrize("lone", [False, True])
@pytest.mark.parametrize("level", [0, 1, 3])
@pytest.mark.parametrize("spread", [1.0, 30.0, 300.0], ids=["usual", "steep", "huge"])
def test_equals_torch_in_double_precision(spread, level, lone, options):
    for seed in range(3):
        layout = layout_of(**options, seed=seed)
        tensors = drawn(layout, spread, seed)
        got = with_gradients(tensors, layout, level, lone=lone)
        expected = with_gradients([x.double() for x in tensors], layout, level, lone=lone)
        # Scores have no bound: fp32 knows one of 300 to 3e-5.
        bound = 1e-5 * max(1.0, spread / 10)
        assert [relative_error(x, y) < bound for x, y in zip(got, expected, strict=True)] == [True] * 4


@pytest.mark.parametrize(("which", "lost"), [(0, [2, 4]), (1, [3]), (2, [2, 4])], ids=["keys", "queries", "values"])
def test_nan_stays_in_its_phrase(which, lost):
    """Words 2 to 4 of five are a phrase; NaN is in word 3."""
    layout = Layout(torch.ones(1, 5, dtype=torch.bool), packed=True, phrases_BT=torch.tensor([[1, 0, 1, 0, 0]]))
    tensors = drawn(layout)
    tensors[which][3, 20] = math.nan
    got = attend_phrases(*tensors[:3], layout, 1, F.elu)
    assert got.isnan().nonzero().tolist() == [[word, 20] for word in lost]


@pytest.mark.parametrize("packed", [True, False])
def test_sentences_without_words(packed):
    layout = Layout(torch.zeros(2, 3, dtype=torch.bool), packed, phrases_BT=torch.zeros(2, 3, dtype=torch.long))
    got = with_gradients(drawn(layout), layout, 1)
    assert all(x.eq(0).all() for x in got)


def test_in_bf16_everything_is_good_to_its_rounding():
    layout = layout_of(packed=True)
    tensors = [x.bfloat16() for x in drawn(layout)]
    got = with_gradients(tensors, layout, 2)
    expected = with_gradients([x.double() for x in tensors], layout, 2)
    assert got[0].dtype == torch.bfloat16
    # Gradients of queries are small differences of large numbers: above 0, elu adds the query to every score alike.
    sizes = [expected[0], expected[1], expected[1], expected[3]]
    errors = [float((x - y).abs().max() / size.abs().max()) for x, y, size in zip(got, expected, sizes, strict=True)]
    assert max(errors) < 2**-7


@pytest.mark.filterwarnings("ignore")
def test_the_operator_keeps_torchs_rules_without_a_scale():
    layout = layout_of(packed=True)
    rows = [x.requires_grad_() for x in drawn(layout)[:3]]
    inputs = (*rows, layout.first_B, layout.length_B, *PhraseSpans(layout, 1).key_range(), True, None)
    tests = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_static")
    torch.library.opcheck(attention.token2token.operator, inputs, test_utils=tests)

"""Attention by torch.compile, the back end on a GPU."""

from functools import partial

import pytest
import torch
from torch._dynamo.testing import CompileCounter

from attest.models import DiSAN
from attest.models.attention import Layout, feature
from attest.models.kernels import backends


@pytest.fixture
def compiler(monkeypatch):
    """Count what is compiled; the compiled functions are run by torch itself."""
    torch._dynamo.reset()
    counter = CompileCounter()
    monkeypatch.setattr(torch, "compile", partial(torch.compile, backend=counter))
    feature.compiled_attention.cache_clear()
    backends.use("compiled")
    yield counter
    backends.use("auto")
    feature.compiled_attention.cache_clear()


@pytest.mark.filterwarnings("ignore:The .grad attribute")  # the compiler looks at it
def test_batches_of_new_widths_compile_nothing(compiler):
    for lengths in ([5, 2, 3], [9, 1, 4, 2], [13, 6], [7, 7, 2], [3, 2]):
        mask_BT = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
        layout = Layout(mask_BT, packed=True, known_lengths=lengths)
        x_ND = torch.randn(sum(lengths), 6, requires_grad=True)
        s_ND = feature.attend_words(x_ND, x_ND, x_ND, layout, direction="forward")
        torch.testing.assert_close(s_ND, reference(x_ND, layout))
        s_ND.sum().backward()
    assert compiler.frame_count == 1


def reference(x_ND, layout):
    """Return the attention of plain torch."""
    s_BTD = feature.reference_attention(
        *[layout.grid(x_ND)] * 3, direction="forward", lengths=layout.length_B, scale=5.0
    )
    return layout.rows_of_grid(s_BTD)


@pytest.mark.filterwarnings("ignore:The .grad attribute")  # the compiler looks at it
def test_a_whole_encoder_compiles_without_warnings():
    """Warnings are errors in tests. Tracing the search for a compiler and its libraries would give several."""
    encoder, x_BTD = DiSAN(6, hidden_size=4).eval(), torch.randn(2, 5, 6)
    mask_BT = torch.ones(2, 5, dtype=torch.bool)
    torch.testing.assert_close(torch.compile(encoder, backend="eager")(x_BTD, mask_BT), encoder(x_BTD, mask_BT))

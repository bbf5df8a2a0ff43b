"""PSAN beside its equations, written out word by word."""

import math

import pytest
import torch
import torch.nn.functional as F
from models.doubled_dropout import double_dropout
from models.psan_by_hand import LENGTHS, MASK, naive, structure

from attest.models.attention import Layout, attend_phrases, phrase_weights
from attest.models.encoders import PSAN
from attest.models.heads import PairClassifier


def every(encoder, x, layout):
    """Vectors, and gradients of the words and of every parameter."""
    x = x.clone().requires_grad_()
    encoder.zero_grad()
    vectors = encoder.encode(layout.rows(x), layout)
    vectors.square().sum().backward()
    return [vectors.detach(), x.grad, *(p.grad.clone() for p in encoder.parameters() if p.grad is not None)]


@pytest.mark.parametrize(
    ("divisions", "settings"),
    [
        ((3, 2, 1), {}),
        ((0, 0, 0), {}),
        ((2,), {}),
        ((3, 2, 1), {"carry": True}),
        ((3, 2, 1), {"memory": "concatenated"}),
        ((0,), {"memory": "none"}),
        ((3, 2, 1), {"memory": "none"}),
    ],
)
def test_the_printed_equations(divisions, settings):
    """Of all rows of Table 4, and of a gate with its other half."""
    encoder = PSAN(7, divisions=divisions, **settings).double()
    x = torch.randn(5, 11, 7, dtype=torch.double)
    for parameter in encoder.parameters():
        if parameter.dim() == 1:
            torch.nn.init.normal_(parameter)
    got = encoder(x, MASK, structure() if max(divisions) else None)
    for row in range(4):
        torch.testing.assert_close(got[row], naive(encoder, x, row))
    assert got[4].eq(0).all()


@pytest.mark.parametrize("memory", ["gated", "concatenated", "none"])
def test_dropout_falls_on_the_input_of_every_dense_layer_and_on_nothing_else(memory, monkeypatch):
    double_dropout(monkeypatch)
    encoder, x = PSAN(7, memory=memory, dropout=0.5).double(), 0.3 * torch.randn(5, 11, 7, dtype=torch.double)
    got = encoder(x, MASK, structure())
    for row in range(4):
        torch.testing.assert_close(got[row], naive(encoder, x, row, factor=2))


def test_or_on_the_word_vectors_alone(monkeypatch):
    double_dropout(monkeypatch)
    encoder, x = PSAN(7, dropout=0.5, dropout_at="words").double(), torch.randn(5, 11, 7, dtype=torch.double)
    got = encoder(x, MASK, structure())
    for row in range(4):
        torch.testing.assert_close(got[row], naive(encoder, 2 * x, row))


def test_attention_by_hand():
    """Two phrases, (a b c) and (d): with keys -ln 2, 0 and ln 2 and queries 0, ELU makes scores -1/2, 0 and ln 2."""
    keys = torch.tensor([[-math.log(2)], [0.0], [math.log(2)], [5.0]])
    values = torch.tensor([[1.0], [2.0], [4.0], [8.0]])
    bits = torch.tensor([[1, 0, 0, 1]])
    got = attend_phrases(keys, torch.zeros(4, 1), values, layout_of(bits, packed=True), 1, F.elu)
    e = math.exp(-0.5)
    expected = [(2 + 2 * 4) / (1 + 2), (e * 1 + 2 * 4) / (e + 2), (e * 1 + 1 * 2) / (e + 1), 0.0]
    torch.testing.assert_close(got.flatten(), torch.tensor(expected))


def layout_of(bits, *, packed):
    return Layout(torch.ones_like(bits, dtype=torch.bool), packed, phrases_BT=bits)


@pytest.mark.parametrize("initialisation", ["normal", "uniform"])
def test_the_initial_matrices_are_glorot_normal_or_uniform(initialisation):
    """The numbers of a uniform distribution end at sqrt(3) standard deviations; of 90,000 normal ones, 3 reach 4."""
    weight, bound = PSAN(300, initialisation=initialisation).attention[0].query.weight.detach(), (6 / 600) ** 0.5
    assert weight.std().item() == pytest.approx(bound / 3**0.5, rel=0.02)
    assert (weight.abs().max().item() > bound) == (initialisation == "normal")


@pytest.mark.parametrize(("parameters", "settings"), [
    (1_623_000, {}),
    (1_623_000, {"carry": True}),
    (901_800, {"shared_attention": True}),
    (2_344_200, {"shared_gate": False}),
    (901_800, {"divisions": [0]}),
    (541_200, {"divisions": [0], "memory": "none"}),
    (1_532_700, {"memory": "concatenated"}),
])  # fmt: skip
def test_parameters(parameters, settings):
    with torch.device("meta"):
        assert sum(p.numel() for p in PSAN(300, **settings).parameters()) == parameters


def test_parameters_with_the_head():
    """Table 2: 2.0M."""
    with torch.device("meta"):
        modules = PSAN(300), PairClassifier(300, 3)
    assert sum(p.numel() for module in modules for p in module.parameters()) == 1_984_203


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"carry": True},
        {"memory": "concatenated"},
        {"memory": "none"},
        {"shared_gate": False},
        {"lone_word": "itself"},
    ],
)
def test_all_layouts_give_the_same(settings):
    encoder, x, bits = PSAN(7, **settings), torch.randn(5, 11, 7), structure()
    first, *others = (
        every(encoder, x, Layout(MASK, phrases_BT=bits, **options))
        for options in ({"packed": True}, {"packed": False}, {"packed": True, "multiple": 8})
    )
    for other in others:
        torch.testing.assert_close(other, first)


def test_padding_changes_nothing():
    encoder, x, bits = PSAN(7), torch.randn(5, 11, 7), structure()
    together = encoder(x, MASK, bits)
    for row, length in enumerate(LENGTHS.tolist()):
        inside = slice(0, max(1, length))
        alone = encoder(x[row : row + 1, inside], MASK[row : row + 1, inside], bits[row : row + 1, inside])
        torch.testing.assert_close(together[row : row + 1], alone)


@pytest.mark.parametrize("packed", [True, False])
def test_poison_in_the_padding_changes_neither_values_nor_gradients(packed):
    encoder, x = PSAN(7), torch.randn(5, 11, 7)
    bits = structure().masked_fill(~MASK, 7)  # padding that claims to begin phrases
    layout = Layout(MASK, packed, phrases_BT=bits)
    results = [every(encoder, x.masked_fill(~MASK[..., None], filling), layout) for filling in (0.0, math.nan)]
    torch.testing.assert_close(*results)
    clean = every(encoder, x, Layout(MASK, packed, phrases_BT=structure()))
    torch.testing.assert_close(results[0][0], clean[0])


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("lone", [True, False])
@pytest.mark.parametrize("level", [0, 1, 3])
def test_blocks_of_phrases_are_whole_sentences_under_a_mask(level, lone, packed):
    layout = Layout(MASK, packed, phrases_BT=structure())
    keys, queries, values = (layout.rows(torch.randn(5, 11, 7)) for _ in range(3))
    weights = phrase_weights(keys, queries, layout, level, F.elu, lone_words_attend=lone)
    expected = (weights * layout.grid(values)[:, None]).sum(2)
    got = attend_phrases(keys, queries, values, layout, level, F.elu, lone_words_attend=lone)
    torch.testing.assert_close(layout.grid(got), expected)


@pytest.mark.parametrize("packed", [True, False])
def test_gradients(packed):
    layout = Layout(MASK, packed, phrases_BT=structure())
    rows = [torch.randn(len(layout.place_N), 2, dtype=torch.double, requires_grad=True) for _ in range(3)]
    assert torch.autograd.gradcheck(lambda *inputs: attend_phrases(*inputs, layout, 2, F.elu), rows)


def test_a_phrase_of_one_word_attends_to_nothing():
    """Its c is sigma(W(c) [|p|; 0] + b(c)), and no other word changes it."""
    psa, x = PSAN(7).attention[0], torch.randn(4, 7)
    bits = torch.tensor([[1, 1, 0, 0]])
    got = psa(x, layout_of(bits, packed=True), 1)
    expected = F.elu(psa.compare(torch.cat([x[0].abs(), torch.zeros(7)])))
    torch.testing.assert_close(got[0], expected)


def test_or_to_itself():
    psa, x = PSAN(7, lone_word="itself").attention[0], torch.randn(4, 7)
    got = psa(x, layout_of(torch.tensor([[1, 1, 0, 0]]), packed=True), 1)
    torch.testing.assert_close(got[0], F.elu(psa.compare(torch.cat([torch.zeros(7), x[0] ** 2]))))


def test_phrases_do_not_see_each_other():
    psa, x, bits = PSAN(7).attention[0], torch.randn(5, 7), torch.tensor([[1, 0, 1, 0, 0]])
    changed = x.clone()
    changed[4] += 1
    before, after = (psa(words, layout_of(bits, packed=True), 1) for words in (x, changed))
    assert before[:2].equal(after[:2])
    assert not before[2:4].isclose(after[2:4]).all(1).any()


def test_carry_lets_the_old_memory_through():
    encoder = PSAN(7, carry=True)
    memory, m, c = encoder.memory[0], torch.randn(3, 7), torch.randn(3, 7)
    torch.nn.init.constant_(memory.gate.bias, -100)
    torch.testing.assert_close(memory(m, c)[0], m)
    memory.carry = False
    assert memory(m, c)[0].abs().max() < 1e-6


def test_maps_are_named_by_step_and_level():
    encoder, x = PSAN(7).eval(), torch.randn(5, 11, 7)
    maps = encoder.attend(x, MASK, structure())
    names = ["attention_0_level_3", "gate_0_level_3", "attention_1_level_2", "gate_1_level_2", "attention_2_level_1"]
    assert list(maps) == [*names, "gate_2_level_1", "source2token"]
    together = maps["attention_1_level_2"][0].sum(-1) > 0  # the phrases of 3, 6 and 2 words
    phrase = torch.tensor([0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2])
    assert together.equal((phrase[:, None] == phrase) & ~torch.eye(11, dtype=torch.bool))
    torch.testing.assert_close(maps["attention_1_level_2"][0].sum(1), torch.ones(11, 7))


def test_what_it_refuses():
    encoder, x = PSAN(7), torch.randn(1, 2, 7)
    with pytest.raises(ValueError, match="PSAN needs the phrases"):
        encoder(x, torch.ones(1, 2, dtype=torch.bool))
    with pytest.raises(ValueError, match="without phrases"):
        layout = Layout(torch.ones(1, 2, dtype=torch.bool), packed=True)
        encoder.encode(layout.rows(x), layout)
    for settings, message in (
        ({"divisions": []}, "at least one level"),
        ({"divisions": [-1]}, "none below 0"),
        ({"memory": "none", "carry": True}, "memory=gated"),
        ({"memory": "lost"}, "memory is .*; use one of"),
        ({"lone_word": "all"}, "lone_word is .*; use one of"),
        ({"dropout_at": "units"}, "dropout_at is .*; use one of"),
        ({"initialisation": "zero"}, "initialisation is .*; use one of"),
    ):
        with pytest.raises(ValueError, match=message):
            PSAN(7, **settings)


@pytest.mark.parametrize("place", ["dense", "words"])
def test_every_parameter_learns_and_dropout_acts_in_training_only(place):
    encoder, x, bits = PSAN(7, dropout=0.5, dropout_at=place), torch.randn(5, 11, 7), structure()
    assert not encoder(x, MASK, bits).equal(encoder(x, MASK, bits))
    encoder.eval()
    encoder(x, MASK, bits).square().sum().backward()
    untouched = [name for name, p in encoder.named_parameters() if not p.grad.abs().sum() > 0]
    assert set(untouched) <= {"pooling.score.bias"}  # the softmax cancels it

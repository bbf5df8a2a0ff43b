"""What the text of DiSAN leaves open, and the model without one of its parts: by hand, counted, drawn again."""

import pytest
import torch
from models.layouts import one_sentence

from attest.config.compose import compose
from attest.models.attention import attend_words
from attest.models.encoders import DiSAN, FastDiSAN
from attest.models.encoders.disa import DirectionalBlock
from attest.models.heads import PairClassifier
from attest.models.kernels.dropout import Dropout
from attest.models.kernels.gate import fuse
from attest.runs.identity import identifying_settings
from attest.training.optim.parameters import decayed_names

WORDS, FEATURES = 7, 5


@pytest.mark.parametrize(("fusion", "expected"), [("gate", [1.5, 4.5]), ("sum", [3.0, 9.0]), ("none", [0.0, 3.0])])
def test_fusion_by_hand(fusion, expected):
    # One feature, two words 1 and 2, W(h) = 3, all else 0: h = 3, 6 and s = 0, 3, and the gate is half open.
    block = DirectionalBlock(1, 1, "forward", activation="linear", fusion=fusion)
    for parameter in block.parameters():
        torch.nn.init.zeros_(parameter)
    torch.nn.init.constant_(block.hidden.weight, 3.0)
    x = torch.tensor([[1.0], [2.0]])
    assert block(x, one_sentence(x))[:, 0].tolist() == expected


def test_two_of_the_three_biases_of_the_gate_are_redundant():
    three, one = (DirectionalBlock(FEATURES, 3, "forward", gate_biases=biases) for biases in (3, 1))
    for parameter in (three.gate_hidden.bias, three.gate_attended.bias, three.gate_bias):
        torch.nn.init.normal_(parameter)
    state = three.state_dict()
    state["gate_bias"] = state["gate_bias"] + state.pop("gate_hidden.bias") + state.pop("gate_attended.bias")
    one.load_state_dict(state)
    x = torch.randn(WORDS, FEATURES)
    torch.testing.assert_close(one(x, one_sentence(x)), three(x, one_sentence(x)))


def test_scalar_scores_of_one_feature_are_feature_wise_scores():
    features, scalar = (DirectionalBlock(FEATURES, 1, "backward", scores=scores) for scores in ("features", "scalar"))
    scalar.load_state_dict({**features.state_dict(), "score": torch.ones(1)})
    x = torch.randn(WORDS, FEATURES)
    torch.testing.assert_close(scalar(x, one_sentence(x)), features(x, one_sentence(x)))


def test_scalar_scores_give_one_distribution_for_all_features():
    block, x = DirectionalBlock(FEATURES, 3, "forward", scores="scalar"), torch.randn(WORDS, FEATURES)
    assert block.maps(x, one_sentence(x))["attention"].shape == (1, WORDS, WORDS, 1)


@pytest.mark.parametrize(
    ("choice", "parameters"),
    [
        ({}, 2_345_403),
        ({"gate_biases": 1}, 2_345_403 - 2 * 2 * 300),  # 2.34m, where the paper prints 2.35m
        ({"scores": "scalar"}, 2_345_403 + 2 * 300),
        ({"fusion": "sum"}, 2_345_403 - 2 * (2 * 300 * 300 + 3 * 300)),
        ({"fusion": "none"}, 2_345_403 - 2 * (2 * 300 * 300 + 3 * 300)),
        ({"decay_scores": True}, 2_345_403),
        ({"dropout_at": "units"}, 2_345_403),
        ({"dropout_at": "words"}, 2_345_403),
    ],
)
def test_parameters(choice, parameters):
    with torch.device("meta"):
        parts = (DiSAN(300, 300, **choice), PairClassifier(600, 3))
    assert sum(p.numel() for part in parts for p in part.parameters()) == parameters


def test_the_penalty_may_fall_on_the_scores():
    scores = {f"blocks.{index}.{name}.weight" for index in (0, 1) for name in ("key", "query")}
    encoder = DiSAN(7, 5, decay_scores=True)
    assert decayed_names(encoder) - decayed_names(DiSAN(7, 5)) == scores
    assert decayed_names(encoder) == {name for name, p in encoder.named_parameters() if p.dim() == 2}


def test_dropout_on_words_falls_on_them_once_and_nowhere_else():
    encoder, x = DiSAN(FEATURES, 3, dropout=0.5, dropout_at="words"), torch.randn(WORDS, FEATURES)
    torch.manual_seed(2)
    got = encoder.encode(x, one_sentence(x))
    torch.manual_seed(2)
    dropped = Dropout(0.5)(x)
    torch.testing.assert_close(got, encoder.eval().encode(dropped, one_sentence(x)))


def test_dropout_on_units_reaches_what_is_attended_to_and_mixed():
    block, x = DirectionalBlock(FEATURES, 3, "none", unit_dropout=0.5), torch.randn(WORDS, FEATURES)
    drop = Dropout(0.5)
    torch.manual_seed(2)
    got = block(x, one_sentence(x))
    torch.manual_seed(2)
    h = drop(torch.nn.functional.elu(block.hidden(x)))
    s = drop(attend_words(block.key(h), block.query(h), h, one_sentence(x), direction="none"))
    torch.testing.assert_close(got, fuse(block.gate_hidden(h), block.gate_attended(s), block.gate_bias, h, s))


@pytest.mark.parametrize(
    ("place", "draws"),
    [
        ("dense", 4 + 2),  # x, h for the scores, h and s for the gate; the two layers of source2token
        ("units", 4),  # x, h, s and u
        ("words", 1),  # x
    ],
)
def test_how_often_dropout_is_drawn_with_one_block(place, draws, monkeypatch):
    drawn = []
    monkeypatch.setattr(Dropout, "forward", lambda self, x: drawn.append(self.p) or x)
    encoder, x = DiSAN(FEATURES, 3, directions=("none",), dropout=0.5, dropout_at=place), torch.randn(WORDS, FEATURES)
    encoder.encode(x, one_sentence(x))
    assert sum(p > 0 for p in drawn) == draws


def test_absolute_difference_by_hand():
    head = PairClassifier(1, 1, hidden_size=1, activation="linear", difference="absolute")
    for layer in (head.hidden, head.output):
        torch.nn.init.ones_(layer.weight)
    # 2 + 3 + |2 - 3| + 2 * 3 = 12.
    assert head(torch.tensor([[2.0]]), torch.tensor([[3.0]])).tolist() == [[12.0]]


@pytest.mark.parametrize(
    "setting",
    [{"fusion": "add"}, {"gate_biases": 2}, {"scores": "vector"}, {"dropout_at": "all"}],
)
def test_unknown_choices_are_refused(setting):
    (name,) = setting
    with pytest.raises(ValueError, match=f"{name} is .*; use one of"):
        DiSAN(FEATURES, 3, **setting)


def test_other_refusals():
    with pytest.raises(ValueError, match="difference is .squared.; use one of signed, absolute"):
        PairClassifier(1, 1, difference="squared")
    with pytest.raises(ValueError, match="gate_biases: fusion=none has no gate"):
        DiSAN(FEATURES, 3, fusion="none", gate_biases=1)


@pytest.mark.parametrize(
    "choice",
    [
        "model.fusion=sum",
        "model.fusion=none",
        "model.gate_biases=1",
        "model.scores=scalar",
        "model.decay_scores=true",
        "model.dropout_at=units",
        "model.dropout_at=words",
        "head.difference=absolute",
    ],
)
def test_a_choice_alone_enters_the_identity_of_a_run(choice):
    plain, changed = identifying_settings(compose([])), identifying_settings(compose([choice]))
    name, _, _ = choice.partition("=")
    assert changed == {**plain, name: changed[name]}
    assert name not in plain


@pytest.mark.parametrize("encoder", [DiSAN, FastDiSAN])
def test_an_unknown_direction_is_refused(encoder):
    with pytest.raises(ValueError, match=r"directions\[0\] is .foward.; use one of forward, backward, diagonal, none"):
        encoder(7, 3, directions=("foward",))


def test_an_unknown_direction_is_refused_by_every_back_end():
    """The kernels took it for none."""
    with pytest.raises(ValueError, match="direction is 'foward'"):
        one_sentence(torch.randn(WORDS, FEATURES)).key_range("foward")

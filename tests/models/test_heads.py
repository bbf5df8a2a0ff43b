import pytest
import torch
from models.doubled_dropout import double_dropout

from attest.models.encoders import Additive, BiLSTM, DiSAN, MultiHead, SourceToToken
from attest.models.heads import Aggregation, PairClassifier, RelatednessScorer, SentenceClassifier


def test_features_by_hand():
    # Width 1, one hidden unit that sums [p; h; p - h; p h], one output that passes it on.
    head = PairClassifier(1, 1, hidden_size=1, activation="linear")
    for layer in (head.hidden, head.output):
        torch.nn.init.ones_(layer.weight)
    # 2 + 3 + (2 - 3) + 2 * 3 = 10: the difference is signed.
    assert head(torch.tensor([[2.0]]), torch.tensor([[3.0]])).tolist() == [[10.0]]


def test_a_second_hidden_layer_by_hand():
    # 10 after the first layer, as above; doubled by the second, and passed on.
    head = PairClassifier(1, 1, hidden_size=1, activation="linear", hidden_layers=2)
    for layer in (head.hidden, head.output):
        torch.nn.init.ones_(layer.weight)
    torch.nn.init.constant_(head.deeper[0].weight, 2.0)
    assert head(torch.tensor([[2.0]]), torch.tensor([[3.0]])).tolist() == [[20.0]]
    with pytest.raises(ValueError, match="hidden_layers is 3; use one of 1, 2"):
        PairClassifier(1, 1, hidden_layers=3)


def test_layers_begin_as_torchs_where_it_is_asked_for():
    torch.manual_seed(0)
    head = PairClassifier(100, 3, hidden_size=50, initialisation="torch")
    bound = 400**-0.5  # uniform in plus or minus 1 / sqrt(inputs), biases too
    assert 0.95 * bound < head.hidden.weight.abs().max() <= bound
    assert 0 < head.hidden.bias.abs().max() <= bound


@pytest.mark.parametrize(
    ("encoder", "parameters"),
    [
        (lambda: Additive(300), 451_803),
        (lambda: SourceToToken(300), 541_803),
        (lambda: MultiHead(300), 1_982_403),
        (lambda: BiLSTM(300), 2_884_803),
        (lambda: DiSAN(300, directions=("diagonal", "diagonal")), 2_345_403),
        (lambda: DiSAN(input_size=300, hidden_size=300), 2_345_403),
    ],
)
def test_parameters_of_table_1(encoder, parameters):
    built = encoder()
    parts = (built, PairClassifier(built.width, 3))
    assert sum(p.numel() for part in parts for p in part.parameters() if p.requires_grad) == parameters


def test_a_sentence_classifier_by_hand():
    # Width 2, one hidden unit that sums, two outputs that pass it on once and twice; no output bias.
    head = SentenceClassifier(2, 2, hidden_size=1, activation="linear")
    torch.nn.init.ones_(head.hidden.weight)
    head.output.weight.data = torch.tensor([[1.0], [2.0]])
    assert head(torch.tensor([[2.0, 3.0]])).tolist() == [[5.0, 10.0]]
    assert head.output.bias is None


def test_a_relatedness_scorer_by_hand():
    # p h = -6 and |p - h| = 5, each summed into the one hidden unit: ReLU(-1) is 0, with a bias of 3 it is 2.
    head = RelatednessScorer(1, 2, hidden_size=1)
    for layer in (head.product, head.difference, head.output):
        torch.nn.init.ones_(layer.weight)
    pair = torch.tensor([[2.0]]), torch.tensor([[-3.0]])
    assert head(*pair).tolist() == [[0.0, 0.0]]
    torch.nn.init.constant_(head.difference.bias, 3.0)
    assert head(*pair).tolist() == [[2.0, 2.0]]
    assert head(*reversed(pair)).equal(head(*pair))


def test_dropout_of_a_relatedness_scorer_falls_on_the_input_of_every_layer(monkeypatch):
    double_dropout(monkeypatch)
    head, a, b = RelatednessScorer(3, 5, hidden_size=4, dropout=0.5), torch.randn(6, 3), torch.randn(6, 3)
    torch.nn.init.ones_(head.output.bias)
    hidden = (2 * (head.product(a * b) + head.difference((a - b).abs()))).relu()
    torch.testing.assert_close(head(a, b), 2 * hidden @ head.output.weight.T + 1)


@pytest.mark.parametrize("hidden_layers", [1, 2])
def test_dropout_of_a_classifier_falls_on_the_input_of_every_layer(hidden_layers, monkeypatch):
    double_dropout(monkeypatch)
    head = PairClassifier(3, 5, hidden_size=4, activation="relu", hidden_layers=hidden_layers, dropout=0.5)
    torch.nn.init.ones_(head.output.bias)
    p, h = torch.randn(6, 3), torch.randn(6, 3)
    hidden = head.hidden(2 * torch.cat([p, h, p - h, p * h], dim=1)).relu()
    for layer in head.deeper:
        hidden = layer(2 * hidden).relu()
    torch.testing.assert_close(head(p, h), 2 * hidden @ head.output.weight.T + 1)


def test_dropout_of_an_aggregation_falls_on_the_input_of_both_layers_of_its_network(monkeypatch):
    double_dropout(monkeypatch)
    head, first, second = (
        Aggregation(3, 5, hidden_size=4, initial=0.8, dropout=0.5),
        torch.randn(6, 3),
        torch.randn(6, 3),
    )
    network = head.aggregate
    hidden = network.hidden(2 * torch.cat([first, second], dim=1)).relu()
    torch.testing.assert_close(head(first, second), head.output(network.output(2 * hidden).relu()))

"""Weights by the names of public codes: what those codes compute from them, and the way back.

The functions below compute what the codes compute, in numpy, from weights by their names alone. Their results are
compared with outputs of the codes themselves (oracles) or, for the two PyTorch codes, with our encoders.
"""

import numpy as np
import pytest
import torch
from places import ORACLES
from torch import nn

from attest.errors import DataError, SettingsError
from attest.inference.authors.file import read_named_tensors
from attest.inference.authors.names import CODES, authors_tensors, match_weights, sizes_hint
from attest.models.encoders import DiSAN, FastDiSAN, SourceToToken, StructuredSelfAttention
from attest.models.heads import Aggregation, PairClassifier, SentenceClassifier
from attest.models.matchers import DAM
from attest.models.word_vectors import WordVectors

WORDS = ["", "", "a", "dog", "runs"]


class Model(nn.Module):
    """What the map needs of a task: word vectors, encoder and head."""

    def __init__(self, encoder, head):
        super().__init__()
        self.words = WordVectors(torch.randn(len(WORDS), 5), 0, trainable=False, unknown_range=0.1, sparse=False)
        self.encoder, self.head = encoder, head


def elu(x):
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def source2token(w, scope, kernel, bias, u_TD):
    """multi_dimensional_attention of both files."""
    hidden = elu(u_TD @ w[f"{scope}/bn_dense_map1/{kernel}"] + w[f"{scope}/bn_dense_map1/{bias}"])
    scores = hidden @ w[f"{scope}/bn_dense_map2/{kernel}"] + w[f"{scope}/bn_dense_map2/{bias}"]
    return (softmax(scores, 0) * u_TD).sum(0)


def earlier(T, direction):
    """Which key (second axis) each query may attend to: forward, those before it."""
    query, key = np.arange(T)[:, None], np.arange(T)[None]
    return query > key if direction == "fw" else query < key


def disan_of_authors(w, x_TE):
    """SNLI_disan/src/nn_utils/disan.py for one sentence."""
    blocks = []
    for direction in ("fw", "bw"):
        scope = f"ct_attn/dir_attn_{direction}"
        h = elu(x_TE @ w[f"{scope}/bn_dense_map/linear_map/W"] + w[f"{scope}/bn_dense_map/linear_map/bias"])
        dependent, head = (h @ w[f"{scope}/attention/linear_{name}/W"] for name in ("dependent", "head"))
        logits = 5 * np.tanh((dependent[None] + head[:, None] + w[f"{scope}/attention/f_bias"]) / 5)
        allowed = earlier(len(x_TE), direction)[..., None]
        attended = (softmax(np.where(allowed, logits, -1e30), 1) * allowed * h[None]).sum(1)
        gate = sigmoid(
            h @ w[f"{scope}/output/linear_fusion_i/W"] + w[f"{scope}/output/linear_fusion_i/bias"]
            + attended @ w[f"{scope}/output/linear_fusion_a/W"] + w[f"{scope}/output/linear_fusion_a/bias"]
            + w[f"{scope}/output/o_bias"]
        )  # fmt: skip
        blocks.append(gate * h + (1 - gate) * attended)
    attention = "sent_enc_attn/multi_dimensional_attention"
    return source2token(w, attention, "linear_map/W", "linear_map/bias", np.concatenate(blocks, -1))


def fast_disan_of_authors(w, x_TE, pair_weight):
    """Fast-DiSA/fast_disa.py with two heads, accelerate=False and merge_var=False, for one sentence."""
    heads = []
    for i, direction in enumerate(("fw", "bw")):
        v = elu(x_TE @ w[f"v_transform/W_{i}_0"] + w[f"v_transform/bias_{i}_0"])
        q, k = (v @ w[f"{name}_transform/W_{i}_0"] for name in "qk")
        scope = "s2t_multi_dim_attention"
        hidden = elu(v @ w[f"{scope}/tensor4multi/W_{i}_0"] + w[f"{scope}/tensor4multi/bias_{i}_0"])
        e_words = np.exp(hidden @ w[f"{scope}/multi_logits/W_{i}_0"] + w[f"{scope}/multi_logits/bias_{i}_0"])
        dots = q @ k.T / q.shape[-1] ** 0.5
        e_pairs = (sigmoid(dots) if pair_weight == "sigmoid" else np.exp(dots)) * earlier(len(x_TE), direction)
        sums = e_pairs @ e_words
        attended = e_pairs @ (e_words * v) / np.where(sums > 0, sums, 1)
        scope = "context_fusion_gate/linear_fusion_gate"
        gate = sigmoid(np.concatenate([v, attended], -1) @ w[f"{scope}/W_{i}_0"] + w[f"{scope}/bias_{i}_0"])
        heads.append(gate * v + (1 - gate) * attended)
    return source2token(w, "multi_dimensional_attention", "W_0", "bias", np.concatenate(heads, -1))


def structured_of_public_code(w, x_TE):
    """models.py of ExplorerFreda for one sentence."""
    lstm = nn.LSTM(5, 4, bidirectional=True)
    prefix = "bilstm.bilstm."
    lstm.load_state_dict({k.removeprefix(prefix): v for k, v in w.items() if k.startswith(prefix)})
    outp = lstm(x_TE[:, None])[0][:, 0]
    alphas = torch.softmax(torch.tanh(outp @ w["ws1.weight"].T) @ w["ws2.weight"].T, 0)
    vector = (alphas.T @ outp).flatten()
    return vector, torch.tanh(vector @ w["fc.weight"].T + w["fc.bias"]) @ w["pred.weight"].T + w["pred.bias"]


def dam_of_public_code(w, first, second):
    """models/baseline_snli.py of libowen2121 for one pair."""

    def mlp(name, x):
        for layer in ("1", "4"):
            x = (x @ w[f"{name}.{layer}.weight"].T + w[f"{name}.{layer}.bias"]).relu()
        return x

    a, b = (x @ w["input_linear.weight"].T for x in (first, second))
    scores = mlp("mlp_f", a) @ mlp("mlp_f", b).T
    vectors = [
        mlp("mlp_g", torch.cat([one, weights.softmax(1) @ other], 1)).sum(0)
        for one, other, weights in ((a, b, scores), (b, a, scores.T))
    ]
    return mlp("mlp_h", torch.cat(vectors)) @ w["final_linear.weight"].T + w["final_linear.bias"]


def oracle(file, case):
    with np.load(ORACLES / file) as arrays:
        prefix = f"{case}/state/"
        state = {name.removeprefix(prefix): torch.from_numpy(arrays[name]) for name in arrays if prefix in name}
        sentences = [x[real] for x, real in zip(arrays["x"], arrays["mask"], strict=True)]
        return state, sentences, arrays[f"{case}/output"]


@pytest.mark.parametrize(
    ("file", "case", "make", "compute"),
    [
        ("disan_authors.npz", "disan", lambda: DiSAN(5, 5), disan_of_authors),
        ("fast_disan_authors.npz", "sigmoid", lambda: FastDiSAN(5, 3),
         lambda w, x: fast_disan_of_authors(w, x, "sigmoid")),
        ("fast_disan_authors.npz", "exp", lambda: FastDiSAN(5, 3, pair_weight="exp"),
         lambda w, x: fast_disan_of_authors(w, x, "exp")),
    ],
)  # fmt: skip
def test_the_authors_names_give_the_authors_outputs(file, case, make, compute):
    state, sentences, expected = oracle(file, case)
    model = Model(make(), PairClassifier(make().width, 3))
    model.encoder.load_state_dict(state)
    named = {name: tensor.numpy() for name, tensor in authors_tensors(model, WORDS).items()}
    np.testing.assert_allclose([compute(named, x) for x in sentences], expected, rtol=0, atol=1e-6)


def test_the_names_of_ssa_give_the_outputs_of_the_public_code():
    head = SentenceClassifier(3 * 8, 4, hidden_size=6, activation="tanh", bias=True)
    model = Model(StructuredSelfAttention(5, 4, attention_size=7, hops=3), head).eval()
    named = authors_tensors(model, WORDS)
    x = torch.randn(6, 5)
    vector, logits = structured_of_public_code(named, x)
    with torch.no_grad():
        ours = model.encoder(x[None], torch.ones(1, 6, dtype=torch.bool))
        torch.testing.assert_close(ours[0], vector, rtol=0, atol=1e-6)
        torch.testing.assert_close(model.head(ours)[0], logits, rtol=0, atol=1e-6)


def test_the_names_of_dam_give_the_outputs_of_the_public_code():
    model = Model(DAM(5, 4, compared="projected", initial=0.5), Aggregation(4, 3, hidden_size=4, initial=0.5)).eval()
    first, second = torch.randn(6, 5), torch.randn(3, 5)
    masks = torch.ones(1, 6, dtype=torch.bool), torch.ones(1, 3, dtype=torch.bool)
    with torch.no_grad():
        ours = model.head(*model.encoder.match(first[None], masks[0], second[None], masks[1]))[0]
    torch.testing.assert_close(
        ours, dam_of_public_code(authors_tensors(model, WORDS), first, second), rtol=0, atol=1e-6
    )


MODELS = {
    "disan": lambda: Model(DiSAN(5, 5), PairClassifier(10, 3)),
    "disan of sentences": lambda: Model(DiSAN(5, 5), SentenceClassifier(10, 3)),
    "fast_disan": lambda: Model(FastDiSAN(5, 3), PairClassifier(6, 3)),
    "structured": lambda: Model(StructuredSelfAttention(5, 4, hops=3), SentenceClassifier(24, 3, bias=True)),
    "dam": lambda: Model(DAM(5, 4, compared="projected"), Aggregation(4, 3)),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_way_there_and_back_keeps_every_weight(name, tmp_path):
    model = MODELS[name]()
    named = {f"scope/of/{key}" if "/" in key else key: value for key, value in authors_tensors(model, WORDS).items()}
    first = next(iter(named))
    rest = {
        f"{first}/Adadelta": named[first],
        "global_step": torch.tensor(3),
        f"{first}/ExponentialMovingAverage:0": named[first],
    }
    matched = match_weights(tmp_path, {**named, **rest}, MODELS[name]())
    expected = {k: v for k, v in model.state_dict().items() if not k.startswith("words.")}
    if not matched.has_head:
        expected = {k: v for k, v in expected.items() if not k.startswith("head.")}
    assert matched.has_head == (name != "fast_disan")
    assert matched.tensors.keys() == expected.keys()
    for key, tensor in expected.items():
        torch.testing.assert_close(matched.tensors[key], tensor, rtol=0, atol=0, msg=key)
    if name != "fast_disan":
        torch.testing.assert_close(matched.embedding_VE, model.words.fixed[2:], rtol=0, atol=0)


def test_every_code_is_tested():
    assert {type(make().encoder) for make in MODELS.values()} == {code.encoder for code in CODES}


def test_what_does_not_fit_is_named(tmp_path):
    path, model = tmp_path / "w.npz", MODELS["disan"]()
    named = authors_tensors(model, WORDS)
    gate = "ct_attn/dir_attn_fw/output/o_bias"
    for changed, message in [
        (
            {k: v for k, v in named.items() if k != gate},
            f"w.npz: lacks {gate}, the weight encoder.blocks.0.gate_bias by the names of",
        ),
        (
            {**named, gate: torch.zeros(6)},
            rf"{gate} has the shape \(6,\) where these settings need \(5,\) for encoder.blocks",
        ),
        ({**named, gate: torch.full((5,), torch.nan)}, "holds values that are not finite floating-point numbers"),
        ({**named, gate: torch.zeros(5, dtype=torch.int32)}, "holds values that are not finite floating-point numbers"),
        (
            {**named, "a/b": torch.zeros(1)},
            "w.npz: a/b is not a name of the authors' code of DiSAN for this model; remove it",
        ),
        ({**named, f"twice/{gate}": named[gate]}, f"both end in {gate}; keep the weights of one model"),
        ({k: v for k, v in named.items() if k != "output/logits/bias"}, "w.npz: lacks output/logits/bias"),
    ]:
        with pytest.raises(DataError, match=message):
            match_weights(path, changed, model)
    for encoder, message in [
        (
            SourceToToken(5),
            "model: SourceToToken has no public code whose names are known; choose one of DiSAN, FastDiSAN",
        ),
        (
            DiSAN(5, 5, directions=("diagonal", "diagonal")),
            "model.directions: the authors' code of DiSAN has a forward",
        ),
        (FastDiSAN(5, 3, directions=("backward", "forward")), "model.directions: in the authors' code of Fast-DiSA"),
        (DiSAN(5, 5, gate_biases=1), "model: the authors' code of DiSAN has blocks.0.gate_attended.bias besides"),
        (StructuredSelfAttention(5, 4, biases=True), "model: the public code of SSA has no hidden.bias"),
    ]:
        with pytest.raises(SettingsError, match=message):
            match_weights(path, named, Model(encoder, PairClassifier(10, 3)))


def test_arrays_of_any_byte_order_are_read_and_texts_refused(tmp_path):
    np.savez(tmp_path / "w.npz", a=np.arange(3, dtype=">f4"))
    assert read_named_tensors(tmp_path / "w.npz")["a"].tolist() == [0.0, 1.0, 2.0]
    np.savez(tmp_path / "w.npz", a=np.array(["text"]))
    with pytest.raises(SettingsError, match=r"w.npz: a holds <U4, not numbers that torch has; leave it out"):
        read_named_tensors(tmp_path / "w.npz")


@pytest.mark.parametrize(
    ("theirs", "ours", "hint"),
    [
        ((24, 24), (300, 300), ", such as hidden_size=24 vectors.size=24"),
        ((24, 50), (24, 300), ", such as hidden_size=50"),
        ((24, 24), (600, 24), ""),
        ((300,), (300, 300), ""),
    ],
)
def test_the_sizes_to_type_are_those_of_the_file(theirs, ours, hint):
    assert sizes_hint(theirs, ours, {"hidden_size": 300, "vectors.size": 300}) == hint

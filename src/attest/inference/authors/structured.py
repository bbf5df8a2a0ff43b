"""Names of a public PyTorch code of SSA, github.com/ExplorerFreda/Structured-Self-Attentive-Sentence-Embedding.

Its layers of attention have no biases, its classifier has tanh. It runs the backward LSTM over padding too, so its
vectors equal ours for batches of sentences of one length.
"""

from collections.abc import Sequence

from torch import nn

from attest.inference.authors.code import AuthorsCode, WeightNames, linear_weights
from attest.models.encoders import StructuredSelfAttention
from attest.models.encoders.recurrent import LSTM_PARAMETERS
from attest.models.heads import SentenceClassifier


def encoder_weights(encoder: nn.Module) -> Sequence[WeightNames]:
    """Return the weights of both LSTMs, which are one module in that code, and of the attention."""
    lstms = [
        WeightNames(f"{direction}_lstm.{name}", f"bilstm.bilstm.{name}{suffix}")
        for direction, suffix in (("forward", ""), ("backward", "_reverse"))
        for name in LSTM_PARAMETERS
    ]
    attention = [("hidden", "ws1"), ("score", "ws2")]
    return [*lstms, *(weight for ours, theirs in attention for weight in linear_weights(ours, theirs, bias=False))]


def head_weights(head: nn.Module) -> Sequence[WeightNames]:
    """Return the weights of the classifier of a sentence."""
    if not isinstance(head, SentenceClassifier):
        return ()
    return [*linear_weights("hidden", "fc"), *linear_weights("output", "pred")]


CODE = AuthorsCode(
    "the public code of SSA",
    "https://github.com/ExplorerFreda/Structured-Self-Attentive-Sentence-Embedding",
    StructuredSelfAttention,
    encoder_weights,
    head_weights,
    "bilstm.encoder.weight",
)

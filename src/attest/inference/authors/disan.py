"""Names of the DiSAN authors' TensorFlow code, github.com/taoshen58/DiSAN: SNLI_disan and SST_disan.

Their SNLI code has ELU everywhere, their SST code ReLU. Row 0 of `emb_mat` is the word after their two reserved ones.
"""

from collections.abc import Sequence

from torch import nn

from attest.errors import SettingsError
from attest.inference.authors.code import AuthorsCode, WeightNames, dense_weights
from attest.models.encoders import DiSAN
from attest.models.encoders.blocks import ParallelBlocks
from attest.models.heads import PairClassifier, SentenceClassifier

SCOPES = {"forward": "dir_attn_fw", "backward": "dir_attn_bw"}
"""The direction of a block -> its scope."""


def encoder_weights(encoder: nn.Module) -> Sequence[WeightNames]:
    """Return the weights of both blocks and of the source2token attention."""
    assert isinstance(encoder, DiSAN)
    directions = directions_of(encoder)
    if directions != list(SCOPES):
        raise SettingsError(
            f"model.directions: the authors' code of DiSAN has a forward and a backward block, not {directions}; "
            "use mask=forward_backward"
        )
    blocks = [weight for i, scope in enumerate(SCOPES.values()) for weight in block_weights(f"blocks.{i}", scope)]
    return [*blocks, *pooling_weights("sent_enc_attn/multi_dimensional_attention", "linear_map/W", "linear_map/bias")]


def directions_of(encoder: ParallelBlocks) -> list[str]:
    """Return the direction of each block of an encoder."""
    return [str(block.direction) for block in encoder.blocks]


def block_weights(ours: str, scope: str) -> list[WeightNames]:
    """Return the weights of one block; `scope` is its scope within ct_attn."""
    theirs = f"ct_attn/{scope}"
    return [
        *dense_weights(f"{ours}.hidden", f"{theirs}/bn_dense_map/linear_map"),
        *dense_weights(f"{ours}.key", f"{theirs}/attention/linear_dependent", bias=None),
        *dense_weights(f"{ours}.query", f"{theirs}/attention/linear_head", bias=None),
        WeightNames(f"{ours}.query.bias", f"{theirs}/attention/f_bias"),
        *dense_weights(f"{ours}.gate_hidden", f"{theirs}/output/linear_fusion_i"),
        *dense_weights(f"{ours}.gate_attended", f"{theirs}/output/linear_fusion_a"),
        WeightNames(f"{ours}.gate_bias", f"{theirs}/output/o_bias"),
    ]


def pooling_weights(scope: str, kernel: str, bias: str) -> list[WeightNames]:
    """Return the weights of the source2token attention, whose layers are bn_dense_map1 and bn_dense_map2."""
    layers = {"pooling.hidden": "bn_dense_map1", "pooling.score": "bn_dense_map2"}
    return [w for ours, layer in layers.items() for w in dense_weights(ours, f"{scope}/{layer}", kernel, bias)]


def head_weights(head: nn.Module) -> Sequence[WeightNames]:
    """Return the weights of the classifier of pairs (SNLI_disan) or of sentences (SST_disan)."""
    if isinstance(head, PairClassifier):
        return [*dense_weights("hidden", "output/pre_output"), *dense_weights("output", "output/logits")]
    if isinstance(head, SentenceClassifier):
        layer = dense_weights("hidden", "output/pre_logits_linear")
        return [*layer, *dense_weights("output", "output/get_output", bias=None)]
    return ()


CODE = AuthorsCode(
    "the authors' code of DiSAN",
    "https://github.com/taoshen58/DiSAN",
    DiSAN,
    encoder_weights,
    head_weights,
    "gene_token_emb_mat/emb_mat",
)

"""Names of a public PyTorch code of DAM, github.com/libowen2121/SNLI-decomposable-attention.

It saves two files, `..._input-encoder.pt` and `..._inter-atten.pt`, whose names do not overlap. It compares the
projected words, as `model=dam_bow` does.
"""

from collections.abc import Sequence

from torch import nn

from attest.inference.authors.code import AuthorsCode, WeightNames, linear_weights
from attest.models.heads import Aggregation
from attest.models.matchers import DAM


def network_weights(ours: str, theirs: str) -> list[WeightNames]:
    """Return the weights of a feed-forward network, whose linear layers are the items 1 and 4 of a Sequential."""
    return [*linear_weights(f"{ours}.hidden", f"{theirs}.1"), *linear_weights(f"{ours}.output", f"{theirs}.4")]


def encoder_weights(encoder: nn.Module) -> Sequence[WeightNames]:
    """Return the weights of the projection, of F and of G."""
    networks = [*network_weights("transform", "mlp_f"), *network_weights("compare", "mlp_g")]
    return [WeightNames("projection.weight", "input_linear.weight"), *networks]


def head_weights(head: nn.Module) -> Sequence[WeightNames]:
    """Return the weights of H and of the output layer."""
    if not isinstance(head, Aggregation):
        return ()
    return [*network_weights("aggregate", "mlp_h"), *linear_weights("output", "final_linear")]


CODE = AuthorsCode(
    "the public code of DAM",
    "https://github.com/libowen2121/SNLI-decomposable-attention",
    DAM,
    encoder_weights,
    head_weights,
    "embedding.weight",
)

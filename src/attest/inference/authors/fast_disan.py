"""Names of the authors' TensorFlow code of Fast-DiSA, github.com/taoshen58/DiSAN: Fast-DiSA/fast_disa.py.

The encoder is `fast_directional_self_attention` with accelerate=False and merge_var=False, then
`multi_dimensional_attention` of the same file. That file has no classifier.
"""

from collections.abc import Sequence

from torch import nn

from attest.errors import SettingsError
from attest.inference.authors.code import AuthorsCode, WeightNames
from attest.inference.authors.disan import directions_of, pooling_weights
from attest.models.encoders import FastDiSAN

LAYERS = {
    "value": ("v_transform", True),
    "query": ("q_transform", False),
    "key": ("k_transform", False),
    "hidden": ("s2t_multi_dim_attention/tensor4multi", True),
    "score": ("s2t_multi_dim_attention/multi_logits", True),
    "gate": ("context_fusion_gate/linear_fusion_gate", True),
}
"""Layer of a head -> its scope, and whether it has biases."""


def encoder_weights(encoder: nn.Module) -> Sequence[WeightNames]:
    """Return the weights of all heads and of the source2token attention."""
    assert isinstance(encoder, FastDiSAN)
    directions = directions_of(encoder)
    if directions != sorted(directions, reverse=True) or directions.count("forward") * 2 != len(directions):
        raise SettingsError(
            "model.directions: in the authors' code of Fast-DiSA the first half of the heads is forward and the second "
            f"half backward, not {directions}; use mask=forward_backward"
        )
    heads = [weight for i in range(len(directions)) for weight in attention_head_weights(i)]
    return [*heads, *pooling_weights("multi_dimensional_attention", "W_0", "bias")]


def attention_head_weights(number: int) -> list[WeightNames]:
    """Return the weights of a head by its number."""
    weights = []
    for layer, (scope, has_biases) in LAYERS.items():
        weights.append(WeightNames(f"blocks.{number}.{layer}.weight", f"{scope}/W_{number}_0", "kernel"))
        if has_biases:
            weights.append(WeightNames(f"blocks.{number}.{layer}.bias", f"{scope}/bias_{number}_0", "row"))
    return weights


CODE = AuthorsCode(
    "the authors' code of Fast-DiSA",
    "https://github.com/taoshen58/DiSAN",
    FastDiSAN,
    encoder_weights,
    lambda head: (),
)

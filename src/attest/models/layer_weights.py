"""The weights of a layer whose own `forward` is not called because a kernel computes in its place."""

from collections.abc import Sequence

from torch import Tensor, nn


def layer_weights(layer: nn.Module, names: Sequence[str]) -> list[Tensor]:
    """Return the tensors of these names that the layer would compute with.

    They need not be parameters: `torch.func.functional_call` puts other tensors in their place, and pruning computes
    them in a hook that runs before `forward`, which is therefore called here.
    """
    parameters = dict(layer.named_parameters(recurse=False))
    if not all(name in parameters for name in names):
        for hook in layer._forward_pre_hooks.values():
            hook(layer, ())
    return [getattr(layer, name) for name in names]

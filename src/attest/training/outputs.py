"""Compute the outputs of a trained module for whole splits.

Legend: N examples of the split, O outputs.
"""

from collections.abc import Callable, Mapping

import numpy as np
import torch
from torch import Tensor, nn

from attest.data.batches.batch import Batch
from attest.data.batches.evaluation import EvaluationBatches
from attest.data.splits.split import Split
from attest.models.modes import evaluating
from attest.system.devices import NumberFormat, computed_in


def outputs_of_splits(
    module: nn.Module,
    splits: Mapping[str, Split],
    batch_size: int,
    known: Mapping[str, Tensor] | None = None,
    number_format: NumberFormat = "fp32",
) -> dict[str, Tensor]:
    """Return the outputs (N, O) of the module for each split, by the split's name.

    `known` holds outputs that were computed before, which are returned as they are. If two names stand for one split,
    as with a test set that serves as dev set, its outputs are computed once.
    """
    outputs = {id(splits[name]): output for name, output in (known or {}).items()}
    for split in splits.values():
        if id(split) not in outputs:
            outputs[id(split)] = outputs_of_split(module, split, batch_size, number_format=number_format)
    return {name: outputs[id(split)] for name, split in splits.items()}


@torch.inference_mode()
def outputs_of_split(
    module: nn.Module,
    split: Split,
    batch_size: int,
    function: Callable[[Batch], Tensor] | None = None,
    number_format: NumberFormat = "fp32",
) -> Tensor:
    """Return the outputs (N, O) of the module for the examples of a split, in their order and without dropout.

    If `function` is given, it is called for each batch in place of the module. In bf16, products of matrices are
    computed in bf16, and the outputs are in fp32. Identical examples are computed once,
    which saves three quarters of the work on SST's phrases with the copies that DiSAN's authors add.
    """
    device = next(module.parameters()).device
    first_M, like_N = split.distinct_examples
    batches = EvaluationBatches(split.select(first_M), batch_size, device)
    outputs_MO, done = torch.empty(0), 0  # in the order of the batches
    with evaluating(module), computed_in(number_format, device.type):
        for batch in batches:
            output = (function or module)(batch).float()
            if not done:  # allocated once: many small tensors that stay would fragment the memory
                outputs_MO = output.new_empty(len(first_M), *output.shape[1:])
            outputs_MO[done : done + len(output)] = output
            done += len(output)
    return outputs_MO.cpu()[torch.from_numpy(np.argsort(batches.order_N)[like_N])]

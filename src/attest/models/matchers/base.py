"""What every matcher promises: it is an encoder whose sentences come in pairs.

Legend: B pairs, T time, D features, W width of a sentence vector.
"""

from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor

from attest.models.encoders.base import Encoder


class Matcher(Encoder):
    """Two sentences that see each other, to a vector for each.

    The sentences of a layout are first all first sentences, then, in the same order, all second ones, and so are the
    vectors: what an encoder makes of a pair, a head takes from a matcher too.
    """

    pairs: ClassVar[bool] = True

    def match(
        self, first_BTD: Tensor, first_mask_BT: Tensor, second_BTD: Tensor, second_mask_BT: Tensor
    ) -> tuple[Tensor, Tensor]:
        """(B, W) for each side; the sides may differ in T."""
        time = max(first_mask_BT.shape[1], second_mask_BT.shape[1])
        x = torch.cat([F.pad(x_BTD, (0, 0, 0, time - x_BTD.shape[1])) for x_BTD in (first_BTD, second_BTD)])
        mask = torch.cat([F.pad(mask, (0, time - mask.shape[1])) for mask in (first_mask_BT, second_mask_BT)])
        first_BW, second_BW = self(x, mask).chunk(2)
        return first_BW, second_BW

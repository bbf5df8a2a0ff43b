"""The interface of every matcher, an encoder whose sentences come in pairs.

Legend: B pairs, T time, D features, W width of a sentence vector.
"""

from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor

from attest.models.attention import Layout
from attest.models.encoders.base import Encoder


class Matcher(Encoder):
    """The base class of matchers, which map two sentences that attend to each other to one vector each.

    In a layout all first sentences of pairs come first, then all second ones in the same order, and so do the vectors.
    A head therefore takes the output of a matcher like that of an encoder.
    """

    pairs: ClassVar[bool] = True

    def layout(self, mask: Tensor, phrases: Tensor | None) -> Layout:
        if len(mask) % 2:
            raise ValueError(
                f"the mask has {len(mask)} sentences; {type(self).__name__} takes pairs, all first sentences first"
            )
        return super().layout(mask, phrases)

    def match(
        self, first_BTD: Tensor, first_mask_BT: Tensor, second_BTD: Tensor, second_mask_BT: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the vectors (B, W) of the first and of the second sentences, whose T may differ.

        Raise ValueError if there are not equally many of both, or if a mask has another shape than its word vectors.
        """
        sides = [(tuple(x.shape[:2]), tuple(mask.shape)) for x, mask in
                 ((first_BTD, first_mask_BT), (second_BTD, second_mask_BT))]  # fmt: skip
        if any(x != mask or len(mask) != 2 for x, mask in sides) or len(first_mask_BT) != len(second_mask_BT):
            raise ValueError(
                f"x and mask are {sides[0][0]} and {sides[0][1]} of the first sentences, {sides[1][0]} and "
                f"{sides[1][1]} of the second; use (batch, time) of a side for both, and one batch"
            )
        time = max(first_mask_BT.shape[1], second_mask_BT.shape[1])
        x = torch.cat([F.pad(x_BTD, (0, 0, 0, time - x_BTD.shape[1])) for x_BTD in (first_BTD, second_BTD)])
        mask = torch.cat([F.pad(mask, (0, time - mask.shape[1])) for mask in (first_mask_BT, second_mask_BT)])
        first_BW, second_BW = self(x, mask).chunk(2)
        return first_BW, second_BW

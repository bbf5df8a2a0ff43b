"""The interface of every matcher, an encoder whose sentences come in pairs.

Legend: B pairs, T time, D features, W width of a sentence vector.
"""

from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor

from attest.models.arguments import check_tensors
from attest.models.attention import Layout
from attest.models.encoders.base import Encoder


class Matcher(Encoder):
    """The base class of matchers, which map two sentences that attend to each other to one vector each.

    In a layout all first sentences of pairs come first, then all second ones in the same order, and so do the vectors.
    A head therefore takes the output of a matcher like that of an encoder. `match` takes the two sides of pairs apart.
    """

    pairs: ClassVar[bool] = True

    def layout(self, mask: Tensor, phrases: Tensor | None) -> Layout:
        check_tensors(mask=mask)
        if len(mask) % 2:
            raise ValueError(
                f"the mask has {len(mask)} sentences; {type(self).__name__} takes pairs, all first sentences first"
            )
        return super().layout(mask, phrases)

    def match(
        self, first_BTD: Tensor, first_mask_BT: Tensor, second_BTD: Tensor, second_mask_BT: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the vectors (B, W) of the first and of the second sentences, whose T may differ.

        Raise ValueError if there are not equally many of both, or if a mask does not fit its word vectors.
        """
        check_tensors(first=first_BTD, first_mask=first_mask_BT, second=second_BTD, second_mask=second_mask_BT)
        shapes = [tuple(x.shape) for x in (first_BTD, first_mask_BT, second_BTD, second_mask_BT)]
        first, first_mask, second, second_mask = shapes
        fit = first[:2] == first_mask and second[:2] == second_mask and first[::2] == second[::2]
        if [*map(len, shapes)] != [3, 2, 3, 2] or not fit:
            raise ValueError(
                f"the first sentences and their mask are {first} and {first_mask}, the second {second} and "
                f"{second_mask}; use (batch, time, features) and (batch, time), with a time for each side"
            )
        time = max(first_mask_BT.shape[1], second_mask_BT.shape[1])
        x = torch.cat([F.pad(x_BTD, (0, 0, 0, time - x_BTD.shape[1])) for x_BTD in (first_BTD, second_BTD)])
        mask = torch.cat([F.pad(mask, (0, time - mask.shape[1])) for mask in (first_mask_BT, second_mask_BT)])
        first_BW, second_BW = self(x, mask).chunk(2)
        return first_BW, second_BW

"""The positional masks of DiSAN (equations 16 to 18): the keys that a query may attend to.

Legend: B batch, T time (Q as query, K as key).
"""

from typing import Literal

import torch
from torch import Tensor

from attest.models.arguments import check_argument, check_choice

Direction = Literal["forward", "backward", "diagonal", "none"]
"""The positional mask of a block: the words that a word may attend to, as `allowed_keys` lists them."""


def allowed_keys(direction: Direction, time: int, device: torch.device | None = None) -> Tensor:
    """Return a boolean mask (Q, K), True where the query at position j may attend to the key at position i.

        forward   i < j   (eq. 17: the later word looks back at the earlier ones)
        backward  i > j   (eq. 18)
        diagonal  i != j  (eq. 16: every word but itself)
        none      all     (no positional mask)

    The paper's M is 0 where this mask is True and minus infinity elsewhere, and is indexed (key, query). `time` is the
    number of words, T = Q = K; the mask is on `device`. Raise ValueError for an unknown direction.

        >>> allowed_keys("forward", 3).int()
        tensor([[0, 0, 0],
                [1, 0, 0],
                [1, 1, 0]], dtype=torch.int32)
    """
    check_choice("direction", direction, Direction)
    check_argument("time", time, int)
    position = torch.arange(time, device=device)
    query_Q1, key_1K = position[:, None], position[None, :]
    if direction == "forward":
        return key_1K < query_Q1
    if direction == "backward":
        return key_1K > query_Q1
    if direction == "diagonal":
        return key_1K != query_Q1
    return torch.ones(time, time, dtype=torch.bool, device=device)


def allowed_pairs(direction: Direction, real_BT: Tensor) -> Tensor:
    """Return a boolean mask (B, Q, K), True where query and key are words and the query may attend to the key.

    `real` is True at words, False at padding; `direction` is that of `allowed_keys`.
    """
    return allowed_keys(direction, real_BT.shape[1], real_BT.device) & real_BT[:, None, :] & real_BT[:, :, None]

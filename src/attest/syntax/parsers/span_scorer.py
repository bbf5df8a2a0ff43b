"""A scorer of spans, from the difference of the Bi-LSTM states at their borders (Wang and Chang 2016, Stern et al.
2017).

Legend: B sentences, T words of the longest, K = T + 1 borders between words, F features of a word, E width of a word
vector, H hidden units of each direction, P units of a span.
"""

from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.syntax.parsers.word_features import NOTHING, WORD

INITIAL_SD = 0.3
"""The standard deviation of the word vectors before training."""


class SpanScorer(nn.Module):
    """A model that scores how well the words between two borders form a phrase.

    s(i, j) = w^T relu(W (b_j - b_i) + c) + d
    b_k = [h_fw of the word before border k; h_bw of the word after it], zeros beyond the ends
    x   = sum of the rows of a word's features

    In training, the feature of the word itself is replaced by NOTHING with probability `hidden` (word dropout), so that
    the model also learns from endings, beginnings and shapes. `hidden_size` is the number of LSTM units in each
    direction. `dropout` is applied to words, states and spans.
    """

    version: ClassVar[int] = 2
    """The version of the scores: raise it when equal weights would give other scores. In version 1, case mattered."""

    def __init__(
        self,
        rows: int,
        word_size: int,
        hidden_size: int,
        span_size: int,
        layers: int = 1,
        dropout: float = 0.0,
        hidden: float = 0.0,
    ) -> None:
        super().__init__()
        self.rows = rows
        self.words = nn.Embedding(rows, word_size, padding_idx=NOTHING)
        with torch.no_grad():
            self.words.weight.mul_(INITIAL_SD)
        between = dropout if layers > 1 else 0.0
        self.lstm = nn.LSTM(word_size, hidden_size, layers, batch_first=True, dropout=between, bidirectional=True)
        self.span, self.bias_P = nn.Linear(2 * hidden_size, span_size, bias=False), nn.Parameter(torch.zeros(span_size))
        self.score = nn.Linear(span_size, 1)
        self.dropout, self.hidden = nn.Dropout(dropout), hidden

    def forward(self, rows_BTF: Tensor, length_B: Tensor) -> Tensor:
        """Return (B, K, K) the score of the span between each two borders; entries without a span are meaningless."""
        x_BTE = self.dropout(self.words(self.hide_words(rows_BTF)).sum(2))
        # W (b_j - b_i) = W b_j - W b_i: one product for each border instead of one for each span
        at_BKP = self.span(self.dropout(self.border_states(x_BTE, length_B)))
        span_BKKP = F.relu(at_BKP[:, None] - at_BKP[:, :, None] + self.bias_P)
        return self.score(self.dropout(span_BKKP)).squeeze(-1)

    def hide_words(self, rows_BTF: Tensor) -> Tensor:
        """Return `rows_BTF`; in training, with the word feature of randomly chosen words replaced by NOTHING."""
        if not self.training or not self.hidden:
            return rows_BTF
        rows_BTF = rows_BTF.clone()
        rows_BTF[..., WORD].masked_fill_(torch.rand(rows_BTF.shape[:2], device=rows_BTF.device) < self.hidden, NOTHING)
        return rows_BTF

    def border_states(self, x_BTE: Tensor, length_B: Tensor) -> Tensor:
        """Return (B, K, 2H) the states of both directions at each border."""
        packed = nn.utils.rnn.pack_padded_sequence(x_BTE, length_B.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = nn.utils.rnn.pad_packed_sequence(
            self.lstm(packed)[0], batch_first=True, total_length=x_BTE.shape[1]
        )
        forward_BTH, backward_BTH = states.chunk(2, dim=-1)
        return torch.cat([F.pad(forward_BTH, (0, 0, 1, 0)), F.pad(backward_BTH, (0, 0, 0, 1))], dim=-1)

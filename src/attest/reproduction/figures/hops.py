"""The pictures of hops: strips of single hops of a structured encoder, and of the overall attention.

Legend: R rows, T words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import PowerNorm

from attest.inference.attention_maps import SentenceMaps
from attest.reproduction.figures.content import ComparedAttention
from attest.reproduction.figures.heatmaps import INCH, LETTER, STYLE, draw_map, printable_words, write_value
from attest.reproduction.figures.style import canvas
from attest.reproduction.specs.figure import FigureSpec

HOPS = 6
"""The number of hops that are drawn, as in the paper."""
OVERALL = "all hops"
"""The name of the strip of the overall attention."""
HOP_SHARES = PowerNorm(0.5, 0, 1)
"""The scale of colours of hops, one for all pictures: they are to be compared. It follows the square root, so that the
overall attention, whose strongest word may have a tenth of it, can be seen beside single hops."""


@dataclass(frozen=True, eq=False)
class Strips:
    """Strips of a sentence that stand together, one for each hop or for each row of the table."""

    title: str
    names: list[str]
    weights_RT: np.ndarray
    valued: Sequence[int]
    """The places of the strips whose values are written into their cells."""
    words: list[str]
    """The words below the strips; empty if other strips of the sentence stand below."""

    @property
    def height(self) -> float:
        """The height in inches, with the words and the title."""
        return INCH * len(self.names) + LETTER * max(map(len, self.words), default=0) + 0.3


def draw_hops(spec: FigureSpec, content: ComparedAttention, path: Path) -> None:
    """Draw the overall attention of each sentence, the sum over all hops scaled to 1, with its values.

    If the figure shows each hop, some hops stand above it, in strips of their own for each row of the table.
    """
    sentences = list(zip(*(row.sentences for row in content.rows), strict=True))
    labels = [row.label for row in content.rows]
    strips_of = hop_blocks if spec.hops == "each" else overall_blocks
    blocks = [block for sentence in sentences for block in strips_of(sentence, labels)]
    heights, longest = [block.height for block in blocks], max(block.weights_RT.shape[1] for block in blocks)
    with canvas(path, INCH * longest + 2.2, sum(heights), STYLE, title=spec.title, text=spec.alt) as figure:
        rows = [len(block.names) for block in blocks]
        grid = figure.subplots(len(blocks), 1, squeeze=False, height_ratios=rows)[:, 0]
        for axes, block in zip(grid, blocks, strict=True):
            draw_map(axes, block.weights_RT, block.names, block.words, HOP_SHARES)
            axes.set_title(block.title, fontsize=9, loc="left")
            for row in block.valued:
                for column, value in enumerate(block.weights_RT[row]):
                    write_value(axes, row, column, value, HOP_SHARES)
            axes.set_xlim(0, longest)
        figure.colorbar(
            ScalarMappable(HOP_SHARES, STYLE["image.cmap"]), ax=grid, aspect=15, ticks=[0, 0.1, 0.25, 0.5, 1],
            label="share of the attention,\non a square-root scale",
        )  # fmt: skip


def hop_blocks(runs: Sequence[SentenceMaps], labels: Sequence[str]) -> Iterator[Strips]:
    """Yield the strips of some hops of each run and of their sum, with the words of the sentence below the last."""
    for place, (sentence, label) in enumerate(zip(runs, labels, strict=True), 1):
        weights_RT = hop_strips(sentence.maps["hops"].T)
        names = [*(f"hop {number}" for number in range(1, len(weights_RT))), OVERALL]
        words = printable_words(sentence) if place == len(runs) else []
        yield Strips(label if len(runs) > 1 else "", names, weights_RT, [len(names) - 1], words)


def overall_blocks(runs: Sequence[SentenceMaps], labels: Sequence[str]) -> Iterator[Strips]:
    """Yield one block with the overall attention of each run to a sentence."""
    weights_RT = np.vstack([hop_strips(sentence.maps["hops"].T, 0) for sentence in runs])
    names = list(labels) if len(runs) > 1 else [OVERALL]
    yield Strips("", names, weights_RT, range(len(names)), printable_words(runs[0]))


def hop_strips(hops_RT: np.ndarray, drawn: int = HOPS) -> np.ndarray:
    """Return the weights (R, T) of the first `drawn` hops, followed by a row with the mean over all hops."""
    return np.vstack([hops_RT[:drawn], hops_RT.mean(0)])

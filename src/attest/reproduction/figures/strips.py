"""The pictures of weights of single words: gates, hops, and the features of a word in two sentences.

Legend: R lines, C columns, T words.
"""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, PowerNorm

from attest.inference.attention_maps import printable_word
from attest.reproduction.figures.attention_measures import (
    pairs_with_maps,
    shared_word_correlation,
    shared_word_weights,
)
from attest.reproduction.figures.content import AttentionContent
from attest.reproduction.figures.heatmaps import INCH, LETTER, STYLE, colour_bar, draw_map, split_map_name
from attest.reproduction.figures.style import canvas
from attest.reproduction.specs.figure import Picture

HOPS = 6
"""The number of hops that are drawn, as in the paper."""
SHARES = Normalize(0, 1)
"""The scale of colours of the weights of features, one for all strips: they are to be compared."""
HOP_SHARES = PowerNorm(0.5, 0, 1)
"""The scale of colours of hops, one for all pictures: they are to be compared. It follows the square root, so that the
overall attention, whose strongest word may have a tenth of it, can be seen beside single hops."""
WHITE_FROM = 0.72
"""The place on the scale of colours from which on white digits have more contrast than black ones."""


def draw_gates(picture: Picture, content: AttentionContent, path: Path) -> None:
    """Draw the gates of each sentence, with a strip for each attention block of the encoder.

    Means over features differ little, so the colours span the values from the lowest to the highest.
    """
    maps = [
        {name: value for name, value in sentence.word_weights.items() if name.startswith("gate")}
        for sentence in content.sentences
    ]
    values = np.concatenate([value for strips in maps for value in strips.values()])
    scale, longest = Normalize(values.min(), values.max()), max(len(sentence.words) for sentence in content.sentences)
    with canvas(path, 0.45 * longest + 2.2, 1.7 * len(maps), STYLE) as figure:
        grid = figure.subplots(len(maps), 1, squeeze=False)[:, 0]
        for axes, strips, sentence in zip(grid, maps, content.sentences, strict=True):
            values_RC, names = np.stack(list(strips.values())), [split_map_name(name)[1] for name in strips]
            draw_map(axes, values_RC, names, [printable_word(word) for word in sentence.words], scale)
            for (line, column), value in np.ndenumerate(values_RC):
                write_value(axes, line, column, value, scale)
            axes.set_xlim(0, longest)
        colour_bar(figure, grid, scale, "fusion gate F,\nmean over features")


def draw_hops(picture: Picture, content: AttentionContent, path: Path) -> None:
    """Draw the overall attention of each sentence, the sum over all hops scaled to 1, with its values.

    If the figure shows each hop, some hops stand above it.
    """
    drawn = HOPS if picture.hops == "each" else 0
    maps = [hop_strips(sentence.maps["hops"].T, drawn) for sentence in content.sentences]
    words = [[printable_word(word) for word in sentence.words] for sentence in content.sentences]
    heights = [INCH * len(strips) + LETTER * max(map(len, own)) + 0.3 for strips, own in zip(maps, words, strict=True)]
    with canvas(path, INCH * max(map(len, words)) + 2.2, sum(heights), STYLE) as figure:
        grid = figure.subplots(len(maps), 1, squeeze=False, height_ratios=heights)[:, 0]
        for axes, strips, own in zip(grid, maps, words, strict=True):
            names = [*(f"hop {number}" for number in range(1, len(strips))), "all hops"]
            draw_map(axes, strips, names, own, HOP_SHARES)
            for column, value in enumerate(strips[-1]):
                write_value(axes, len(strips) - 1, column, value, HOP_SHARES)
            axes.set_xlim(0, max(map(len, words)))
        figure.colorbar(
            ScalarMappable(HOP_SHARES, STYLE["image.cmap"]), ax=grid, aspect=15, ticks=[0, 0.1, 0.25, 0.5, 1],
            label="share of the attention,\non a square-root scale",
        )  # fmt: skip


def hop_strips(hops_RT: np.ndarray, drawn: int = HOPS) -> np.ndarray:
    """Return the weights (R, T) of the first `drawn` hops, followed by a row with the mean over all hops."""
    return np.vstack([hops_RT[:drawn], hops_RT.mean(0)])


def write_value(axes: Any, line: int, column: int, value: float, scale: Normalize) -> None:
    """Write a value into its cell, in the colour that has more contrast with the cell."""
    colour = "white" if scale(value) > WHITE_FROM else "black"
    axes.text(column + 0.5, line + 0.5, f"{value:.2f}", ha="center", va="center", fontsize=6.5, color=colour)


def draw_source2token(picture: Picture, content: AttentionContent, path: Path) -> None:
    """Draw two strips for each pair of sentences, and the correlation of the two."""
    pairs = list(pairs_with_maps(picture, content))
    with canvas(path, 7.2, 1.9 * len(pairs), STYLE) as figure:
        grid = figure.subplots(2 * len(pairs), 1).reshape(len(pairs), 2)
        for both, (pair, *two) in zip(grid, pairs, strict=True):
            strips = [shared_word_weights(pair, sentence) for sentence in two]
            for axes, strip, sentence in zip(both, strips, two, strict=True):
                axes.imshow(strip[None], aspect="auto", norm=SHARES, interpolation="nearest")
                axes.set_title(f"{pair.word}: {printable_word(sentence.text)}", fontsize=9, loc="left")
                axes.set_yticks([])
                axes.set_xticks([])
                axes.spines[:].set_visible(False)
            correlation = shared_word_correlation(pair, *two)
            both[-1].set_xlabel(f"{strips[0].size} features; correlation of the two: {correlation:.2f}")
        colour_bar(figure, grid, SHARES, "weight of the word in a feature")

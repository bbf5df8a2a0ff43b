"""Attention maps as pictures.

Legend: T words of one sentence, R lines, C columns.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, PowerNorm

from attest.inference.attention_maps import Seen, shown
from attest.reproduction.figures.style import canvas

STYLE = {"text.parse_math": False, "axes.grid": False, "image.cmap": "Blues"}
"""Words are text as it is, dollar signs too."""
INCH = 0.28
"""The side of one cell."""
LETTER = 0.085
MARGIN = 0.55
"""Of what stands around a map besides its words."""


def cells(axes: Any, values_RC: np.ndarray, lines: Sequence[str], columns: Sequence[str], scale: Normalize) -> None:
    """A map with its words."""
    axes.pcolormesh(values_RC, norm=scale, edgecolors="white", linewidth=0.5)
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns, rotation=90)
    axes.set_yticks(np.arange(len(lines)) + 0.5, lines)
    axes.tick_params(length=0)
    axes.invert_yaxis()
    axes.spines[:].set_visible(False)


def colour_bar(figure: Any, axes: Any, scale: Normalize, label: str) -> None:
    figure.colorbar(ScalarMappable(scale, STYLE["image.cmap"]), ax=axes, label=label, aspect=30)


def titled(name: str) -> tuple[str, str]:
    """attention_0_forward -> attention; block 1, forward. attention_0_level_3 -> attention; block 1, level 3."""
    match = re.fullmatch(r"([a-z]+)_(\d+)_(\w+)", name)
    return (match[1], f"block {int(match[2]) + 1}, {match[3].replace('_', ' ')}") if match else (name, "")


def between_words(figure: Any, grid: np.ndarray, sentences: Sequence[Seen]) -> None:
    """Which word looks at which: a line of `grid` for each sentence.

    Colours go by the square root: a word that can look at one word alone gives it all, and hides the rest.
    """
    highest = max(float(weights_TT.max()) for sentence in sentences for weights_TT in sentence.pairs.values())
    scale = PowerNorm(0.5, 0.0, highest)
    for line, sentence in zip(grid, sentences, strict=True):
        words = [shown(word) for word in sentence.words]
        for axes, (name, weights_TT) in zip(line, sentence.pairs.items(), strict=True):
            cells(axes, weights_TT, words, words, scale)
            axes.set_aspect("equal")
            axes.set_title(titled(name)[1] or name, fontsize=9)
    colour_bar(figure, grid, scale, "attention")


def size_between(sentences: Sequence[Seen]) -> tuple[float, list[float]]:
    """Inches of `between_words`: its width with the colour bar, and the height of each line."""
    sides = [
        INCH * len(sentence.words) + LETTER * max(len(shown(word)) for word in sentence.words) + MARGIN
        for sentence in sentences
    ]
    return len(sentences[0].pairs) * max(sides) + 0.8, sides


def overview(sentence: Seen, path: Path) -> None:
    """Everything that was seen of one sentence: maps between words above, one number for each word below."""
    words, maps, single = [shown(word) for word in sentence.words], len(sentence.pairs), sentence.single
    width, above = size_between([sentence]) if maps else (INCH * len(words) + 1, [])
    heights = [*above, *[1.0] * (len(single) - 1), 1.0 + LETTER * max(map(len, words))]
    with canvas(path, max(width, 4.5), sum(heights), STYLE) as figure:
        grid = figure.add_gridspec(len(heights), max(1, maps), height_ratios=heights)
        if maps:
            between_words(figure, np.array([[figure.add_subplot(grid[0, place]) for place in range(maps)]]), [sentence])
        for place, (name, weights_T) in enumerate(single.items(), len(above)):
            axes = figure.add_subplot(grid[place, :])
            axes.bar(range(len(words)), weights_T)
            axes.set_title(", ".join(filter(None, titled(name))), fontsize=9)
            axes.set_xticks(range(len(words)), words if place + 1 == len(heights) else [], rotation=90)

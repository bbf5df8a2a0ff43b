"""Attention maps as pictures.

Legend: T words of one sentence, R rows, C columns.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, PowerNorm
from matplotlib.patches import Patch

from attest.inference.attention_maps import SentenceMaps, printable_word
from attest.reproduction.figures.style import canvas
from attest.reproduction.specs.figure import FEATURES

STYLE = {"text.parse_math": False, "axes.grid": False, "image.cmap": "Blues"}
"""The settings of matplotlib for maps. Words are shown as they are, dollar signs too."""
INCH = 0.28
"""The side of a cell with a value in it, in inches."""
CELL = 0.2
"""The side of a cell of a map from words to words, in inches."""
LETTER = 0.085
"""The width of a letter, in inches."""
MARGIN = 0.75
"""The space above and below a map besides its words, in inches: for its titles and the names of its axes."""
GAP, BAR = 0.15, 1.2
"""The inches between maps side by side, and of the colour bar with its numbers and the name of the rows."""
PAD = 0.08
"""The space above and below a map with its title and names, in inches."""
MASKED = "0.88"
"""The grey of cells that a mask forbids, which have no attention at all."""
WHITE_FROM = 0.72
"""The place on the scale of colours from which on white digits have more contrast than black ones."""


def draw_map(axes: Any, values_RC: np.ndarray, rows: Sequence[str], columns: Sequence[str], scale: Normalize) -> None:
    """Draw one map with its names; without names of columns or rows if these are empty."""
    axes.pcolormesh(values_RC, norm=scale, edgecolors="white", linewidth=0.5)
    axes.set_xticks(np.arange(len(columns)) + 0.5 if columns else [], columns, rotation=90)
    axes.set_yticks(np.arange(len(rows)) + 0.5 if rows else [], rows)
    axes.tick_params(length=0)
    axes.invert_yaxis()
    axes.spines[:].set_visible(False)


def write_value(axes: Any, row: int, column: int, value: float, scale: Normalize) -> None:
    """Write a value into its cell, in the colour that has more contrast with the cell."""
    colour = "white" if scale(value) > WHITE_FROM else "black"
    axes.text(column + 0.5, row + 0.5, f"{value:.2f}", ha="center", va="center", fontsize=6.5, color=colour)


def printable_words(sentence: SentenceMaps) -> list[str]:
    """Return the words of a sentence as a picture shows them."""
    return [printable_word(word) for word in sentence.words]


def colour_bar(figure: Any, axes: Any, scale: Normalize, label: str) -> None:
    """Add a colour bar beside the axes."""
    figure.colorbar(ScalarMappable(scale, STYLE["image.cmap"]), ax=axes, label=label, aspect=30)


def split_map_name(name: str) -> tuple[str, str]:
    """Return the kind and the block of a map: ("attention", "block 1, forward") for attention_0_forward."""
    match = re.fullmatch(r"([a-z]+)_(\d+)_(\w+)", name)
    return (match[1], f"block {int(match[2]) + 1}, {match[3].replace('_', ' ')}") if match else (name, "")


def draw_word_maps(
    figure: Any, grid: np.ndarray, sentences: Sequence[SentenceMaps], features: str = FEATURES["mean"]
) -> None:
    """Draw which word (row) attends to which (column), in a row of `grid` for each sentence.

    `features` says in words what is shown for the features of a weight.

    Colours follow the square root: a word that can attend to one word alone gives it all its attention, and would hide
    the rest. A cell without any attention is one that the mask forbids; it is grey.
    """
    highest = max(float(weights_TT.max()) for sentence in sentences for weights_TT in sentence.pair_weights.values())
    scale = PowerNorm(0.5, 0.0, highest)
    figure.get_layout_engine().set(h_pad=PAD)
    for number, (row, sentence) in enumerate(zip(grid, sentences, strict=True), 1):
        words = printable_words(sentence)
        for place, (axes, (name, weights_TT)) in enumerate(zip(row, sentence.pair_weights.items(), strict=True)):
            axes.set_facecolor(MASKED)
            draw_map(axes, np.ma.masked_equal(weights_TT, 0), [] if place else words, words, scale)
            axes.set_aspect("equal")
            heading = "" if place else " ".join(words) + "\n"
            axes.set_title(heading + (split_map_name(name)[1] or name), fontsize=9, loc="left")
            axes.set_xlabel("attends to" if number == len(sentences) else "")
        row[0].set_ylabel("word")
    if any((weights_TT == 0).any() for sentence in sentences for weights_TT in sentence.pair_weights.values()):
        patch = Patch(color=MASKED, label="not allowed by the mask")
        figure.legend(handles=[patch], loc="outside lower left", frameon=False, fontsize=8)
    colour_bar(figure, grid, scale, f"attention, {features},\non a square-root scale")


def word_map_size(sentences: Sequence[SentenceMaps]) -> tuple[float, list[float]]:
    """Return the size of `draw_word_maps` in inches: its width with the colour bar, and the height of each row."""
    sides = [CELL * len(sentence.words) for sentence in sentences]
    margins = [LETTER * max(map(len, printable_words(sentence))) for sentence in sentences]
    width = len(sentences[0].pair_weights) * (max(sides) + GAP) + max(margins) + BAR
    return width, [side + margin + MARGIN for side, margin in zip(sides, margins, strict=True)]


def draw_sentence(sentence: SentenceMaps, path: Path) -> None:
    """Draw all attention of one sentence: maps between words above, charts with one number for each word below."""
    words, maps, single = (
        printable_words(sentence),
        len(sentence.pair_weights),
        sentence.word_weights,
    )
    width, above = word_map_size([sentence]) if maps else (INCH * len(words) + 1, [])
    heights = [*above, *[1.0] * (len(single) - 1), 1.0 + LETTER * max(map(len, words))]
    with canvas(path, max(width, 4.5), sum(heights), STYLE) as figure:
        grid = figure.add_gridspec(len(heights), max(1, maps), height_ratios=heights)
        if maps:
            draw_word_maps(
                figure, np.array([[figure.add_subplot(grid[0, place]) for place in range(maps)]]), [sentence]
            )
        for place, (name, weights_T) in enumerate(single.items(), len(above)):
            axes = figure.add_subplot(grid[place, :])
            axes.bar(range(len(words)), weights_T)
            axes.set_title(", ".join(filter(None, split_map_name(name))), fontsize=9)
            axes.set_xticks(range(len(words)), words if place + 1 == len(heights) else [], rotation=90)

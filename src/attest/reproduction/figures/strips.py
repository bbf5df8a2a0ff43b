"""The pictures of weights of single words: gates, and the features of a word in two sentences.

Legend: R rows, C columns, T words.
"""

from collections.abc import Collection
from pathlib import Path

import numpy as np
from matplotlib.colors import Normalize

from attest.inference.attention_maps import SentenceMaps, printable_word
from attest.reproduction.figures.attention_measures import (
    pairs_with_maps,
    shared_word_correlation,
    shared_word_weights,
    word_group_means,
)
from attest.reproduction.figures.content import AttentionContent
from attest.reproduction.figures.heatmaps import (
    INCH,
    LETTER,
    STYLE,
    colour_bar,
    draw_map,
    printable_words,
    split_map_name,
    write_value,
)
from attest.reproduction.figures.style import canvas
from attest.reproduction.specs.figure import FigureSpec

SHARES = Normalize(0, 1)
"""The scale of colours of the weights of features, one for all strips: they are to be compared."""
MEANS = ("stop words", "other words")
"""The names of the columns with means beside the gates of a sentence."""


def draw_gates(spec: FigureSpec, content: AttentionContent, path: Path) -> None:
    """Draw the gates of each sentence, with a strip for each attention block of the encoder.

    If the figure names stop words, their mean and that of the other words stand beside each strip. Means over features
    differ little, so the colours span the values from the lowest to the highest.
    """
    strips = [gate_strips(sentence, spec.stop_words) for sentence in content.sentences]
    values = np.concatenate([values_RC.ravel() for values_RC, _ in strips])
    scale, longest = Normalize(np.nanmin(values), np.nanmax(values)), max(len(columns) for _, columns in strips)
    names = max(len(column) for _, columns in strips for column in columns)
    height = sum(1.2 * INCH * len(values_RC) + LETTER * names + 0.35 for values_RC, _ in strips)
    with canvas(path, 1.2 * INCH * longest + 2.4, height, STYLE, title=spec.title, text=spec.alt) as figure:
        grid = figure.subplots(len(strips), 1, squeeze=False)[:, 0]
        for axes, (values_RC, columns), sentence in zip(grid, strips, content.sentences, strict=True):
            draw_map(axes, np.ma.masked_invalid(values_RC), gate_names(sentence), columns, scale)
            for (row, column), value in np.ndenumerate(values_RC):
                if not np.isnan(value):
                    write_value(axes, row, column, value, scale)
            axes.set_xlim(0, longest)
        colour_bar(figure, grid, scale, "fusion gate F,\nmean over features")


def gate_strips(sentence: SentenceMaps, stop_words: Collection[str]) -> tuple[np.ndarray, list[str]]:
    """Return the gates of each block (R, C) and the names of their columns: words and, behind a gap, two means."""
    gates_RT = np.stack([value for name, value in sentence.word_weights.items() if name.startswith("gate")])
    words = printable_words(sentence)
    if not stop_words:
        return gates_RT, words
    gap_R1 = np.full((len(gates_RT), 1), np.nan)
    return np.hstack([gates_RT, gap_R1, word_group_means(sentence, gates_RT, stop_words)]), [*words, "", *MEANS]


def gate_names(sentence: SentenceMaps) -> list[str]:
    """Return the names of the blocks whose gates a sentence has."""
    return [split_map_name(name)[1] for name in sentence.word_weights if name.startswith("gate")]


def draw_source2token(spec: FigureSpec, content: AttentionContent, path: Path) -> None:
    """Draw two strips for each pair of sentences, and the correlation of the two."""
    pairs = list(pairs_with_maps(spec, content))
    with canvas(path, 7.2, 1.9 * len(pairs), STYLE, title=spec.title, text=spec.alt) as figure:
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

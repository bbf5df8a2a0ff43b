"""The pictures of a paper's figures.

Legend: R runs or lines, C columns, T words.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.colors import Normalize
from matplotlib.ticker import MaxNLocator

from attest.inference.attention_maps import printable_word
from attest.reproduction.figures.accuracy_curves import AccuracyCurves, Curve, bin_labels
from attest.reproduction.figures.attention_measures import (
    pairs_with_maps,
    shared_word_correlation,
    shared_word_weights,
    with_root_mean_squares,
)
from attest.reproduction.figures.content import AttentionContent, Content
from attest.reproduction.figures.heatmaps import (
    INCH,
    LETTER,
    STYLE,
    colour_bar,
    draw_map,
    draw_word_maps,
    split_map_name,
    word_map_size,
)
from attest.reproduction.figures.mean_lines import draw_mean
from attest.reproduction.figures.pictures import picture_mark
from attest.reproduction.figures.size_chart import draw_size_curves
from attest.reproduction.figures.size_curves import SizeCurves
from attest.reproduction.figures.style import canvas
from attest.reproduction.plurals import counted
from attest.reproduction.specs.figure import FEATURES, Picture

HOPS = 6
"""The number of hops that are drawn, as in the paper."""
SHARES = Normalize(0, 1)
"""The scale of colours of shares of attention, one for all pictures of hops and features: they are to be compared."""


def draw_figure(picture: Picture, content: Content, path: Path) -> None:
    """Draw the content of a figure; the same content gives the same file."""
    with matplotlib.rc_context({"svg.id": picture_mark(content.ids)}):
        draw_content(picture, content, path)


def draw_content(picture: Picture, content: Content, path: Path) -> None:
    """Draw the content of a figure in the way that its specification asks for."""
    if isinstance(content, AccuracyCurves):
        {"lengths": draw_length_curves, "epochs": draw_epoch_curves}[picture.shows](picture, content, path)
    elif isinstance(content, SizeCurves):
        draw_size_curves(content, path)
    else:
        drawing = {
            "attention": draw_attention,
            "gates": draw_gates,
            "source2token": draw_source2token,
            "hops": draw_hops,
        }
        drawing[picture.shows](picture, content, path)


def draw_length_curves(picture: Picture, content: AccuracyCurves, path: Path) -> None:
    """Draw the accuracy by length above, and the numbers of examples below."""
    curves, bins = [curve for curve in content.curves if curve.runs], range(len(picture.bins))
    with canvas(path, 6.4, 4.4) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
        for curve in curves:
            draw_curve(upper, bins, curve)
        label_accuracy(figure, upper)
        lower.bar(bins, curves[0].counts_or_epochs_C, color="lightgrey")
        lower.set_ylabel("examples")
        lower.set_xlabel("words of a sentence" + (", mean of a pair" if picture.length == "mean" else ""))
        lower.set_xticks(bins, bin_labels(picture.bins))


def draw_epoch_curves(picture: Picture, content: AccuracyCurves, path: Path) -> None:
    """Draw the accuracy by epoch."""
    with canvas(path, 6.4, 4.0) as figure:
        axes = figure.subplots()
        for curve in content.curves:
            if curve.runs:
                draw_curve(axes, curve.counts_or_epochs_C, curve)
        label_accuracy(figure, axes)
        axes.set_xlabel("epoch")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def label_accuracy(figure: Any, axes: Any) -> None:
    """Label the axis of values and add a legend above it."""
    axes.set_ylabel("test accuracy, %")
    figure.legend(loc="outside upper center", ncols=2, frameon=False, fontsize=8)


def draw_curve(axes: Any, x_C: Sequence[float] | np.ndarray, curve: Curve) -> None:
    """Draw the mean over runs of one curve, with the standard deviation if there is more than one run."""
    draw_mean(axes, x_C, curve.accuracy_RC, label=f"{curve.title} ({counted(len(curve.runs), 'run')})")


def draw_attention(picture: Picture, content: AttentionContent, path: Path) -> None:
    """Draw a map from words to words for each sentence and each attention block of the encoder."""
    sentences = with_root_mean_squares(content.sentences) if picture.features == "length" else content.sentences
    width, heights = word_map_size(sentences)
    with canvas(path, width, sum(heights), STYLE) as figure:
        maps = len(sentences[0].pair_weights)
        grid = figure.subplots(len(heights), maps, squeeze=False, height_ratios=heights)
        draw_word_maps(figure, grid, sentences, FEATURES[picture.features])


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
                colour = "white" if scale(value) > 0.6 else "black"
                axes.text(column + 0.5, line + 0.5, f"{value:.2f}", ha="center", va="center", fontsize=7, color=colour)
            axes.set_xlim(0, longest)
        colour_bar(figure, grid, scale, "fusion gate F,\nmean over features")


def draw_hops(picture: Picture, content: AttentionContent, path: Path) -> None:
    """Draw some hops of each sentence, and below them the sum over all hops, scaled to 1."""
    maps = [hop_strips(sentence.maps["hops"].T) for sentence in content.sentences]
    words = [[printable_word(word) for word in sentence.words] for sentence in content.sentences]
    heights = [INCH * len(strips) + LETTER * max(map(len, own)) + 0.3 for strips, own in zip(maps, words, strict=True)]
    with canvas(path, INCH * max(map(len, words)) + 2.2, sum(heights), STYLE) as figure:
        grid = figure.subplots(len(maps), 1, squeeze=False, height_ratios=heights)[:, 0]
        for axes, strips, own in zip(grid, maps, words, strict=True):
            names = [*(f"hop {number}" for number in range(1, len(strips))), "all hops"]
            draw_map(axes, strips, names, own, SHARES)
            axes.set_xlim(0, max(map(len, words)))
        colour_bar(figure, grid, SHARES, "share of the attention")


def hop_strips(hops_RT: np.ndarray) -> np.ndarray:
    """Return the weights (R, T) of the first HOPS hops, followed by a row with the mean over all hops."""
    return np.vstack([hops_RT[:HOPS], hops_RT.mean(0)])


def draw_source2token(picture: Picture, content: AttentionContent, path: Path) -> None:
    """Draw two strips for each pair of sentences, and the correlation of the two."""
    pairs = list(pairs_with_maps(picture, content))
    with canvas(path, 7.2, 1.9 * len(pairs), STYLE) as figure:
        subfigures = figure.subfigures(len(pairs), 1, squeeze=False)[:, 0]
        for subfigure, (pair, *two) in zip(subfigures, pairs, strict=True):
            strips, both = [shared_word_weights(pair, sentence) for sentence in two], subfigure.subplots(2, 1)
            for axes, strip, sentence in zip(both, strips, two, strict=True):
                axes.imshow(strip[None], aspect="auto", norm=SHARES, interpolation="nearest")
                axes.set_title(f"{pair.word}: {printable_word(sentence.text)}", fontsize=9, loc="left")
                axes.set_yticks([])
                axes.set_xticks([])
                axes.spines[:].set_visible(False)
            correlation = shared_word_correlation(pair, *two)
            both[-1].set_xlabel(f"{strips[0].size} features; correlation of the two: {correlation:.2f}")
            colour_bar(subfigure, both, SHARES, "weight of the word\nin a feature")

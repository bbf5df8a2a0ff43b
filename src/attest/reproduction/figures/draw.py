"""A paper's figures as pictures, from what stands behind them.

Legend: R runs or lines, B bins of lengths, C columns.
"""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import Normalize

from attest.attending import shown
from attest.drawing import canvas
from attest.reproduction.figures.behind import Attended, Content, Curve, Lengths
from attest.reproduction.figures.heat import INCH, LETTER, STYLE, between_words, cells, colour_bar, size_between, titled
from attest.reproduction.figures.lengths import labels
from attest.reproduction.figures.page import pairs, weights_of
from attest.reproduction.figures.spec import Picture

HOPS = 6
"""How many are drawn, as in the paper."""


def draw(picture: Picture, content: Content, path: Path) -> None:
    """The same content gives the same file."""
    if isinstance(content, Lengths):
        lengths(picture, content, path)
    else:
        drawing = {"attention": attention, "gates": gates, "source2token": source2token, "hops": hops}
        drawing[picture.shows](picture, content, path)


def lengths(picture: Picture, content: Lengths, path: Path) -> None:
    """Accuracy above, how many sentences there are below."""
    curves, bins = [curve for curve in content.curves if curve.runs], range(len(picture.bins))
    with canvas(path, 6.4, 4.4) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
        for curve in curves:
            line(upper, curve)
        upper.set_ylabel("test accuracy, %")
        figure.legend(loc="outside upper center", ncols=2, frameon=False, fontsize=8)
        lower.bar(bins, curves[0].counts_B, color="lightgrey")
        lower.set_ylabel("sentences")
        lower.set_xlabel("words of a sentence" + (", mean of a pair" if picture.length == "mean" else ""))
        lower.set_xticks(bins, labels(picture.bins))


def line(axes: Any, curve: Curve) -> None:
    """The mean over runs, and a standard deviation around it."""
    bins, mean_B, runs = range(curve.accuracy_RB.shape[1]), curve.accuracy_RB.mean(0), len(curve.runs)
    (drawn,) = axes.plot(bins, mean_B, marker="o", markersize=3, label=f"{curve.title} ({runs} run{'s'[: runs - 1]})")
    if runs > 1:
        sd_B = curve.accuracy_RB.std(0, ddof=1)
        low_B, high_B = (mean_B - sd_B).clip(0), (mean_B + sd_B).clip(max=100)
        axes.fill_between(bins, low_B, high_B, color=drawn.get_color(), alpha=0.15, linewidth=0)


def attention(picture: Picture, content: Attended, path: Path) -> None:
    width, heights = size_between(content.sentences)
    with canvas(path, width, sum(heights), STYLE) as figure:
        maps = len(content.sentences[0].pairs)
        grid = figure.subplots(len(heights), maps, squeeze=False, height_ratios=heights)
        between_words(figure, grid, content.sentences)


def gates(picture: Picture, content: Attended, path: Path) -> None:
    """A strip for each block of each sentence. Means over features differ little, so colours span what there is."""
    maps = [
        {name: value for name, value in seen.single.items() if name.startswith("gate")} for seen in content.sentences
    ]
    every = np.concatenate([value for strips in maps for value in strips.values()])
    scale, longest = Normalize(every.min(), every.max()), max(len(sentence.words) for sentence in content.sentences)
    with canvas(path, 0.45 * longest + 2.2, 1.7 * len(maps), STYLE) as figure:
        grid = figure.subplots(len(maps), 1, squeeze=False)[:, 0]
        for axes, strips, sentence in zip(grid, maps, content.sentences, strict=True):
            values_RC, names = np.stack(list(strips.values())), [titled(name)[1] for name in strips]
            cells(axes, values_RC, names, [shown(word) for word in sentence.words], scale)
            for (line, column), value in np.ndenumerate(values_RC):
                colour = "white" if scale(value) > 0.6 else "black"
                axes.text(column + 0.5, line + 0.5, f"{value:.2f}", ha="center", va="center", fontsize=7, color=colour)
            axes.set_xlim(0, longest)
        colour_bar(figure, grid, scale, "fusion gate F")


def hops(picture: Picture, content: Attended, path: Path) -> None:
    """Of each sentence some hops, and below them the sum over all, scaled to 1."""
    maps = [strips_of(seen.maps["hops"].T) for seen in content.sentences]
    scale = Normalize(0, max(float(strips.max()) for strips in maps))
    words = [[shown(word) for word in seen.words] for seen in content.sentences]
    heights = [INCH * len(strips) + LETTER * max(map(len, own)) + 0.3 for strips, own in zip(maps, words, strict=True)]
    with canvas(path, INCH * max(map(len, words)) + 2.2, sum(heights), STYLE) as figure:
        grid = figure.subplots(len(maps), 1, squeeze=False, height_ratios=heights)[:, 0]
        for axes, strips, own in zip(grid, maps, words, strict=True):
            names = [*(f"hop {number}" for number in range(1, len(strips))), "all hops"]
            cells(axes, strips, names, own, scale)
            axes.set_xlim(0, max(map(len, words)))
        colour_bar(figure, grid, scale, "attention")


def strips_of(hops_RT: np.ndarray) -> np.ndarray:
    """The first hops, and the mean over all of them."""
    return np.vstack([hops_RT[:HOPS], hops_RT.mean(0)])


def source2token(picture: Picture, content: Attended, path: Path) -> None:
    """Two strips for each pair, on one scale of colours."""
    found = list(pairs(picture, content))
    with canvas(path, 7.2, 1.9 * len(found), STYLE) as figure:
        parts = figure.subfigures(len(found), 1, squeeze=False)[:, 0]
        for part, (pair, *two) in zip(parts, found, strict=True):
            strips = [weights_of(pair, sentence) for sentence in two]
            scale, both = Normalize(0, max(float(strip.max()) for strip in strips)), part.subplots(2, 1)
            for axes, strip, sentence in zip(both, strips, two, strict=True):
                axes.imshow(strip[None], aspect="auto", norm=scale, interpolation="nearest")
                axes.set_title(f"{pair.word}: {shown(sentence.text)}", fontsize=9, loc="left")
                axes.set_yticks([])
                axes.set_xticks([])
                axes.spines[:].set_visible(False)
            both[-1].set_xlabel(f"{strips[0].size} features")
            colour_bar(part, both, scale, "weight")

"""The captions of a paper's figures as markdown, and pages of shaded words: from specifications and records alone."""

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from attest.inference.attention_maps import Seen, shown
from attest.reproduction.figures import html
from attest.reproduction.figures.content import Attended, Content, Curve, Curves, Growth, Shown, Sizes, runs
from attest.reproduction.figures.content import shown as lines_of
from attest.reproduction.pages.markdown import MINI
from attest.reproduction.specs.figure import Pair, Picture
from attest.reproduction.tables.build import Table

SAYS = {
    "lengths": "Accuracy on the test set against the number of words of a sentence{length}: the mean over runs, and "
    "around it their standard deviation. Bars: how many examples there are.",
    "sizes": "Accuracy against how many training pairs the seed drew, fewer ones being among more: the mean over runs, "
    "and around it their standard deviation.",
    "epochs": "Accuracy on the test set as training goes on, in passes over the training data: the mean over runs, and "
    "around it their standard deviation.",
    "attention": "Each line is a word, each column a word that it looks at; attention is {features}. A word "
    "that the mask leaves nothing to look at has an empty line.",
    "gates": "The fusion gate F of eq. 19 of each word, averaged over features: at 1 the word's own features stay, at "
    "0 the attended ones take their place. The colours span the values shown, not 0 to 1.",
    "source2token": "The weights of one word in two sentences, one for each feature of the sentence vector; the "
    "weights that all words of a sentence have in a feature sum to 1.",
    "hops": "Each line is a hop, which has so much of its attention at each word; the last line is the sum over all "
    "hops, scaled to 1. Hops have no order: the first ones are shown.",
}

LENGTHS = {"longest": "", "mean": ", the mean of a pair"}
FEATURES = {"mean": "averaged over features", "length": "the length (2-norm) over features"}


def pages(figures: Iterable[Shown]) -> dict[str, str]:
    """Name below the results folder -> content: one page for each paper, and one for each figure of shaded words."""
    by_paper: dict[str, list[Shown]] = {}
    words: dict[str, str] = {}
    for figure in figures:
        by_paper.setdefault(figure.picture.paper, []).append(figure)
        if figure.picture.shows == "hops" and isinstance(figure.content, Attended):
            words[f"{figure.picture.name}.html"] = words_of(figure.picture, figure.content)
    return {f"{paper}/figures.md": page(own) for paper, own in by_paper.items()} | words


def words_of(picture: Picture, content: Attended) -> str:
    caption = [content.said(), f"Deviations from the paper: {'; '.join(content.deviations) or 'none'}.", *picture.notes]
    text = html.page(picture.title, [*caption, f"{picture.source}; {picture.reference}."], content.sentences)
    assert text is not None  # hops are shares of the words
    return text


def page(figures: Sequence[Shown]) -> str:
    lines = ["# Figures", "", f"Of {figures[0].picture.reference}."]
    if figures[0].table.scale == "mini":
        lines += ["", MINI]
    for figure in figures:
        picture, content = figure.picture, figure.content
        lines += ["", f"## {picture.title}", ""]
        if content is None:
            lines += [missing(picture, figure.table), ""]
        else:
            name = picture.name.rpartition("/")[2]
            lines += [
                f"![{picture.title}]({name}.svg)",
                "",
                SAYS[picture.shows].format(features=FEATURES[picture.features], length=LENGTHS[picture.length]),
                "",
            ]
            if picture.shows == "hops":
                lines += [f"All hops, as shades of the words: [{name}.html]({name}.html).", ""]
            lines += [f"- {text}" for text in told(picture, content)]
        lines += [*(f"- {note}" for note in picture.notes), "", f"{picture.source}."]
    return "\n".join([*lines, "", "Made by `attest figures` from the records.", ""])


def missing(picture: Picture, table: Table) -> str:
    """Not drawn, and the commands that lead to it."""
    at_paper = table.scale == "paper"
    draws = f"`attest publish {picture.name}`" if at_paper else f"`attest figures {picture.name} scale={table.scale}`"
    if reason := unavailable(picture, table):
        return f"Cannot be drawn: the data are unavailable. {reason[:1].upper()}{reason[1:]}."
    if picture.shows in ("lengths", "epochs"):
        reason = f"no run of {picture.table} has left {LEFT[picture.shows]}"
        return f"Not drawn yet: {reason}. `{reproduce(picture, table)}` trains them, {draws} draws."
    if picture.shows == "sizes":
        before = "".join(f"`{command}` finds the pairs, " for command in table.missing_subset_commands)
        return f"Not drawn yet: {before}`{reproduce(picture, table)}` trains, {draws} draws."
    newest = next((run.id for _, _, run in runs(picture, table)), None)
    attends = f"`attest attend {newest or 'RUN'} --figure {picture.name}` asks one of them, {draws} draws."
    if newest:
        return f"Not drawn yet: no run of {picture.table} has been asked about its sentences. {attends}"
    return (
        f"Not drawn yet: there are no runs of {picture.table} to ask. `{reproduce(picture, table)}` trains, {attends}"
    )


LEFT = {
    "lengths": "predictions that tell the lengths of sentences",
    "epochs": "a curve that tells the accuracy on the test set",
}


def unavailable(picture: Picture, table: Table) -> str:
    """Why nobody can have the data of any of the figure's runs; empty where somebody can."""
    parts = [result for _, result in lines_of(picture, table)]
    if any(result.status != "data unavailable" for result in parts):
        return ""
    return parts[0].cell.settings.dataset.unavailable


def reproduce(picture: Picture, table: Table) -> str:
    return f"attest reproduce {picture.table} scale={table.scale} rows={','.join(picture.rows)}"


def told(picture: Picture, content: Content) -> Iterator[str]:
    """Which runs are shown, what they deviate in, and what else the numbers say."""
    if isinstance(content, Curves):
        yield from (told_of(picture, curve) for curve in content.curves)
        return
    if isinstance(content, Sizes):
        yield from (told_of_sizes(row) for row in content.rows)
        return
    yield f"{content.said('`')} {deviating(content.deviations)}"
    for pair, first, second in pairs(picture, content):
        correlation = np.corrcoef(weights_of(pair, first), weights_of(pair, second))[0, 1]
        yield f'"{pair.word}": the two vectors have a correlation of {correlation:.2f}.'
    if unknown := list(dict.fromkeys(word for sentence in content.sentences for word in sentence.unknown)):
        yield f"No vector was there for: {', '.join(safe(shown(word)) for word in unknown)}."


def told_of(picture: Picture, curve: Curve) -> str:
    facts = []
    if curve.runs:
        named = ", ".join(f"`{run.id}`" for run in curve.runs)
        first = curve.runs[0]
        data = f"{first.settings['dataset.name']}, data `{first.fingerprint}`"
        facts.append(f"{len(curve.runs)} run(s) on {data}: {named}")
    if curve.left_out:
        facts.append(f"{curve.left_out} older run(s) left out, which left no {LEFT[picture.shows]}")
    return f"{curve.title}: {'; '.join(facts)}. {deviating(curve.deviations)}"


def told_of_sizes(row: Growth) -> str:
    points = ", ".join(f"{size:,} {ours.mean:.1f} ({ours.n})" for size, ours in row.of_size.items())
    named = ", ".join(f"`{run}`" for run in row.runs)
    return f"{row.title}: pairs, accuracy and (runs): {points}; {named}. {deviating(row.deviations)}"


def deviating(deviations: tuple[str, ...]) -> str:
    return f"Deviations from the paper: {safe('; '.join(deviations) or 'none')}."


def pairs(picture: Picture, content: Attended) -> Iterator[tuple[Pair, Seen, Seen]]:
    """Each pair with what was seen in its two sentences."""
    for number, pair in enumerate(picture.pairs):
        yield pair, content.sentences[2 * number], content.sentences[2 * number + 1]


def weights_of(pair: Pair, sentence: Seen) -> np.ndarray:
    """(D,): the source2token weights of the word that the pair shares."""
    return sentence.maps["source2token"][[word.lower() for word in sentence.words].index(pair.word)]


def safe(text: str) -> str:
    """Text from elsewhere, so that markdown shows it as it is."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)

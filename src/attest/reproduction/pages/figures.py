"""The pages of a paper's figures: captions as markdown and words shaded as HTML, from specifications and records."""

import re
from collections.abc import Iterable, Iterator, Sequence

from attest.reproduction.figures.content import AttentionContent, Content, PaperFigure
from attest.reproduction.figures.size_curves import SizeCurves
from attest.reproduction.pages.figure_contents import render_content
from attest.reproduction.pages.markdown_parts import bullets
from attest.reproduction.pages.mini_note import table_mini_note
from attest.reproduction.pages.missing_figures import explain_missing
from attest.reproduction.pages.shaded_words import render_shaded_page
from attest.reproduction.pages.uncommitted import UNCOMMITTED
from attest.reproduction.specs.figure import FEATURES, Picture
from attest.runs.records import Record

CAPTIONS = {
    "lengths": (
        "Each line is one model: its accuracy on the test set against the number of words of a sentence{length}.",
        "A point is the mean over runs, and the band around it their standard deviation. The band leaves out the "
        "chance of which examples are in a bin; the table gives the standard error that comes of it.",
        "Bars: the number of test examples of that length.",
    ),
    "sizes": (
        "Each line is one model: its accuracy against the number of training pairs.",
        "The seed draws the pairs; a smaller set is part of a larger one.",
        "A point is the mean over runs, and the bar at it their standard deviation. A hollow point is a single run.",
    ),
    "epochs": (
        "Each line is one model: its accuracy on the test set against the passes over the training data.",
        "A point is the mean over runs, and the band around it their standard deviation.",
    ),
    "attention": (
        "A row stands for a word and a column for a word that it attends to; the attention is the {features}.",
        "Grey: the mask does not allow the word to attend there.",
    ),
    "gates": (
        "The fusion gate F of eq. 19 of each word, averaged over features.",
        "At 1 the word's own features stay; at 0 the attended ones replace them.",
        "The colours span the values shown, not 0 to 1.",
    ),
    "source2token": (
        "The weights of one word in two sentences, one weight for each feature of the sentence vector. All strips have "
        "one scale of colours, from 0 to 1.",
        "In each feature, the weights of all words of a sentence sum to 1.",
        "The features are in the order of the vector, which has no meaning: only how alike two strips are has one.",
    ),
    "hops": (
        "A row stands for a hop, and a cell for the share of its attention that a word gets. Hops have no order: the "
        "first ones are shown.",
        "The last row is the overall attention: the sum over all hops, scaled to 1.",
        "All pictures of hops have one scale of colours: the square root of the share, from 0 to 1.",
    ),
    "overall hops": (
        "A cell is the share of the overall attention that a word gets: the sum over all hops, scaled to 1.",
        "All pictures of hops have one scale of colours: the square root of the share, from 0 to 1.",
    ),
}
"""The kind of a figure -> the bullets of its caption: first what the reader sees, then how to read it."""

LENGTHS = {"longest": "", "mean": ", the mean of a pair"}


def figure_pages(figures: Iterable[PaperFigure]) -> dict[str, str]:
    """Return the page of each paper and of each figure of shaded words, by its path below the results folder."""
    by_paper: dict[str, list[PaperFigure]] = {}
    words: dict[str, str] = {}
    for figure in figures:
        by_paper.setdefault(figure.picture.paper, []).append(figure)
        if figure.picture.shows == "hops" and isinstance(figure.content, AttentionContent):
            words[f"{figure.picture.name}.html"] = render_words_page(figure.picture, figure.content)
    return {f"{paper}/figures.md": render_page(own) for paper, own in by_paper.items()} | words


def render_words_page(picture: Picture, content: AttentionContent) -> str:
    """Return the HTML page on which the words of the figure's sentences are shaded by their attention."""
    deviations = f"Deviations from the paper: {'; '.join(content.deviations) or 'none'}."
    details = [content.describe_run(), deviations, *picture.notes, f"{picture.source}; {picture.reference}."]
    text = render_shaded_page(picture.title, [picture.finding] if picture.finding else [], content.sentences, details)
    assert text is not None  # hops are shares of the words
    return text


def render_page(figures: Sequence[PaperFigure]) -> str:
    """Return the markdown page of the figures of one paper."""
    papers = [match[1] for figure in figures if (match := re.match("(.+?), Figure ", figure.picture.title))]
    lines = [
        f"# Figures of {papers[0]}" if papers else "# Figures",
        "",
        f"The figures of {figures[0].picture.reference}, drawn from our runs.",
    ]
    if figures[0].table.scale == "mini":
        lines += ["", table_mini_note(figures[0].table)]
    if words := list(explain_words(figures)):
        lines += ["", *bullets(words)]
    for figure in sorted(figures, key=lambda figure: natural_order(figure.picture.title)):
        picture, content = figure.picture, figure.content
        lines += ["", f"## {picture.title}", ""]
        if content is None:
            lines += [explain_missing(picture, figure.table), ""]
        else:
            name = picture.name.rpartition("/")[2]
            caption = {"features": FEATURES[picture.features], "length": LENGTHS[picture.length]}
            lines += [f"![{picture.alt or picture.title}]({name}.svg)", ""]
            lines += [picture.finding, ""] if picture.finding else []
            kind = "overall hops" if picture.hops == "overall" else picture.shows
            lines += [f"- {text.format(**caption)}" for text in CAPTIONS[kind]]
            lines += [f"- {text}" for text in size_captions(content)] if isinstance(content, SizeCurves) else []
            if picture.shows == "hops":
                lines.append(
                    f"- All hops, as shades of the words: [{name}.html]({name}.html), to be downloaded and opened in a "
                    "browser."
                )
            lines += ["", *render_content(picture, content)]
        notes = bullets([*([picture.finding] if picture.finding and content is None else []), *picture.notes])
        lines += [*notes, *([""] if notes else []), f"Source: {picture.source}."]
    return "\n".join([*lines, "", "Made by `attest figures` from the records.", ""])


def natural_order(title: str) -> list[tuple[str, int]]:
    """Return a key that sorts titles by their texts and by the numbers in them, so that Figure 2 comes before 10."""
    return [(text, int(number or 0)) for text, number in re.findall(r"(\D*)(\d*)", title)]


def explain_words(figures: Sequence[PaperFigure]) -> Iterator[str]:
    """Yield what the words mean that the lists of runs on the page use, as far as they occur."""
    contents = [figure.content for figure in figures if figure.content is not None]
    if any(not isinstance(content, SizeCurves) for content in contents):
        yield (
            'The code after "data" is the fingerprint of the prepared data: two runs with the same code had the same '
            "examples and word vectors."
        )
    if any(record.uncommitted for content in contents for record in records_of(content)):
        yield f'"{UNCOMMITTED}": the code that made this record had changes that no commit holds.'


def records_of(content: Content) -> list[Record]:
    """Return the runs that a figure names, and its record of attention."""
    if isinstance(content, AttentionContent):
        return [content.run, content.record]
    if isinstance(content, SizeCurves):
        return [run for row in content.rows for runs in row.runs.values() for run in runs]
    return [run for curve in content.curves for run in curve.runs]


def size_captions(content: SizeCurves) -> Iterator[str]:
    """Yield the bullets on the accuracy of guessing, and on curves that are continued to the paper's training set."""
    if content.guess is not None and content.shows_guess:
        yield f"Dotted: the accuracy of giving all test pairs their most frequent label, {content.guess:.1f}%."
    elif content.guess is not None:
        yield f"Giving all test pairs their most frequent label is right for {content.guess:.1f}%, below the picture."
    continued = [row.continuation for row in content.rows if row.continuation]
    if continued:
        smallest = " or ".join(dict.fromkeys(f"{curve.law.smallest:,}" for curve in continued))
        papers = " or ".join(dict.fromkeys(f"{curve.paper:,}" for curve in continued))
        yield (
            f"Dashed: a power law, fitted from {smallest} pairs on, up to the {papers} pairs of the paper. The bar at "
            "its end is the law's 95% prediction interval. It does not include the effect of more steps or word "
            "vectors. Bars stand side by side, so that both can be seen."
        )
    if any(row.continuation and row.printed is not None for row in content.rows):
        yield "A star at the end of a dashed line is the figure that the paper prints."

"""The pages of a paper's figures: captions as markdown and words shaded as HTML, from specifications and records."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from attest.inference.attention_maps import printable_word
from attest.reproduction.figures.accuracy_curves import AccuracyCurves, Curve
from attest.reproduction.figures.attention_measures import hop_overlap, pairs_with_maps, shared_word_correlation
from attest.reproduction.figures.content import AttentionContent, Content, PaperFigure
from attest.reproduction.figures.size_curves import SizeCurve, SizeCurves
from attest.reproduction.pages.markdown_parts import nested_bullets
from attest.reproduction.pages.mini_note import table_mini_note
from attest.reproduction.pages.missing_figures import REQUIRED_DATA, explain_missing
from attest.reproduction.pages.numbers import escape_markdown, table_row
from attest.reproduction.pages.shaded_words import render_shaded_page
from attest.reproduction.pages.uncommitted import marked_id
from attest.reproduction.plurals import counted
from attest.reproduction.specs.figure import FEATURES, Picture

CAPTIONS = {
    "lengths": (
        "Each line is one model: its accuracy on the test set against the number of words of a sentence{length}.",
        "A point is the mean over runs, and the band around it their standard deviation.",
        "Bars: the number of test examples of that length.",
    ),
    "sizes": (
        "Each line is one model: its accuracy against the number of training pairs.",
        "The seed draws the pairs; a smaller set is part of a larger one.",
        "A point is the mean over runs. The band around it, or the bar at a point alone, is their standard deviation. "
        "A point of one run has neither.",
    ),
    "epochs": (
        "Each line is one model: its accuracy on the test set against the passes over the training data.",
        "A point is the mean over runs, and the band around it their standard deviation.",
    ),
    "attention": (
        "A line stands for a word and a column for a word that it attends to; the attention is the {features}.",
        "A word that the mask allows to attend to no other word has an empty line.",
    ),
    "gates": (
        "The fusion gate F of eq. 19 of each word, averaged over features.",
        "At 1 the word's own features stay; at 0 the attended ones replace them.",
        "The colours span the values shown, not 0 to 1.",
    ),
    "source2token": (
        "The weights of one word in two sentences, one weight for each feature of the sentence vector.",
        "In each feature, the weights of all words of a sentence sum to 1.",
        "The features stand in the order of the vector, which means nothing: only the likeness of two strips does.",
    ),
    "hops": (
        "A line stands for a hop, and a cell for the share of its attention that a word gets.",
        "The last line is the sum over all hops, scaled to 1.",
        "Hops have no order: the first ones are shown.",
        "All pictures of hops have one scale of colours, from 0 to 1.",
    ),
}
"""The kind of a figure -> the bullets of its caption: first what the reader sees, then how to read it."""

RUNS = "The runs shown, their deviations from the paper, and notes:"
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
    caption = [content.describe_run(), deviations, *picture.notes, f"{picture.source}; {picture.reference}."]
    text = render_shaded_page(picture.title, caption, content.sentences)
    assert text is not None  # hops are shares of the words
    return text


def render_page(figures: Sequence[PaperFigure]) -> str:
    """Return the markdown page of the figures of one paper."""
    lines = ["# Figures", "", f"The figures of {figures[0].picture.reference}, drawn from our runs."]
    if figures[0].table.scale == "mini":
        lines += ["", table_mini_note(figures[0].table)]
    for figure in figures:
        picture, content = figure.picture, figure.content
        lines += ["", f"## {picture.title}", ""]
        if content is None:
            lines += [explain_missing(picture, figure.table), ""]
        else:
            name = picture.name.rpartition("/")[2]
            caption = {"features": FEATURES[picture.features], "length": LENGTHS[picture.length]}
            lines += [f"![{picture.title}]({name}.svg)", ""]
            lines += [f"- {text.format(**caption)}" for text in CAPTIONS[picture.shows]]
            lines += [f"- {text}" for text in size_captions(content)] if isinstance(content, SizeCurves) else []
            if picture.shows == "hops":
                lines.append(
                    f"- All hops, as shades of the words: [{name}.html]({name}.html), to be opened in a browser."
                )
            lines += ["", *render_content(picture, content)]
        lines += [*(f"- {note}" for note in picture.notes), "", f"Source: {picture.source}."]
    return "\n".join([*lines, "", "Made by `attest figures` from the records.", ""])


def size_captions(content: SizeCurves) -> Iterator[str]:
    """Yield the bullets on the accuracy of guessing, and on curves that are continued to the paper's training set."""
    if content.guess is not None and content.shows_guess:
        yield f"Dotted: the accuracy of giving all test pairs their most frequent label, {content.guess:.1f}%."
    elif content.guess is not None:
        yield f"Giving all test pairs their most frequent label is right for {content.guess:.1f}%, below the picture."
    papers = dict.fromkeys(f"{row.continuation.paper:,}" for row in content.rows if row.continuation)
    if papers:
        yield (
            f"Dashed: a power law, fitted to all sizes, up to the {' or '.join(papers)} pairs of the paper. The bar at "
            "its end is the law's 95% prediction interval, which knows nothing of the spread between seeds, of more "
            "steps or of word vectors. Bars stand side by side, so that both can be seen."
        )


def render_content(picture: Picture, content: Content) -> Iterator[str]:
    """Yield the lines below a caption: the runs shown, their deviations, and figures that the picture does not show."""
    if isinstance(content, AccuracyCurves):
        yield from (RUNS, "")
        yield from (render_curve(picture, curve) for curve in content.curves)
        yield from render_deviations({curve.title: curve.deviations for curve in content.curves if curve.runs})
        return
    if isinstance(content, SizeCurves):
        yield from render_size_table(content.rows)
        yield from (RUNS, "")
        yield from (f"- {text}" for row in content.rows for text in render_size_runs(row))
        yield from render_deviations({row.title: row.deviations for row in content.rows})
        return
    yield from (RUNS, "")
    yield f"- {content.describe_run('`')}"
    yield from render_deviations({content.title: content.deviations})
    for pair, first, second in pairs_with_maps(picture, content):
        correlation = shared_word_correlation(pair, first, second)
        yield f'- "{pair.word}": the two vectors have a correlation of {correlation:.2f}.'
    if picture.shows == "hops":
        overlap = np.mean([hop_overlap(sentence.maps["hops"].T) for sentence in content.sentences])
        hops = content.sentences[0].maps["hops"].shape[1]
        yield (
            f"- Any two of the {hops} hops have {overlap:.1%} of their attention in common (the mean over pairs of hops"
            " and sentences; 100%: all hops attend alike, 0%: no two hops attend to the same word)."
        )
    if unknown := list(dict.fromkeys(word for sentence in content.sentences for word in sentence.unknown)):
        yield f"- Words without a vector: {', '.join(escape_markdown(printable_word(word)) for word in unknown)}."


def render_curve(picture: Picture, curve: Curve) -> str:
    """Return the bullet of one curve: how many runs, on which data, their ids, and how many are left out."""
    facts = []
    if curve.runs:
        ids = ", ".join(map(marked_id, curve.runs))
        first = curve.runs[0]
        data = f"{first.settings['dataset.name']}, data `{first.fingerprint}`"
        facts.append(f"{counted(len(curve.runs), 'run')} on {data}: {ids}")
    if curve.left_out:
        facts.append(f"{counted(curve.left_out, 'run')} left out, without {REQUIRED_DATA[picture.shows]}")
    return f"- {curve.title}: {'; '.join(facts)}."


def render_size_table(rows: Sequence[SizeCurve]) -> Iterator[str]:
    """Yield the lines of a table of mean accuracies, with the number of runs, by the number of training pairs."""
    sizes = sorted({size for row in rows for size in row.summaries})
    yield table_row(["Training pairs", *(f"{row.title}, accuracy (%)" for row in rows)])
    yield table_row(["---:"] * (len(rows) + 1))
    for size in sizes:
        summaries = [row.summaries.get(size) for row in rows]
        cells = ["" if ours is None else f"{ours.mean:.1f} ({counted(ours.n, 'run')})" for ours in summaries]
        yield table_row([f"{size:,}", *cells])
    yield ""


def render_size_runs(row: SizeCurve) -> Iterator[str]:
    """Yield the ids of the runs behind each point of one curve."""
    for size, runs in row.runs.items():
        yield f"{row.title}, {size:,} pairs: {', '.join(map(marked_id, runs))}."


def render_deviations(deviations_of: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the deviations from the paper as bullets, once for all titles that share them."""
    titles_of: dict[tuple[str, ...], list[str]] = {}
    for title, deviations in deviations_of.items():
        titles_of.setdefault(deviations, []).append(title)
    for deviations, titles in titles_of.items():
        of_titles = f" ({', '.join(titles)})" if len(titles_of) > 1 else ""
        texts = [escape_markdown(text) for text in deviations] or ["none."]
        yield from nested_bullets(f"Deviations from the paper{of_titles}:", texts)

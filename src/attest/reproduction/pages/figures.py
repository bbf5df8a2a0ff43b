"""The pages of a paper's figures: captions as markdown and words shaded as HTML, from specifications and records."""

import re
from collections.abc import Iterable, Iterator, Sequence

from attest.reproduction.figures.content import AttentionContent, ComparedAttention, Content, PaperFigure
from attest.reproduction.figures.size_curves import SizeCurves
from attest.reproduction.pages.captions import captions
from attest.reproduction.pages.figure_contents import render_content
from attest.reproduction.pages.markdown_parts import bullets
from attest.reproduction.pages.mini_note import table_mini_note
from attest.reproduction.pages.missing_figures import explain_missing
from attest.reproduction.pages.shaded_words import render_shaded_page
from attest.reproduction.pages.uncommitted import UNCOMMITTED
from attest.reproduction.specs.figure import FigureSpec
from attest.runs.records import Record


def figure_pages(figures: Iterable[PaperFigure]) -> dict[str, str]:
    """Return the page of each paper and of each figure of shaded words, by its path below the results folder."""
    by_paper: dict[str, list[PaperFigure]] = {}
    words: dict[str, str] = {}
    for figure in figures:
        by_paper.setdefault(figure.spec.paper, []).append(figure)
        if isinstance(figure.content, ComparedAttention):
            words[f"{figure.spec.name}.html"] = render_words_page(figure.spec, figure.content)
    return {f"{paper}/figures.md": render_page(own) for paper, own in by_paper.items()} | words


def render_words_page(spec: FigureSpec, content: ComparedAttention) -> str:
    """Return the HTML page on which the words of the figure's sentences are shaded by their attention, for each row."""
    runs = [row.describe_run() for row in content.rows]
    deviations = dict.fromkeys(
        f"Deviations from the paper: {'; '.join(row.deviations) or 'none'}." for row in content.rows
    )
    details = [*runs, *deviations, *spec.notes, f"{spec.source}; {spec.reference}."]
    labels = [f", {row.label}" if len(content.rows) > 1 else "" for row in content.rows]
    sentences = {
        f"Sentence {number}{label}": sentence
        for number, by_row in enumerate(zip(*(row.sentences for row in content.rows), strict=True), 1)
        for label, sentence in zip(labels, by_row, strict=True)
    }
    caption = [spec.finding] if spec.finding else []
    text = render_shaded_page(spec.title, caption, [*sentences.values()], details, headings=[*sentences])
    assert text is not None  # hops are shares of the words
    return text


def render_page(figures: Sequence[PaperFigure]) -> str:
    """Return the markdown page of the figures of one paper."""
    papers = [match[1] for figure in figures if (match := re.match("(.+?), Figures? ", figure.spec.title))]
    lines = [
        f"# Figures of {papers[0]}" if papers else "# Figures",
        "",
        f"The figures of {figures[0].spec.reference}, drawn from our runs.",
    ]
    if figures[0].table.scale == "mini":
        lines += ["", table_mini_note(figures[0].table)]
    if words := list(explain_words(figures)):
        lines += ["", *bullets(words)]
    for figure in sorted(figures, key=lambda figure: natural_order(figure.spec.title)):
        spec, content = figure.spec, figure.content
        lines += ["", f"## {spec.title}", ""]
        if content is None:
            lines += [explain_missing(spec, figure.table), ""]
        else:
            name = spec.name.rpartition("/")[2]
            lines += [f"![{spec.alt or spec.title}]({name}.svg)", ""]
            lines += [spec.finding, ""] if spec.finding else []
            lines += bullets(captions(spec, content))
            if spec.shows == "hops":
                lines.append(
                    f"- All hops, as shades of the words: [{name}.html]({name}.html), to be downloaded and opened in a "
                    "browser."
                )
            lines += ["", *render_content(spec, content)]
        notes = bullets([*([spec.finding] if spec.finding and content is None else []), *spec.notes])
        lines += [*notes, *([""] if notes else []), f"Source: {spec.source}."]
    return "\n".join([*lines, "", "Made by `attest figures` from the records.", ""])


def natural_order(title: str) -> list[tuple[str, int]]:
    """Return a key that sorts titles by their texts and by the numbers in them, so that Figure 2 comes before 10, and
    Figures 2 and 4 before Figure 3."""
    parts = re.findall(r"(\D*)(\d*)", title.replace("Figures ", "Figure "))
    return [(text, int(number or 0)) for text, number in parts]


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
    if isinstance(content, AttentionContent | ComparedAttention):
        rows = content.rows if isinstance(content, ComparedAttention) else [content]
        return [record for row in rows for record in (row.run, row.record)]
    if isinstance(content, SizeCurves):
        return [run for row in content.rows for runs in row.runs.values() for run in runs]
    return [run for curve in content.curves for run in curve.runs]

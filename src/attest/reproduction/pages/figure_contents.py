"""The text below the caption of a figure: its numbers, the runs shown, and their deviations."""

from collections.abc import Iterator, Sequence

import numpy as np

from attest.inference.attention_maps import printable_word
from attest.reproduction.figures.accuracy_curves import AccuracyCurves, Curve, bin_labels
from attest.reproduction.figures.attention_measures import hop_overlap, pairs_with_maps, shared_word_correlation
from attest.reproduction.figures.content import Content
from attest.reproduction.figures.size_curves import SizeCurve, SizeCurves
from attest.reproduction.pages.markdown_parts import nested_bullets
from attest.reproduction.pages.missing_figures import REQUIRED_DATA
from attest.reproduction.pages.numbers import escape_markdown, table_row
from attest.reproduction.pages.uncommitted import marked_id
from attest.reproduction.plurals import counted
from attest.reproduction.specs.figure import Picture

RUNS = "The runs shown, their deviations from the paper, and notes:"


def render_content(picture: Picture, content: Content) -> Iterator[str]:
    """Yield the lines below a caption: the runs shown, their deviations, and figures that the picture does not show."""
    if isinstance(content, AccuracyCurves):
        if picture.shows == "lengths":
            yield from render_length_table(picture, [curve for curve in content.curves if curve.runs])
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


def render_length_table(picture: Picture, curves: Sequence[Curve]) -> Iterator[str]:
    """Yield the lines of a table of mean accuracies, with the number of examples, by the length of sentences."""
    words = "Words, mean of a pair" if picture.length == "mean" else "Words"
    yield table_row([words, "Examples", *(f"{curve.title}, accuracy (%)" for curve in curves)])
    yield table_row(["---:"] * (len(curves) + 2))
    for bin_, (label, count) in enumerate(zip(bin_labels(picture.bins), curves[0].counts_or_epochs_C, strict=True)):
        if count:
            yield table_row([label, f"{count:,}", *(f"{curve.accuracy_RC[:, bin_].mean():.1f}" for curve in curves)])
    yield ""


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

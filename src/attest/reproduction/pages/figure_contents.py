"""The text below the caption of a figure: its numbers, the runs shown, and their deviations."""

from collections.abc import Iterator, Sequence

import numpy as np

from attest.inference.attention_maps import printable_word
from attest.reproduction.figures.accuracy_curves import AccuracyCurves, Curve, bin_labels, standard_errors
from attest.reproduction.figures.attention_measures import hop_overlap, pairs_with_maps, shared_word_correlation
from attest.reproduction.figures.content import AttentionContent, ComparedAttention, Content
from attest.reproduction.figures.size_curves import SizeCurve, SizeCurves
from attest.reproduction.pages.markdown_parts import details_block, escape_markdown, nested_bullets, table_row
from attest.reproduction.pages.missing_figures import REQUIRED_DATA
from attest.reproduction.pages.uncommitted import id_with_status
from attest.reproduction.plurals import pluralize
from attest.reproduction.specs.figure import FigureSpec

RUNS = "Runs and deviations from the paper"


def render_content(spec: FigureSpec, content: Content) -> Iterator[str]:
    """Yield the lines below a caption: figures that the picture does not show, and, folded, its runs and deviations."""
    if isinstance(content, AccuracyCurves):
        curves = [curve for curve in content.curves if curve.runs]
        yield from render_length_table(spec, curves) if spec.shows == "lengths" else render_epoch_table(curves)
        runs = [render_curve(spec, curve) for curve in content.curves]
        deviations_of = {curve.title: curve.deviations for curve in curves}
    elif isinstance(content, SizeCurves):
        yield from render_size_table(content.rows)
        runs = [f"- {text}" for row in content.rows for text in render_size_runs(row)]
        deviations_of = {row.title: row.deviations for row in content.rows}
    else:
        rows = content.rows if isinstance(content, ComparedAttention) else [content]
        if measures := list(attention_measures(spec, rows)):
            yield from (*measures, "")
        runs = [f"- {row.describe_run('`')}" for row in rows]
        runs += [f"- Not shown, without a record of attention: {title}." for title in missing_rows(content)]
        deviations_of = {row.title: row.deviations for row in rows}
    yield from details_block(RUNS, [*runs, *render_deviations(deviations_of)])
    yield ""


def missing_rows(content: Content) -> Sequence[str]:
    """Return the titles of the rows that a figure lacks."""
    return content.missing if isinstance(content, ComparedAttention) else ()


def attention_measures(spec: FigureSpec, rows: Sequence[AttentionContent]) -> Iterator[str]:
    """Yield bullets with the numbers that a figure of attention does not show."""
    sentences = [sentence for row in rows for sentence in row.sentences]
    for pair, first, second in pairs_with_maps(spec, rows[0]):
        correlation = shared_word_correlation(pair, first, second)
        yield f'- "{pair.word}": the two vectors have a correlation of {correlation:.2f}.'
    if spec.shows == "gates":
        named = [item for sentence in sentences for item in sentence.word_weights.items()]
        gates = np.concatenate([gate_T for name, gate_T in named if name.startswith("gate")])
        yield f"- The gates shown lie between {gates.min():.2f} and {gates.max():.2f}."
    if spec.shows == "hops":
        yield overlap_of_hops(rows)
    if unknown := list(dict.fromkeys(word for sentence in sentences for word in sentence.unknown)):
        yield f"- Words without a vector: {', '.join(escape_markdown(printable_word(word)) for word in unknown)}."


def overlap_of_hops(rows: Sequence[AttentionContent]) -> str:
    """Return the bullet on the attention that two hops have in common: that of each row, with its name if there are
    several."""
    hops = rows[0].sentences[0].maps["hops"].shape[1]
    shares = [np.mean([hop_overlap(sentence.maps["hops"].T) for sentence in row.sentences]) for row in rows]
    labels = [f" {row.label}" if len(rows) > 1 else "" for row in rows]
    texts = " and ".join(f"{share:.1%}{label}" for share, label in zip(shares, labels, strict=True))
    return (
        f"- Of their attention, any two of the {hops} hops have {texts} in common (the mean over pairs of hops and "
        "sentences; 100%: all hops attend alike, 0%: no two hops attend to the same word)."
    )


def render_curve(spec: FigureSpec, curve: Curve) -> str:
    """Return the bullet of one curve: how many runs, on which data, their ids, and how many are left out."""
    facts = []
    if curve.runs:
        ids = ", ".join(map(id_with_status, curve.runs))
        first = curve.runs[0]
        data = f"{first.settings['dataset.name']}, data `{first.fingerprint}`"
        facts.append(f"{pluralize(len(curve.runs), 'run')} on {data}: {ids}")
    if curve.left_out:
        facts.append(f"{pluralize(curve.left_out, 'run')} left out, without {REQUIRED_DATA[spec.shows]}")
    return f"- {curve.title}: {'; '.join(facts)}."


def render_length_table(spec: FigureSpec, curves: Sequence[Curve]) -> Iterator[str]:
    """Yield the lines of a table of mean accuracies by the length of sentences, with the number of examples and the
    standard error that it leaves."""
    words = "Words, mean of a pair" if spec.length == "mean" else "Words"
    yield table_row([words, "Examples", *(f"{curve.title}, accuracy (%)" for curve in curves), "Standard error"])
    yield table_row(["---:"] * (len(curves) + 3))
    labels, errors_B = bin_labels(spec.bins, spec.length), standard_errors(curves)
    for bin_, (label, count) in enumerate(zip(labels, curves[0].counts_or_epochs_C, strict=True)):
        if count:
            means = [f"{curve.accuracy_RC[:, bin_].mean():.1f}" for curve in curves]
            yield table_row([label, f"{count:,}", *means, f"{errors_B[bin_]:.1f}"])
    yield ""


def render_epoch_table(curves: Sequence[Curve]) -> Iterator[str]:
    """Yield the lines of a table with the accuracy of each curve after its last epoch: mean and standard deviation."""
    yield table_row(["Model", "Epochs", "Accuracy at the end (%)"])
    yield table_row(["---", "---:", "---:"])
    for curve in curves:
        ends_R = curve.accuracy_RC[:, -1]
        sd = f" ± {ends_R.std(ddof=1):.1f}" if len(ends_R) > 1 else ""
        yield table_row([curve.title, f"{curve.counts_or_epochs_C[-1]:.3g}", f"{ends_R.mean():.1f}{sd}"])
    yield ""


def render_size_table(rows: Sequence[SizeCurve]) -> Iterator[str]:
    """Yield the lines of a table of mean accuracies, with the number of runs, by the number of training pairs."""
    sizes = sorted({size for row in rows for size in row.summaries})
    yield table_row(["Training pairs", *(f"{row.title}, accuracy (%)" for row in rows)])
    yield table_row(["---:"] * (len(rows) + 1))
    for size in sizes:
        summaries = [row.summaries.get(size) for row in rows]
        cells = ["" if ours is None else f"{ours.mean:.1f} ({pluralize(ours.n, 'run')})" for ours in summaries]
        yield table_row([f"{size:,}", *cells])
    yield ""


def render_size_runs(row: SizeCurve) -> Iterator[str]:
    """Yield the ids of the runs behind each point of one curve."""
    for size, runs in row.runs.items():
        yield f"{row.title}, {size:,} pairs: {', '.join(map(id_with_status, runs))}."


def render_deviations(deviations_of: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the deviations from the paper as bullets, once for all titles that share them."""
    titles_of: dict[tuple[str, ...], list[str]] = {}
    for title, deviations in deviations_of.items():
        titles_of.setdefault(deviations, []).append(title)
    for deviations, titles in titles_of.items():
        of_titles = f" ({', '.join(titles)})" if len(titles_of) > 1 else ""
        texts = [escape_markdown(text) for text in deviations] or ["none."]
        yield from nested_bullets(f"Deviations from the paper{of_titles}:", texts)

"""The captions of figures: bullets on what the reader sees, and on how to read it."""

from collections.abc import Iterator

from attest.reproduction.figures.accuracy_curves import AccuracyCurves
from attest.reproduction.figures.content import Content
from attest.reproduction.figures.size_curves import SizeCurves
from attest.reproduction.specs.figure import FEATURES, FigureSpec

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
        "A strip stands for a run, and a cell for the share of the overall attention that a word gets: the sum over "
        "all hops, scaled to 1.",
        "All pictures of hops have one scale of colours: the square root of the share, from 0 to 1.",
    ),
}
"""The kind of a figure -> the bullets of its caption: first what the reader sees, then how to read it."""

MEANS = "Behind the gap: the mean of the stop words of the sentence ({words}) and that of its other words."
LENGTHS = {"longest": "", "mean": ", the mean of a pair"}


def captions(spec: FigureSpec, content: Content) -> Iterator[str]:
    """Yield the bullets of a figure's caption."""
    words = {"features": FEATURES[spec.features], "length": LENGTHS[spec.length]}
    kind = "overall hops" if spec.hops == "overall" else spec.shows
    yield from (text.format(**words) for text in CAPTIONS[kind])
    if spec.stop_words:
        yield MEANS.format(words=", ".join(spec.stop_words))
    if isinstance(content, AccuracyCurves | SizeCurves):
        yield from majority_captions(content)
    if isinstance(content, SizeCurves):
        yield from size_captions(content)


def majority_captions(content: AccuracyCurves | SizeCurves) -> Iterator[str]:
    """Yield the bullet on the majority baseline, if it is known."""
    items = "pairs" if isinstance(content, SizeCurves) else "examples"
    if content.majority is not None and content.shows_majority:
        yield f"Dotted: the accuracy of giving all test {items} their most frequent label, {content.majority:.1f}%."
    elif content.majority is not None:
        label = f"Giving all test {items} their most frequent label"
        yield f"{label} is right for {content.majority:.1f}%, below the picture."


def size_captions(content: SizeCurves) -> Iterator[str]:
    """Yield the bullets on curves that are continued to the paper's training set."""
    continued = [row.continuation for row in content.rows if row.continuation]
    if continued:
        smallest = " or ".join(dict.fromkeys(f"{curve.law.smallest:,}" for curve in continued))
        papers = " or ".join(dict.fromkeys(f"{curve.paper_size:,}" for curve in continued))
        yield (
            f"Dashed: a power law, fitted from {smallest} pairs on, up to the {papers} pairs of the paper. The bar at "
            "its end is the law's 95% prediction interval. It does not include the effect of more steps or word "
            "vectors. Bars stand side by side, so that both can be seen."
        )
    if any(row.continuation and row.printed_accuracy is not None for row in content.rows):
        yield "A star at the end of a dashed line is the figure that the paper prints."

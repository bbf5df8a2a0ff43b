"""Trees drawn at random."""

from attest.syntax.trees import from_spans


def drawn_tree(rng, number):
    """Return a tree of `number` words with nodes of any number of parts, grown from the root."""
    spans, open_spans = set(), [(0, number)]
    while open_spans:
        start, end = open_spans.pop()
        if end - start < 2:
            continue
        spans.add((start, end))
        cuts = sorted(rng.sample(range(start + 1, end), rng.randint(1, min(4, end - start - 1))))
        open_spans += zip([start, *cuts], [*cuts, end], strict=True)
    return from_spans([f"w{place}" for place in range(number)], spans)

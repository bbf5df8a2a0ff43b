"""Sections and bullets of markdown pages."""

from collections.abc import Iterable, Iterator, Sequence


def section(title: str, lines: Sequence[str]) -> list[str]:
    """Return the lines below a heading, or no lines if there is nothing to put there."""
    return ["", f"## {title}", "", *lines] if lines else []


def bullets(texts: Iterable[str]) -> list[str]:
    """Return a bullet for each text."""
    return [f"- {text}" for text in texts]


def nested_bullets(title: str, texts: Sequence[str]) -> Iterator[str]:
    """Yield one bullet if there is one text, else a bullet with the title and the texts as bullets below it."""
    if len(texts) == 1:
        yield f"- {title} {texts[0]}"
        return
    yield f"- {title}"
    yield from (f"  - {text}" for text in texts)

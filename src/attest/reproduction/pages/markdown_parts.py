"""Sections, bullets, code and rows of tables of markdown pages."""

import re
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


def details_block(summary: str, lines: Iterable[str]) -> list[str]:
    """Return the lines as a collapsed section of a page, which a reader can open."""
    return ["<details>", f"<summary>{summary}</summary>", "", *lines, "", "</details>"]


def code_span(text: str) -> str:
    """Return the text as code inside a paragraph, between more backticks than it has itself."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    margin = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{margin}{text}{margin}{fence}"


def escape_cell(text: str) -> str:
    """Return the text of a table's cell with the signs of markdown escaped, except bars, which `table_row` escapes."""
    return "|".join(map(escape_markdown, text.split("|")))


def escape_links_and_html(text: str) -> str:
    """Return a text without links, images and HTML: their first signs are escaped, and all others left, so that
    settings such as [forward,backward] are read and searched as they were typed."""
    return re.sub(r"<|\](?=[(\[])", r"\\\g<0>", text)


def table_row(texts: list[str]) -> str:
    """Return a row of a markdown table, with bars inside cells escaped and line ends as spaces."""
    return "| " + " | ".join(" ".join(text.replace("|", "\\|").splitlines()) for text in texts) + " |"


def escape_markdown(text: str) -> str:
    """Return the text with the signs of markdown escaped, so that it is shown as it is. Markdown leaves underscores
    inside words alone."""
    return re.sub(r"([\\`*\[\]<>|#]|(?<!\w)_|_(?!\w))", r"\\\1", text)

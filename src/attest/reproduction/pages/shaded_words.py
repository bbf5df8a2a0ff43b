"""Attention as an HTML page of shaded words; the page loads nothing and runs nothing.

The shade of a word is the square root of its weight, on every page: so pages can be compared, and the words of a long
sentence have shades that can be seen.

Legend: T words of one sentence, R lines of a block (hops).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import sqrt

import numpy as np

from attest.inference.attention_maps import SentenceMaps, printable_word

LINK = r"\[([^]]+)\]\([^)]*\)"
"""A link of markdown."""
STRONGEST = 3
"""The number of words of a line that are named with their weights."""

THEMES = {
    "light": {"page": "#ffffff", "text": "#1a1a1a", "dim": "#595959", "shade": "236 132 52"},
    "dark": {"page": "#16181c", "text": "#f0f0f0", "dim": "#b0b0b0", "shade": "178 76 0"},
}
"""The colours of each theme. Text on the full shade can be read."""

STYLE = """\
:root{color-scheme:light dark;LIGHT}
@media(prefers-color-scheme:dark){:root{DARK}}
body{max-width:50rem;margin:2rem auto;padding:0 1rem;font:1rem/1.7 system-ui,sans-serif;
background:var(--page);color:var(--text)}
h1{font-size:1.4rem;line-height:1.3}h2{font-size:1.15rem;margin-top:2.5rem}h3,summary{font-size:1rem;font-weight:600}
p{margin:.4rem 0}ol{padding-left:2.2rem}.most,caption{color:var(--dim);font-size:.85rem;text-align:left}
.words{overflow-wrap:anywhere}
.words span{background:rgb(var(--shade)/var(--w));border-radius:.2em;padding:.1em .15em;margin:0 -.15em;
-webkit-print-color-adjust:exact;print-color-adjust:exact}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}
th,td{padding:.1rem .5rem;text-align:right;white-space:nowrap}tbody th{text-align:left;font-weight:400}"""

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>The stronger the shade of a word, the more attention it gets: the shade is the square root of the word's weight, and
full for a weight of 1, on every page. All weights stand below each sentence.</p>
{caption}
{details}
{sentences}
</main>
</body>
</html>
"""
FOLDED = "<details>\n<summary>Run and notes</summary>\n{paragraphs}\n</details>"


@dataclass(frozen=True, eq=False)
class WeightBlock:
    """Lines of weights of the words of a sentence that stand together, such as all hops of an encoder."""

    title: str
    weights_RT: np.ndarray

    @property
    def column_titles(self) -> list[str]:
        """The titles of its columns in the table of all weights, one for each line."""
        return (
            [f"hop {number}" for number in range(1, len(self.weights_RT) + 1)]
            if self.has_several_lines
            else [self.title]
        )

    @property
    def has_several_lines(self) -> bool:
        """True if the block has several lines, as that of the hops has."""
        return len(self.weights_RT) > 1


def weight_blocks(sentence: SentenceMaps) -> Iterator[WeightBlock]:
    """Yield the blocks of a sentence: the mean over hops and then each hop, or the other weights of single words.

    Maps from words to words are left to pictures. Gates are left out because they do not sum to 1 over the words.
    """
    for name, weights_T in sentence.word_weights.items():
        if name == "hops":
            hops_RT = sentence.maps[name].T
            yield WeightBlock(f"all {len(hops_RT)} hops" if len(hops_RT) > 1 else "the only hop", weights_T[None])
            if len(hops_RT) > 1:
                yield WeightBlock("each hop", hops_RT)
        elif not name.startswith("gate"):
            yield WeightBlock(escape(name), weights_T[None])


def render_shaded_page(
    title: str,
    caption: Sequence[str],
    sentences: Sequence[SentenceMaps],
    details: Sequence[str] = (),
    *,
    headings: Sequence[str] = (),
) -> str | None:
    """Return the HTML of the page, or None if there are no weights of single words to shade.

    `caption` stands above the sentences, and `details` too, but folded. Both may have code between backticks and links.
    `headings` stand above each sentence; by default it is numbered.
    """
    headings = headings or [f"Sentence {number}" for number in range(1, len(sentences) + 1)]
    sections = [(h, s, list(weight_blocks(s))) for h, s in zip(headings, sentences, strict=True)]
    if not any(blocks for _, _, blocks in sections):
        return None
    return PAGE.format(
        title=escape(title),
        style=STYLE.replace("LIGHT", css_variables("light")).replace("DARK", css_variables("dark")),
        caption=render_paragraphs(caption),
        details=FOLDED.format(paragraphs=render_paragraphs(details)) if details else "",
        sentences="\n".join(render_section(*section) for section in sections),
    )


def render_paragraphs(texts: Sequence[str]) -> str:
    """Return texts as paragraphs, with code between backticks as such, and links as their texts: the page has none."""
    without_links = [re.sub(LINK, r"\1", text) for text in texts]
    return "\n".join(f"<p>{render_code(text)}</p>" for text in without_links)


def render_code(text: str) -> str:
    """Return a text as HTML, with the parts between backticks as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def css_variables(theme: str) -> str:
    """Return the colours of a theme as CSS variables."""
    return ";".join(f"--{name}:{value}" for name, value in THEMES[theme].items())


def render_section(heading: str, sentence: SentenceMaps, blocks: Sequence[WeightBlock]) -> str:
    """Return the HTML of one sentence: its blocks, and all weights as a table."""
    words = [escape(printable_word(word)) for word in sentence.words]
    shades = "\n".join(render_block(block, words) for block in blocks)
    numbers = render_numbers(heading, blocks, words)
    return f"<section>\n<h2>{escape(heading)}</h2>\n{shades}\n{numbers}\n</section>"


def render_block(block: WeightBlock, words: Sequence[str]) -> str:
    """Return the HTML of one block: always open if it has one line, else a section that a reader can unfold."""
    lines = [render_line(weights_T, words) for weights_T in block.weights_RT]
    title = block.title[:1].upper() + block.title[1:]
    if not block.has_several_lines:
        return f"<h3>{title}</h3>\n{lines[0]}"
    items = "\n".join(f"<li>{text}</li>" for text in lines)
    return f"<details>\n<summary>{title}</summary>\n<ol>\n{items}\n</ol>\n</details>"


def render_line(weights_T: np.ndarray, words: Sequence[str]) -> str:
    """Return the HTML of one line: the shaded words and, for readers who see no shades, the strongest words as text."""
    spans = [render_word(float(weight), word) for weight, word in zip(weights_T, words, strict=True)]
    most = np.argsort(-weights_T, kind="stable")[:STRONGEST]
    named = ", ".join(f"<q>{words[place]}</q> {weights_T[place]:.2f}" for place in most)
    return f'<p class="words">{" ".join(spans)}</p>\n<p class="most">Most: {named}</p>'


def render_word(weight: float, word: str) -> str:
    """Return the HTML of one word, shaded by the square root of its weight unless that rounds to 0."""
    rounded = f"{sqrt(weight):.2f}".rstrip("0").rstrip(".")
    return word if rounded == "0" else f'<span style="--w:{rounded}">{word}</span>'


def render_numbers(heading: str, blocks: Sequence[WeightBlock], words: Sequence[str]) -> str:
    """Return the HTML of a table with all weights, which can be reached and scrolled by keyboard."""
    names = [name for block in blocks for name in block.column_titles]
    caption = escape(f"Weights of {heading[:1].lower()}{heading[1:]}")
    head = "".join(f'<th scope="col">{name}</th>' for name in ("word", *names))
    weights_TC = np.concatenate([block.weights_RT for block in blocks]).T
    rows = "\n".join(
        f'<tr><th scope="row">{word}</th>{"".join(f"<td>{weight:.3f}</td>" for weight in weights_C)}</tr>'
        for word, weights_C in zip(words, weights_TC, strict=True)
    )
    return (
        f"<details>\n<summary>All numbers</summary>\n"
        f'<div class="scroll" role="region" aria-label="{caption}" tabindex="0">\n'
        f"<table>\n<caption>{caption}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table>\n</div>\n</details>"
    )

"""Attention as a page of text whose words are shaded: one HTML file that loads nothing and runs nothing.

Legend: T words of one sentence, R lines of a part (hops).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from attest.inference.attention_maps import Seen, shown

STRONGEST = 3
"""How many words of a line are named with their weights."""

THEMES = {
    "light": {"page": "#ffffff", "text": "#1a1a1a", "dim": "#595959", "shade": "236 132 52"},
    "dark": {"page": "#16181c", "text": "#f0f0f0", "dim": "#b0b0b0", "shade": "178 76 0"},
}
"""The full shade is such that text on it can be read."""

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
{caption}
<p>The stronger the shade of a word, the more of the attention it has. Each part goes by its own strongest word; the
numbers stand below each sentence.</p>
{sentences}
</main>
</body>
</html>
"""


@dataclass(frozen=True, eq=False)
class Part:
    """Lines that share one scale of shades."""

    title: str
    weights_RT: np.ndarray

    @property
    def names(self) -> list[str]:
        """Of its lines, as columns are headed."""
        return [f"hop {number}" for number in range(1, len(self.weights_RT) + 1)] if self.several else [self.title]

    @property
    def several(self) -> bool:
        return len(self.weights_RT) > 1


def parts(sentence: Seen) -> Iterator[Part]:
    """What the words of a sentence share among them: of hops all together, scaled to 1, and then each of them.
    Attention between words is for pictures, and gates share nothing."""
    for name, weights_T in sentence.single.items():
        if name == "hops":
            hops_RT = sentence.maps[name].T
            yield Part(f"all {len(hops_RT)} hops" if len(hops_RT) > 1 else "the only hop", weights_T[None])
            if len(hops_RT) > 1:
                yield Part("each hop", hops_RT)
        elif not name.startswith("gate"):
            yield Part(escape(name), weights_T[None])


def page(title: str, caption: Sequence[str], sentences: Sequence[Seen]) -> str | None:
    """None where the encoder has nothing to shade."""
    found = [(sentence, list(parts(sentence))) for sentence in sentences]
    if not any(own for _, own in found):
        return None
    return PAGE.format(
        title=escape(title),
        style=STYLE.replace("LIGHT", variables("light")).replace("DARK", variables("dark")),
        caption="\n".join(f"<p>{escape(text)}</p>" for text in caption),
        sentences="\n".join(section(number, *each) for number, each in enumerate(found, 1)),
    )


def variables(theme: str) -> str:
    return ";".join(f"--{name}:{value}" for name, value in THEMES[theme].items())


def section(number: int, sentence: Seen, own: Sequence[Part]) -> str:
    words = [escape(shown(word)) for word in sentence.words]
    shades = "\n".join(shaded(part, words) for part in own)
    return f"<section>\n<h2>Sentence {number}</h2>\n{shades}\n{numbers(number, own, words)}\n</section>"


def shaded(part: Part, words: Sequence[str]) -> str:
    """A part of one line stands open; one of several can be folded away."""
    strongest = float(part.weights_RT.max())
    lines = [line(weights_T, strongest, words) for weights_T in part.weights_RT]
    title = part.title[:1].upper() + part.title[1:]
    if not part.several:
        return f"<h3>{title}</h3>\n{lines[0]}"
    items = "\n".join(f"<li>{text}</li>" for text in lines)
    return f"<details open>\n<summary>{title}</summary>\n<ol>\n{items}\n</ol>\n</details>"


def line(weights_T: np.ndarray, strongest: float, words: Sequence[str]) -> str:
    """The words with their shades, and in words which have most, for whoever does not see shades."""
    spans = [span(weight / strongest, word) for weight, word in zip(weights_T, words, strict=True)]
    most = np.argsort(-weights_T, kind="stable")[:STRONGEST]
    named = ", ".join(f"<q>{words[place]}</q> {weights_T[place]:.2f}" for place in most)
    return f'<p class="words">{" ".join(spans)}</p>\n<p class="most">Most: {named}</p>'


def span(share: float, word: str) -> str:
    """Without a shade where none would be seen."""
    rounded = f"{share:.2f}".rstrip("0").rstrip(".")
    return word if rounded == "0" else f'<span style="--w:{rounded}">{word}</span>'


def numbers(number: int, own: Sequence[Part], words: Sequence[str]) -> str:
    """All weights as a table, which the keyboard can reach and scroll."""
    names = [name for part in own for name in part.names]
    head = "".join(f'<th scope="col">{name}</th>' for name in ("word", *names))
    weights_TC = np.concatenate([part.weights_RT for part in own]).T
    rows = "\n".join(
        f'<tr><th scope="row">{word}</th>{"".join(f"<td>{weight:.3f}</td>" for weight in weights_C)}</tr>'
        for word, weights_C in zip(words, weights_TC, strict=True)
    )
    return (
        f"<details>\n<summary>All numbers</summary>\n"
        f'<div class="scroll" role="region" aria-label="Weights of sentence {number}" tabindex="0">\n'
        f"<table>\n<caption>Weights of sentence {number}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table>\n</div>\n</details>"
    )

"""Pages of shaded words: the numbers by hand, hostile words, and what a reader without eyes or colours gets."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from attest.inference.attention_maps import SentenceMaps
from attest.reproduction.pages.shaded_words import THEMES, render_shaded_page

HOSTILE = ("<script>alert(1)</script>", "&amp;", '"><img src=x onerror=alert(1)>', "'", "", "\x1b[1m", "\u202e", "</p>")


class Read(HTMLParser):
    """Elements with their attributes, and the text of each."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.unclosed = [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append([tag, dict(attrs), ""])
        if tag not in ("meta",):
            self.open.append(self.elements[-1])

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        for element in self.open:
            element[2] += data

    def texts(self, tag):
        return [text for name, _, text in self.elements if name == tag]


def seen(words, hops_RT):
    return SentenceMaps(" ".join(words), tuple(words), (), {"hops": np.array(hops_RT).T})


def written(*sentences, title="Title", caption=("Run r1.",)):
    text = render_shaded_page(title, caption, sentences)
    assert text is not None
    return text


def test_two_hops_by_hand():
    text = written(seen(["a", "dog", "runs"], [[0.2, 0.8, 0.0], [0.4, 0.0, 0.6]]))
    read = Read(text)
    shades = re.findall(r'<p class="words">(.*)</p>', text)
    assert shades == [
        '<span style="--w:0.55">a</span> <span style="--w:0.63">dog</span> <span style="--w:0.55">runs</span>',
        '<span style="--w:0.45">a</span> <span style="--w:0.89">dog</span> runs',
        '<span style="--w:0.63">a</span> dog <span style="--w:0.77">runs</span>',
    ]
    assert [text for tag, given, text in read.elements if given.get("class") == "most"] == [
        "Most: dog 0.40, a 0.30, runs 0.30",
        "Most: dog 0.80, a 0.20, runs 0.00",
        "Most: runs 0.60, a 0.40, dog 0.00",
    ]
    assert read.texts("td") == ["0.300", "0.200", "0.400", "0.400", "0.800", "0.000", "0.300", "0.000", "0.600"]
    assert read.texts("th") == ["word", "all 2 hops", "hop 1", "hop 2", "a", "dog", "runs"]


def test_words_are_text_whatever_they_hold():
    plain = Read(written(seen(["a"] * len(HOSTILE), np.full((2, len(HOSTILE)), 1 / len(HOSTILE)))))
    text = written(
        seen(HOSTILE, np.full((2, len(HOSTILE)), 1 / len(HOSTILE))), title="<b>&", caption=["<script>", "a\"b'"]
    )
    read = Read(text)
    assert [(tag, sorted(given)) for tag, given, _ in read.elements if tag != "p"] == [
        (tag, sorted(given)) for tag, given, _ in plain.elements if tag != "p"
    ]
    assert read.texts("h1") == ["<b>&"]
    assert [text for tag, given, text in read.elements if tag == "th" and given["scope"] == "row"] == [
        "<script>alert(1)</script>", "&amp;", '"><img src=x onerror=alert(1)>', "'", "∅", "�[1m", "�", "</p>",
    ]  # fmt: skip
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_nothing_is_loaded_and_nothing_runs():
    text = written(seen(["a", "dog"], [[0.5, 0.5]]))
    assert "default-src 'none'" in text
    assert not re.search(r"<(script|link|img|iframe|object|form)|\bon\w+=|src=|href=|url\(|@import|https?:", text)


def test_one_hop_is_shown_once_and_other_maps_without_hops():
    assert "<ol>" not in written(seen(["a", "dog"], [[0.5, 0.5]]))
    maps = {"attention_0": np.eye(2), "gate_0": np.ones(2), "source2token": np.array([[0.3, 0.5], [0.7, 0.5]])}
    read = Read(written(SentenceMaps("a dog", ("a", "dog"), (), maps)))
    assert read.texts("h3") == ["Source2token"]
    assert read.texts("td") == ["0.400", "0.600"]
    assert (
        render_shaded_page(
            "", [], [SentenceMaps("a dog", ("a", "dog"), (), {"gate_0": np.ones(2), "attention_0": np.eye(2)})]
        )
        is None
    )


def test_readers_without_eyes_and_without_a_mouse():
    read = Read(written(seen(["a", "dog"], [[0.5, 0.5], [0.9, 0.1]])))
    of = {tag: given for tag, given, _ in read.elements}
    assert of["html"] == {"lang": "en"}
    headings = [tag for tag, _, _ in read.elements if re.fullmatch("h[1-6]", tag)]
    assert headings == ["h1", "h2", "h3"]
    assert read.texts("summary") == ["Each hop", "All numbers"]  # opened and closed by the keyboard
    assert of["div"] == {
        "class": "scroll", "role": "region", "aria-label": "Weights of sentence 1", "tabindex": "0",
    }  # fmt: skip
    assert read.texts("caption") == ["Weights of sentence 1"]
    assert all("scope" in given for tag, given, _ in read.elements if tag == "th")


def luminance(colour):
    """As the Web Content Accessibility Guidelines define it."""
    shares = np.array(colour) / 255
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_every_shade_can_be_read_on_in_light_and_dark(theme):
    colours = {name: [int(value[i : i + 2], 16) for i in (1, 3, 5)] for name, value in THEMES[theme].items()
               if value.startswith("#")}  # fmt: skip
    shade, paper = np.array([int(part) for part in THEMES[theme]["shade"].split()]), np.array(colours["page"])
    for weight in np.linspace(0, 1, 11):
        assert contrast(colours["text"], weight * shade + (1 - weight) * paper) >= 4.5
    assert contrast(colours["dim"], paper) >= 4.5
    assert contrast(shade, paper) > 1.9  # and the full shade stands out
    style = written(seen(["a", "dog"], [[0.5, 0.5]]))
    assert all(f"--{name}:{value}" in style for name, value in THEMES[theme].items())


def test_a_page_of_all_hops_is_small():
    words = ["The", "soup", "was", "cold", "and", "the", "waiter", "rude", ",", "we", "will", "never", "come", "back"]
    random = np.random.default_rng(0).dirichlet(np.full(len(words), 0.3), 30)
    assert len(written(seen(words, random))) < 40_000


def test_the_same_weight_has_the_same_shade_on_every_page():
    shades = [re.findall("--w:([0-9.]+)", written(seen(["a", "dog"], [[share, 1 - share]]))) for share in (0.25, 0.09)]
    assert shades == [["0.5", "0.87"], ["0.3", "0.95"]]


def test_reading_instructions_come_first_and_the_run_is_folded():
    text = render_shaded_page("T", ["Finding."], [seen(["a"], [[1.0]])], ["From `ssa/recipe`, see [a page](a.md)."])
    assert text is not None
    assert text.index("The stronger") < text.index("Finding.") < text.index("<summary>Run and notes</summary>")
    assert "<p>From <code>ssa/recipe</code>, see a page.</p>" in text

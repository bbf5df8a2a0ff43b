"""`make docs`: every link of the site leads somewhere, and no page asks the network for anything."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from places import ROOT

LOADED = {"src", "srcset", "data-src"}
"""The attributes whose files a browser loads by itself; a link element loads its href too."""


class Page(HTMLParser):
    """The links of a page, what it loads, and the anchors in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in LOADED or (name == "href" and tag == "link"):
                self.loaded.add(value or "")
            elif name == "href":
                self.links.add(value or "")
            elif name in ("id", "name"):
                self.anchors.add(value or "")


def faults(site: Path) -> list[str]:
    """Return the links of a site that lead nowhere, and the addresses in the network that its pages load."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    wrong = []
    for path, page in pages.items():
        for link in sorted(page.links | page.loaded):
            address = urlsplit(link)
            if address.scheme in ("http", "https", "mailto", "data") or link.startswith("//"):
                if link in page.loaded and address.scheme != "data":
                    wrong.append(f"{path.relative_to(site.resolve())} loads {link}")
                continue
            target = (path.parent / unquote(address.path)).resolve() if address.path else path
            target = target / "index.html" if target.is_dir() else target
            anchor = unquote(address.fragment)
            if not target.is_file() or (anchor and target in pages and anchor not in pages[target].anchors):
                wrong.append(f"{path.relative_to(site.resolve())} links to {link}")
    return wrong


def test_the_navigation_names_each_page_once():
    pages = re.findall(r"\S+\.md$", (ROOT / "docs/site/mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(pages) > 10
    assert len(pages) == len(set(pages))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = ["mkdocs", "build", "-f", str(ROOT / "docs/site/mkdocs.yml"), "-d", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *command], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_link_leads_somewhere_and_nothing_comes_from_the_network(site):
    error_page = "404.html"  # the paths in it are those of a server
    assert [fault for fault in faults(site) if not fault.startswith(error_page)] == []
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert "url(http" not in styles
    assert "@import" not in styles
    assert not [page for page in site.rglob("*.html") if "mermaid" in page.read_text(encoding="utf-8")]  # needs a CDN


def test_every_page_is_in_the_site(site):
    pages = [path.relative_to(ROOT) for path in (ROOT / "docs").rglob("*.md")]
    assert len(pages) > 10
    for page in pages:
        assert (site / page.with_suffix(".html")).is_file(), page
    assert "Attest" in (site / "index.html").read_text(encoding="utf-8")
    assert 'id="attest.models.DiSAN"' in (site / "docs/reference/models.html").read_text(encoding="utf-8")


def test_nested_lists_folded_parts_and_pages_of_results(site):
    page = (site / "results/dam/table5.html").read_text(encoding="utf-8")
    assert re.search(r"<li>\[1\]\s*<ul>", page), "a footnote has its list inside it"
    page = (site / "results/ssa/figures.html").read_text(encoding="utf-8")
    assert 'href="../disan/table1.html"' in page
    if "<details" in (ROOT / "results/ssa/figures.md").read_text(encoding="utf-8"):
        assert re.search(r"</summary>\s*<ul>", page), "folded parts have Markdown too"


def test_broken_links_and_addresses_in_the_network_are_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html">1</a><a href="b.html#there">2</a><a href="#here">3</a><h1 id="here"></h1>'
        '<a href="c.html">4</a><a href="b.html#gone">5</a><a href="#gone">6</a><a href="https://example.org">7</a>'
        '<img src="https://example.org/x.png"><link href="//example.org/x.css"><script src="x.js"></script>'
    )
    (tmp_path / "b.html").write_text('<p id="there"></p>')
    assert faults(tmp_path) == [
        "a.html links to #gone",
        "a.html loads //example.org/x.css",
        "a.html links to b.html#gone",
        "a.html links to c.html",
        "a.html loads https://example.org/x.png",
        "a.html links to x.js",
    ]

"""The files of the site, at the places that they have in the repository, so that links are the same on both."""

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
SINGLE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CITATION.cff", "LICENSE", "tests/README.md")
OWN_RESULTS = ("mini", "local", "records")
"""The folders in `results` that hold no published pages."""
SHOWN = (".md", ".png", ".svg", ".html")
"""The suffixes of files that are pages, or that pages show."""


NO_ALT = "The picture that the code above draws"
"""The alternative text of a picture of a notebook whose cell has no metadata named alt."""
STYLES = "pictures.css"
STYLE = 'img[src$=".svg"] { border-radius: 0.3rem; padding: 0.4rem; background: #fff; }'
"""Pictures are drawn on white, so in dark mode they get a margin, as a sheet has."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Return the configuration with the pages of results below their front page in the navigation, and our styles."""
    papers: dict[str, list[str]] = {}
    for path in sorted((ROOT / "results").rglob("*.md")):
        name = path.relative_to(ROOT / "results")
        if name.parts[0] not in OWN_RESULTS and name.name != "README.md":
            papers.setdefault(name.parts[0] if len(name.parts) > 1 else "", []).append(f"results/{name.as_posix()}")
    pages = [*papers.pop("", []), *({paper: own} for paper, own in papers.items())]
    config.nav = [
        {"Results": [entry["Results"], *pages]} if "Results" in entry else entry for entry in config.nav or []
    ]
    config.extra_css.append(STYLES)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the files of the theme and those of the repository, in place of what MkDocs found in its one folder."""
    theme = [file for file in files if not Path(file.abs_src_path or "").is_relative_to(ROOT / "docs")]
    own = {path.relative_to(ROOT).as_posix(): path for path in repository_files()}
    copied = [File.generated(config, name, abs_src_path=str(path)) for name, path in own.items()]
    tour = File.generated(config, "docs/tour.md", content=notebook_page(ROOT / "docs/tour.ipynb"))
    return Files([*theme, *copied, tour, File.generated(config, STYLES, content=STYLE)])


def repository_files() -> Iterator[Path]:
    """Yield the files of the repository that are pages, or that pages show."""
    yield from (ROOT / name for name in SINGLE)
    for folder, left_out in (("docs", ("site",)), ("results", OWN_RESULTS)):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SHOWN and path.relative_to(ROOT / folder).parts[0] not in left_out:
                yield path


def on_page_markdown(markdown: str, **_: object) -> str:
    """Return the text of a page as Python-Markdown reads it, with links to the page of the notebook, not to its file.

    A nested list is indented by two spaces on GitHub, and by four in Python-Markdown. Folded parts have Markdown too.
    """
    markdown = markdown.replace("tour.ipynb)", "tour.md)").replace("<details>", '<details markdown="1">')
    blocks = re.split(r"(^ *```.*?^ *```)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(block if place % 2 else nested_lists(block) for place, block in enumerate(blocks))


def nested_lists(markdown: str) -> str:
    """Return a text without code in which items of nested lists have twice the indentation."""
    return re.sub(r"^( {2,})(?=[-*] )", lambda match: 2 * match[1], markdown, flags=re.MULTILINE)


def notebook_page(path: Path) -> str:
    """Return a notebook as Markdown: its text, its code, and what the code printed."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join(part for cell in cells for part in cell_parts(cell))


def cell_parts(cell: dict[str, Any]) -> Iterator[str]:
    """Yield the Markdown of a cell of a notebook, and of each of its outputs."""
    source = "".join(cell["source"])
    yield source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```"
    for output in cell.get("outputs", ()):
        data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
        if "image/png" in data:
            alt = cell.get("metadata", {}).get("alt", NO_ALT)
            yield f'<img alt="{escape(alt)}" src="data:image/png;base64,{data["image/png"].strip()}">'
        elif "text/markdown" in data:
            yield re.sub("^#", "###", data["text/markdown"], flags=re.MULTILINE)  # below the headings of the page
        else:
            yield f"```text\n{data.get('text/plain') or ''.join(output['text'])}\n```"

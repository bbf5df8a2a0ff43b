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


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the files of the theme and those of the repository, in place of what MkDocs found in its one folder."""
    theme = [file for file in files if not Path(file.abs_src_path or "").is_relative_to(ROOT / "docs")]
    own = {path.relative_to(ROOT).as_posix(): path for path in repository_files()}
    copied = [File.generated(config, name, abs_src_path=str(path)) for name, path in own.items()]
    tour = File.generated(config, "docs/tour.md", content=notebook_page(ROOT / "docs/tour.ipynb"))
    return Files([*theme, *copied, tour])


def repository_files() -> Iterator[Path]:
    """Yield the files of the repository that are pages, or that pages show."""
    yield from (ROOT / name for name in SINGLE)
    for folder, left_out in (("docs", ("site",)), ("results", OWN_RESULTS)):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SHOWN and path.relative_to(ROOT / folder).parts[0] not in left_out:
                yield path


def on_page_markdown(markdown: str, **_: object) -> str:
    """Return the text of a page with links to the page of the notebook in place of those to its file."""
    return markdown.replace("tour.ipynb)", "tour.md)")


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
            yield f'<img alt="{escape(data["text/plain"])}" src="data:image/png;base64,{data["image/png"].strip()}">'
        elif "text/markdown" in data:
            yield re.sub("^#", "###", data["text/markdown"], flags=re.MULTILINE)  # below the headings of the page
        else:
            yield f"```text\n{data.get('text/plain') or ''.join(output['text'])}\n```"

"""The files of the site, at the places that they have in the repository, so that links are the same on both."""

from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
SINGLE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CITATION.cff", "LICENSE")
OWN_RESULTS = ("mini", "local", "records")
"""The folders in `results` that hold no published pages."""
SHOWN = (".md", ".png", ".svg", ".html")
"""The suffixes of the files in `results` that are pages, or that pages show."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the files of the theme and those of the repository, in place of what MkDocs found in its one folder."""
    theme = [file for file in files if not Path(file.abs_src_path or "").is_relative_to(ROOT / "docs")]
    own = {path.relative_to(ROOT).as_posix(): path for path in repository_files()}
    return Files([*theme, *(File.generated(config, name, abs_src_path=str(path)) for name, path in own.items())])


def repository_files() -> Iterator[Path]:
    """Yield the files of the repository that are pages, or that pages show."""
    yield from (ROOT / name for name in SINGLE)
    yield from sorted((ROOT / "docs").rglob("*.md"))
    for path in sorted((ROOT / "results").rglob("*")):
        if path.suffix in SHOWN and path.relative_to(ROOT / "results").parts[0] not in OWN_RESULTS:
            yield path

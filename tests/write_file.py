"""Files that tests write for commands to read."""

from pathlib import Path


def write_file(path: Path, content: str | bytes) -> Path:
    """Write a file, and its folder if that is missing; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path

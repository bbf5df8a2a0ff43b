"""A download that resumes where an earlier one stopped.

It is written to a temporary file beside its target, and renamed once its checksum is correct.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import requests
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from attest.system.write_errors import translate_write_errors

CHUNK_BYTES = 2**16
TIMEOUT_SECONDS = 30
"""The time for which a server may send nothing."""


@dataclass
class Resumable:
    """A downloader for pooch that resumes an interrupted download."""

    part: Path
    """The temporary file."""
    size: int
    """The size of the whole file in bytes."""

    def __call__(self, url: str, output_file: str, pooch: object) -> None:
        self.part.parent.mkdir(parents=True, exist_ok=True)
        done = self.part.stat().st_size if self.part.is_file() else 0
        if done < self.size:
            self.download(url, done)
        os.replace(self.part, output_file)

    def download(self, url: str, done: int) -> None:
        """Append the rest of the file after its first `done` bytes, or all of it if the server cannot resume.

        Raise requests.ConnectionError if the response ends early; the bytes that came stay in the temporary file.
        """
        headers = {"Accept-Encoding": "identity"}  # else a server may compress the file, and other bytes come
        headers |= {"Range": f"bytes={done}-"} if done else {}
        with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT_SECONDS) as response:
            response.raise_for_status()
            resumes = response.status_code == requests.codes.partial_content
            done = done if resumes else 0
            with translate_write_errors(self.part), open(self.part, "ab" if resumes else "wb") as file:
                for chunk in show_progress(response.iter_content(CHUNK_BYTES), self.part.name, done, self.size):
                    file.write(chunk)
        # requests notices a short response only if the server has announced its length.
        if "Content-Length" not in response.headers and self.part.stat().st_size < self.size:
            raise requests.ConnectionError("the response ended before the end of the file")


def show_progress(chunks: Iterator[bytes], name: str, done: int, size: int) -> Iterator[bytes]:
    """Yield `chunks` while a progress bar on stderr counts their bytes, from `done` to `size`."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name.removeprefix(".").removesuffix(".part"), total=size, completed=done)
        for chunk in chunks:
            bar.advance(task, len(chunk))
            yield chunk

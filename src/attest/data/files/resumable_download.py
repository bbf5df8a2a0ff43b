"""A download that resumes where an earlier one stopped.

The bytes are kept in a temporary file. Two processes may write it for a moment, since one that was suspended resumes
after another has taken the download over. Both write equal bytes at equal places.
"""

from collections.abc import Iterator
from pathlib import Path

import requests
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from attest.system.fences import check_fence, check_known_loss
from attest.system.write_errors import translate_write_errors

CHUNK_BYTES = 2**16
TIMEOUT_SECONDS = 30
"""The time for which a server may send nothing."""


def download_rest(url: str, part: Path, size: int) -> None:
    """Download the bytes that the temporary file `part` lacks of a file of `size` bytes.

    If the server cannot resume, download all of them. Raise requests.ConnectionError if the response ends early; the
    bytes that came stay in the temporary file. Raise LeaseLostError if another process has taken the download over.
    """
    done = part.stat().st_size if part.is_file() else 0
    if done >= size:
        return
    headers = {"Accept-Encoding": "identity"}  # else a server may compress the file, and other bytes come
    headers |= {"Range": f"bytes={done}-"} if done else {}
    with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT_SECONDS) as response:
        response.raise_for_status()
        done = done if response.status_code == requests.codes.partial_content else 0
        check_fence()
        with translate_write_errors(part):
            part.touch()
            with part.open("r+b") as file:
                file.seek(done)
                if not done:
                    file.truncate()
                for chunk in show_progress(response.iter_content(CHUNK_BYTES), part.name, done, size):
                    check_known_loss()
                    file.write(chunk)
    check_fence()
    # requests notices a short response only if the server has announced its length.
    if "Content-Length" not in response.headers and part.stat().st_size < size:
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

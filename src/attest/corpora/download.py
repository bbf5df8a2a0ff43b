"""Official archives: what there is, what is here, fetching with checksums.

A download goes into a temporary name beside its target, goes on where an earlier one broke off, and is renamed
once its checksum fits.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pooch
import requests
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from attest.errors import DataError
from attest.settings import Archive, Dataset, Vectors

CHUNK = 2**16
TIMEOUT = 30


@dataclass(frozen=True)
class Item:
    """Something official that can be had: a data set or a file of word vectors."""

    name: str
    files: tuple[str, ...]
    archive: Archive | None
    licence: str
    reference: str
    loose: tuple[Archive, ...] = ()

    @classmethod
    def of(cls, name: str, described: Dataset | Vectors) -> "Item":
        files = described.paths if isinstance(described, Dataset) else (described.file,)
        loose = tuple(described.loose) if isinstance(described, Dataset) else ()
        return cls(name, files, described.archive, described.licence, described.reference, loose)

    @property
    def sources(self) -> tuple[Archive, ...]:
        """Everything that can be downloaded."""
        return self.loose if self.archive is None else (self.archive, *self.loose)

    def present(self, data: Path) -> list[str]:
        """Which of the files are there: loose, as .xz, or all of them in the archive."""
        if self.archive is not None and (data / self.archive.path).is_file():
            return list(self.files)
        return [name for name in self.files if any((data / f"{name}{suffix}").is_file() for suffix in ("", ".xz"))]


def fetch(item: Item, data: Path) -> list[Path]:
    """The official archive or files of `item`, downloaded if they are not there yet, and verified."""
    if not item.sources:
        names = ", ".join(item.files)
        raise DataError(f"{item.name}: no official archive with a checksum is known; put {names} below {data} by hand")
    return [fetch_one(item.name, source, data / source.path) for source in item.sources]


def fetch_one(name: str, source: Archive, target: Path) -> Path:
    part = target.with_name(f".{target.name}.part")
    pooch.get_logger().setLevel("WARNING")  # the progress bar says it already
    try:
        pooch.retrieve(
            source.url,
            known_hash=f"sha256:{source.sha256}",
            fname=target.name,
            path=target.parent,
            downloader=cast("Any", Resumable(part, source.size)),
        )
    except requests.RequestException as error:
        raise DataError(
            f"{name}: cannot download {source.url} ({type(error).__name__}). Without a network, put that "
            f"file at {target} by hand; a broken download goes on with the same command."
        ) from error
    except ValueError as error:  # pooch's word for a wrong checksum
        part.unlink(missing_ok=True)
        raise DataError(
            f"{name}: what {source.url} sent does not have the checksum sha256:{source.sha256}; "
            "nothing was kept. Try again, or put the official file there by hand."
        ) from error
    return target


def verify(item: Item, data: Path) -> str:
    """One line on the official archive or files: missing, right, or wrong."""
    if not item.sources or not all((data / source.path).is_file() for source in item.sources):
        here = item.present(data)
        return f"no archive to verify; {len(here)} of {len(item.files)} files are there" if here else "missing"
    for source in item.sources:
        if pooch.file_hash(str(target := data / source.path)) != source.sha256:
            raise DataError(f"{target}: its checksum is not that of the official file; delete it and fetch it again")
    return "checksum right"


@dataclass
class Resumable:
    """A downloader for pooch that keeps what it has when the connection breaks."""

    part: Path
    size: int

    def __call__(self, url: str, output_file: str, pooch: object) -> None:
        self.part.parent.mkdir(parents=True, exist_ok=True)
        have = self.part.stat().st_size if self.part.is_file() else 0
        if have < self.size:
            self.download(url, have)
        os.replace(self.part, output_file)

    def download(self, url: str, have: int) -> None:
        headers = {"Range": f"bytes={have}-"} if have else {}
        with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
            response.raise_for_status()
            goes_on = response.status_code == requests.codes.partial_content
            have = have if goes_on else 0
            with open(self.part, "ab" if goes_on else "wb") as file:
                for chunk in with_progress(response.iter_content(CHUNK), self.part.name, have, self.size):
                    file.write(chunk)


def with_progress(chunks: Iterator[bytes], name: str, have: int, size: int) -> Iterator[bytes]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name.removeprefix(".").removesuffix(".part"), total=size, completed=have)
        for chunk in chunks:
            bar.advance(task, len(chunk))
            yield chunk

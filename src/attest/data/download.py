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

from attest.config.settings import Archive, Dataset, Vectors
from attest.errors import DataError
from attest.system.files import translate_write_errors

CHUNK = 2**16
TIMEOUT = 30


@dataclass(frozen=True)
class Item:
    """Something official that can be had: a data set or a file of word vectors."""

    name: str
    files: tuple[str, ...]
    downloads: tuple[Archive, ...]
    """One archive with all files, or loose files at the paths where they belong."""
    licence: str
    reference: str

    @classmethod
    def from_settings(cls, name: str, described: Dataset | Vectors) -> "Item":
        files = described.paths if isinstance(described, Dataset) else (described.file,)
        loose = tuple(described.loose) if isinstance(described, Dataset) else ()
        downloads = loose if described.archive is None else (described.archive,)
        return cls(name, files, downloads, described.licence, described.reference)

    def present_files(self, data: Path) -> list[str]:
        """Which of the files are there: loose, as .xz, or all of them in the archive."""
        if any((data / archive.path).is_file() for archive in self.downloads if archive.path not in self.files):
            return list(self.files)
        return [name for name in self.files if any((data / f"{name}{suffix}").is_file() for suffix in ("", ".xz"))]


def fetch(item: Item, data: Path) -> list[Path]:
    """The official archive of `item`, or its loose files, downloaded where they are not there yet, and verified."""
    if not item.downloads:
        names = ", ".join(item.files)
        raise DataError(f"{item.name}: no official archive with a checksum is known; put {names} below {data} by hand")
    return [fetch_archive(item.name, archive, data) for archive in item.downloads]


def fetch_archive(name: str, archive: Archive, data: Path) -> Path:
    target = data / archive.path
    part = target.with_name(f".{target.name}.part")
    pooch.get_logger().setLevel("WARNING")  # the progress bar says it already
    try:
        pooch.retrieve(
            archive.url,
            known_hash=f"sha256:{archive.sha256}",
            fname=target.name,
            path=target.parent,
            downloader=cast("Any", Resumable(part, archive.size)),
        )
    except requests.RequestException as error:
        raise DataError(
            f"{name}: cannot download {archive.url} ({type(error).__name__}). Without a network, put that "
            f"file at {target} by hand; a broken download goes on with the same command."
        ) from error
    except ValueError as error:  # pooch's word for a wrong checksum
        part.unlink(missing_ok=True)
        raise DataError(
            f"{name}: what {archive.url} sent does not have the checksum sha256:{archive.sha256}; "
            "nothing was kept. Try again, or put the official file there by hand."
        ) from error
    return target


def verify(item: Item, data: Path) -> str:
    """One line on what is official: missing, right, or wrong."""
    targets = {data / archive.path: archive.sha256 for archive in item.downloads if (data / archive.path).is_file()}
    if not targets:
        here = item.present_files(data)
        return f"no archive to verify; {len(here)} of {len(item.files)} files are there" if here else "missing"
    for target, sha256 in targets.items():
        if pooch.file_hash(str(target)) != sha256:
            raise DataError(f"{target}: its checksum is not that of the official file; delete it and fetch it again")
    missing = len(item.downloads) - len(targets)
    return "checksum right" + (f", {missing} of {len(item.downloads)} files missing" if missing else "")


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
            with translate_write_errors(self.part), open(self.part, "ab" if goes_on else "wb") as file:
                for chunk in show_progress(response.iter_content(CHUNK), self.part.name, have, self.size):
                    file.write(chunk)


def show_progress(chunks: Iterator[bytes], name: str, have: int, size: int) -> Iterator[bytes]:
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

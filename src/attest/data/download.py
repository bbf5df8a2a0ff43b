"""Download of official files, with verified checksums.

A download is written to a temporary file beside its target, resumes where an earlier one stopped, and is renamed once
its checksum is correct.
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
from attest.data.find_files import data_folders
from attest.errors import DataError
from attest.system.write_errors import translate_write_errors

CHUNK = 2**16
TIMEOUT = 30
MISSING = "missing"
"""The word with which `verify` says that files are not there."""


@dataclass(frozen=True)
class OfficialData:
    """The official files of a data set or of word vectors, and where to download them."""

    name: str
    files: tuple[str, ...]
    """The paths of the files below the data folder."""
    downloads: tuple[Archive, ...]
    """The archive that holds all files, or a download for each file; empty if no official source is known."""
    licence: str
    reference: str

    @classmethod
    def from_settings(cls, name: str, settings: Dataset | Vectors) -> "OfficialData":
        """Return the official files that the settings of a data set or of word vectors describe."""
        files = settings.paths if isinstance(settings, Dataset) else (settings.file,)
        loose = tuple(settings.loose) if isinstance(settings, Dataset) else ()
        downloads = loose if settings.archive is None else (settings.archive,)
        return cls(name, files, downloads, settings.licence, settings.reference)

    def present_files(self, data: Path) -> list[str]:
        """Return the names of the files that are in the folder `data`, plain, as .xz or inside the archive."""
        archives = [archive for archive in self.downloads if archive.path not in self.files]
        if any((data / archive.path).is_file() for archive in archives):
            return list(self.files)
        folders = [data] if archives else data_folders(data)  # as `find_source` looks for them
        places = [(folder, suffix) for folder in folders for suffix in ("", ".xz")]
        return [name for name in self.files if any((folder / f"{name}{suffix}").exists() for folder, suffix in places)]


def fetch(item: OfficialData, data: Path) -> list[Path]:
    """Download the archive or the files that are missing, verify them and return the paths of all downloads."""
    if not item.downloads:
        names = ", ".join(item.files)
        raise DataError(f"{item.name}: no official download is known; put {names} into {data} by hand")
    return [fetch_archive(item.name, archive, data) for archive in item.downloads]


def fetch_archive(name: str, archive: Archive, data: Path) -> Path:
    """Download one archive or file unless it is there, verify its checksum and return its path."""
    target = data / archive.path
    part = target.with_name(f".{target.name}.part")
    pooch.get_logger().setLevel("WARNING")  # the progress bar replaces pooch's messages
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
            f"{name}: cannot download {archive.url} ({type(error).__name__}); repeat the command to resume, or "
            f"download the file on another machine and put it at {target}"
        ) from error
    except ValueError as error:  # pooch raises it for a wrong checksum
        part.unlink(missing_ok=True)
        raise DataError(
            f"{name}: the file from {archive.url} does not have the checksum sha256:{archive.sha256} and was deleted; "
            f"try again, or put the official file at {target} by hand"
        ) from error
    return target


def verify(item: OfficialData, data: Path) -> str:
    """Return a text on the downloads of `item` in the folder `data`: missing, or with the right checksum.

    Raise DataError for a wrong checksum.
    """
    targets = {data / archive.path: archive.sha256 for archive in item.downloads if (data / archive.path).is_file()}
    if not targets:
        present = item.present_files(data)
        return f"no archive to verify; {len(present)} of {len(item.files)} files are there" if present else MISSING
    for target, sha256 in targets.items():
        if pooch.file_hash(str(target)) != sha256:
            raise DataError(
                f"{target}: the checksum is not that of the official file; delete the file and run "
                f"`attest data fetch {item.name}`"
            )
    missing = len(item.downloads) - len(targets)
    return "checksum right" + (f", {missing} of {len(item.downloads)} files {MISSING}" if missing else "")


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
        """Append the rest of the file after its first `done` bytes, or all of it if the server cannot resume."""
        headers = {"Accept-Encoding": "identity"}  # else a server may pack it, and bytes of the file are others
        headers |= {"Range": f"bytes={done}-"} if done else {}
        with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
            response.raise_for_status()
            resumes = response.status_code == requests.codes.partial_content
            done = done if resumes else 0
            with translate_write_errors(self.part), open(self.part, "ab" if resumes else "wb") as file:
                for chunk in show_progress(response.iter_content(CHUNK), self.part.name, done, self.size):
                    file.write(chunk)


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

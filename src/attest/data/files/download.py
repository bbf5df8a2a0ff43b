"""Download of official files, with verified checksums, by one process at a time."""

from dataclasses import dataclass
from pathlib import Path

import pooch
import requests

from attest.config.settings import Archive, Dataset, Vectors
from attest.data.files.find_files import data_folders
from attest.data.files.resumable_download import download_rest
from attest.errors import DataError
from attest.system.files import discard, move, sync_to_disk
from attest.system.leases import lease_beside, wait_for_lease
from attest.system.write_errors import translate_write_errors

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
        """Return the names of the files that are present: all of them if the archive is in the folder `data`.

        Without the archive, files count that are there plain or as .xz. For a set that has no archive, those in data/
        of the user's own folders count too.
        """
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
    return [fetch_download(item.name, archive, data) for archive in item.downloads]


def fetch_download(name: str, archive: Archive, data: Path) -> Path:
    """Download one archive or file unless it is there, verify its checksum and return its path.

    Of several processes that download the same file, one does so and the others wait for the file.
    """
    target = data / archive.path
    if not is_official(target, archive):
        with wait_for_lease(lease_beside(target), f"downloading {target}"):
            if not is_official(target, archive):  # else another process has downloaded it meanwhile
                download_verified(name, archive, target)
    return target


def is_official(target: Path, archive: Archive) -> bool:
    """Return whether a file exists and has the checksum of the official one."""
    return target.is_file() and pooch.file_hash(str(target)) == archive.sha256.lower()


def download_verified(name: str, archive: Archive, target: Path) -> None:
    """Download one archive or file to a temporary file, which becomes `target` if its checksum is right."""
    part = target.with_name(f".{target.name}.part")
    try:
        download_rest(archive.url, part, archive.size)
    except requests.RequestException as error:
        done = part.stat().st_size if part.is_file() else 0
        saved = f"; {done:,} of {archive.size:,} bytes are here and kept" if done else ""
        raise DataError(
            f"{name}: cannot download {archive.url} ({type(error).__name__}){saved}; repeat the command to resume, or "
            f"download the file on another machine and put it at {target}"
        ) from error
    if not is_official(part, archive):
        discard(part)
        raise DataError(
            f"{name}: the file from {archive.url} does not have the checksum sha256:{archive.sha256} and was deleted; "
            f"try again, or put the official file at {target} by hand"
        )
    with translate_write_errors(target):
        sync_to_disk(part)
        move(part, target)


def verify(item: OfficialData, data: Path) -> str:
    """Return the state of the downloads of `item` in the folder `data`, as text.

    It is "missing", "checksum right" or, if there is nothing to verify, how many files are there. Raise DataError for a
    wrong checksum.
    """
    targets = {data / archive.path: archive for archive in item.downloads if (data / archive.path).is_file()}
    if not targets:
        present = item.present_files(data)
        return f"no archive to verify; {len(present)} of {len(item.files)} files are there" if present else MISSING
    for target, archive in targets.items():
        if not is_official(target, archive):
            raise DataError(
                f"{target}: the checksum is not that of the official file; delete the file and run "
                f"`attest data fetch {item.name}`"
            )
    missing = len(item.downloads) - len(targets)
    return "checksum right" + (f", {missing} of {len(item.downloads)} files {MISSING}" if missing else "")

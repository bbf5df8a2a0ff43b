"""The official files below the data folders, found by name or inside archives."""

import os
from contextlib import suppress
from pathlib import Path

from attest.config.own_folders import choices, own_data
from attest.config.settings import Archive
from attest.config.yaml_files import read_yaml
from attest.data.files.archives import check_member, is_file
from attest.data.files.source import Source
from attest.errors import MissingFileError, SettingsError

DATA_LIST = "`attest data list` says where to get it"
"""The advice for a missing file that the settings of this project name."""


def find_source(
    data: Path,
    relative: str,
    archive: Archive | None = None,
    *,
    encoding: str = "utf-8",
    companions: str = "",
    advice: str = DATA_LIST,
) -> Source:
    """Return the file `relative` of the folder `data`: plain, with .xz appended, or inside its official archive.

    Without an archive, it may also be in a folder of the user's own. A MissingFileError says where the file was looked
    for and how to get it, which for a file without an archive is the `advice`.
    """
    plain = data / relative
    for place in [folder / relative for folder in data_folders(data)] if archive is None else [plain]:
        for path in (place, place.with_name(place.name + ".xz")):
            if is_file(path):
                return Source(path, encoding=encoding, companions=companions)
    if archive is not None and is_file(packed := data / archive.path):
        member = f"{archive.folder}/{plain.name}" if archive.folder else plain.name
        check_member(packed, member)
        return Source(packed, member, encoding)
    raise MissingFileError(missing_message(data, relative, archive, advice))


def data_folders(data: Path) -> list[Path]:
    """Return the folders in which files are looked for: the data folder, then data/ in folders of the user's own."""
    return [data, *own_data()]


def missing_message(data: Path, relative: str, archive: Archive | None, advice: str) -> str:
    """Return the error text for a missing file of the data folder, with the ways to get it."""
    path = data / relative
    if archive is None:
        folders = dict.fromkeys(f"{(folder / relative).parent}{os.sep}" for folder in data_folders(data))
        return f"{' and '.join(folders)}: neither {path.name} nor {path.name}.xz is there; {advice}"
    return (
        f"{path.parent}{os.sep}: none of {path.name}, {path.name}.xz and {Path(archive.path).name} is there; run "
        f"`attest data fetch {name_of_download(archive)}`, or put {archive.url} at {data / archive.path} by hand, or "
        "choose another data folder with paths.data=FOLDER or ATTEST_DATA"
    )


def name_of_download(archive: Archive) -> str:
    """Return the name of the data set, or of the word vectors, to which a download belongs."""
    for group in ("dataset", "vectors"):
        for name, path in choices(group).items():
            with suppress(SettingsError):  # one of the user's own that has a mistake
                settings = read_yaml(path)
                downloads = [settings.get("archive"), *settings.get("loose", ())]
                if any(download and download.get("url") == archive.url for download in downloads):
                    return name
    return ""

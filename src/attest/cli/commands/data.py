"""attest data: list, download and verify the official files of data sets and word vectors."""

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from attest.config.compose import compose_unchecked
from attest.config.own_folders import choices
from attest.config.vector_files import NO_FILE
from attest.config.yaml_files import check_name
from attest.data.files.download import MISSING, OfficialData, fetch, verify
from attest.errors import DataError, SettingsError


def known_data(names: Sequence[str]) -> list[OfficialData]:
    """Return the data sets and the files of word vectors that are named, or all of them.

    A data set and word vectors may have one name, which then stands for both. A mistake in the settings of one of the
    user's own is raised if it is named, and else printed.
    """
    paths = {(group, name): path for group in ("dataset", "vectors") for name, path in choices(group).items()}
    paths.pop(("vectors", NO_FILE), None)
    for name in names:
        check_name(name, [known for _, known in paths], "no such data set and no such word vectors")
    data_by_name: dict[str, list[OfficialData]] = {}
    for (group, name), path in paths.items():
        if names and name not in names:
            continue
        try:
            settings = compose_unchecked([f"{group}={name}", "scale=paper"])
        except SettingsError as error:
            failure = error if str(path) in str(error) else SettingsError(f"{path}: {error}")
            if names:
                raise failure from error
            print(f"attest: {failure}", file=sys.stderr)
        else:
            data_by_name.setdefault(name, []).append(OfficialData.from_settings(name, getattr(settings, group)))
    return [item for name in dict.fromkeys(names or data_by_name) for item in data_by_name[name]]


def data(parsed: argparse.Namespace, overrides: list[str]) -> int:
    """List, fetch or verify the official files of the data sets and word vectors that are named, or of all of them.

    Return 1 if files that are named are missing, if a download failed, or if a checksum is wrong.
    """
    folder = Path(compose_unchecked(["scale=paper", *overrides]).paths.data)
    selected = known_data(parsed.names)
    if parsed.action == "list":
        print(f"data folder: {folder}\n")
        for item in selected:
            print("\n".join(description_lines(item, folder)), end="\n\n")
        return 0
    if parsed.action == "verify":
        return verify_all(selected, folder, may_be_missing=not parsed.names)
    return fetch_all([item for item in selected if parsed.names or item.downloads], folder)


def verify_all(items: Sequence[OfficialData], folder: Path, *, may_be_missing: bool) -> int:
    """Print what is in the folder of each data set and of word vectors, wrong checksums too.

    Return 1 if a checksum is wrong, or a file is missing and none may be.
    """
    failed = False
    for item in items:
        try:
            state = verify(item, folder)
            print(f"{item.name}: {state}", flush=True)
            failed = failed or (MISSING in state and not may_be_missing)
        except DataError as error:
            failed = True
            print(f"attest: {error}", file=sys.stderr, flush=True)
    if may_be_missing:
        complete = sum(len(item.present_files(folder)) == len(item.files) for item in items)
        print(f"\n{complete} of {len(items)} complete; `attest data fetch NAME` downloads the files of one", flush=True)
    return int(failed)


def fetch_all(items: Sequence[OfficialData], folder: Path) -> int:
    """Download the files of data sets and word vectors; print each failure and go on, and return 1 if there was one."""
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    logging.getLogger("attest").setLevel(logging.INFO)  # shows that another process downloads the same file
    failed = False
    for item in items:
        try:
            for path in fetch(item, folder):
                print(f"{item.name}: {path}, checksum right", flush=True)
        except DataError as error:
            failed = True
            print(f"attest: {error}", file=sys.stderr, flush=True)
    return int(failed)


def description_lines(item: OfficialData, folder: Path) -> list[str]:
    """Return the lines on a data set or word vectors: the files, which of them are in the folder, and their source."""
    here = item.present_files(folder)
    state = "here" if len(here) == len(item.files) else f"{len(here)} of {len(item.files)} files here"
    lines = [f"{item.name}: {state}", *([f"  {item.reference}"] if item.reference else [])]
    lines += [f"  licence  {item.licence or 'not stated'}"]
    lines += [f"  file     {name}" + ("" if name in here else "   (missing)") for name in item.files]
    for archive in item.downloads:
        lines += [f"  from     {archive.url}  ({archive.size / 1e6:,.1f} MB)"]
        lines += [f"  sha256   {archive.sha256}", f"  to       {folder / archive.path}"]
    return lines

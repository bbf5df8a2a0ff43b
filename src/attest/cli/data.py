"""attest data: list, download and verify the official files of data sets and word vectors."""

import argparse
from pathlib import Path

from attest.cli.arguments import LOCATION_KEYS
from attest.config.compose import compose_unchecked
from attest.config.keys import check_keys
from attest.config.own_folders import choices
from attest.config.yaml_files import check_name
from attest.data.download import OfficialData, fetch, verify


def known_data() -> dict[str, OfficialData]:
    """Return every data set and every file of word vectors in conf/, by name."""
    known: dict[str, OfficialData] = {}
    for group in ("dataset", "vectors"):
        for name in choices(group):
            settings = compose_unchecked([f"{group}={name}", "scale=paper"])
            known[name] = OfficialData.from_settings(name, getattr(settings, group))
    return known


def data(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """List, fetch or verify the official files of the data sets and word vectors that are named, or of all of them."""
    check_keys(overrides, LOCATION_KEYS)
    folder = Path(compose_unchecked(["scale=paper", *overrides]).paths.data)
    known = known_data()
    for name in parsed.names:
        check_name(name, list(known), "no such data set and no such word vectors")
    selected = [known[name] for name in parsed.names or known]
    if parsed.action == "list":
        print(f"data folder: {folder}\n")
        for item in selected:
            print("\n".join(description_lines(item, folder)), end="\n\n")
        return
    for item in selected:
        if parsed.action == "fetch" and (parsed.names or item.downloads):
            for path in fetch(item, folder):
                print(f"{item.name}: {path}, checksum right")
        else:
            print(f"{item.name}: {verify(item, folder)}")


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

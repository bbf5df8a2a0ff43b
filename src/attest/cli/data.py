"""attest data: official files, where they come from and what is here."""

import argparse
from pathlib import Path

from attest.config.compose import compose_unchecked
from attest.config.paths import shipped
from attest.config.yaml_files import check_name
from attest.data.download import Item, fetch, verify


def items() -> dict[str, Item]:
    """Every data set and every file of vectors that conf/ names."""
    found: dict[str, Item] = {}
    for group in ("dataset", "vectors"):
        for path in sorted((shipped("conf") / group).glob("*.yaml")):
            settings = compose_unchecked([f"{group}={path.stem}", "scale=paper"])
            found[path.stem] = Item.from_settings(path.stem, getattr(settings, group))
    return found


def data(parsed: argparse.Namespace, overrides: list[str]) -> None:
    folder = Path(compose_unchecked(["scale=paper", *overrides]).paths.data)
    known = items()
    for name in parsed.names:
        check_name(name, list(known), "no such data")
    chosen = [known[name] for name in parsed.names or known]
    if parsed.action == "list":
        print(f"data folder: {folder}\n")
        for item in chosen:
            print("\n".join(described(item, folder)), end="\n\n")
        return
    for item in chosen:
        if parsed.action == "fetch" and (parsed.names or item.downloads):
            for path in fetch(item, folder):
                print(f"{item.name}: {path}, checksum right")
        else:
            print(f"{item.name}: {verify(item, folder)}")


def described(item: Item, folder: Path) -> list[str]:
    here = item.present_files(folder)
    state = "here" if len(here) == len(item.files) else f"{len(here)} of {len(item.files)} files here"
    lines = [f"{item.name}: {state}", f"  {item.reference}", f"  licence  {item.licence}"]
    lines += [f"  file     {name}" + ("" if name in here else "   (missing)") for name in item.files]
    for archive in item.downloads:
        lines += [f"  from     {archive.url}  ({archive.size / 1e6:,.1f} MB)"]
        lines += [f"  sha256   {archive.sha256}", f"  to       {folder / archive.path}"]
    return lines

"""The pinned packages: those of constraints.txt that are installed here."""

import re
import tomllib
from importlib.metadata import distributions

from packaging.specifiers import SpecifierSet
from places import ROOT

PYTHONS = ("3.11.0", "3.12.0", "3.13.0")
"""The oldest release of each Python. Debian 12 has 3.11.2, and some packages ask for 3.11.5."""


def test_pinned_packages_can_be_installed_on_the_oldest_python():
    pins = dict(re.findall(r"^(\S+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
    installed = {package.metadata["Name"]: package for package in distributions()}
    pinned = [package for name, package in installed.items() if pins.get(name) == package.version]
    assert len(pinned) > 20
    own = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert all(SpecifierSet(own).contains(python) for python in PYTHONS)
    refused = {
        f"{package.metadata['Name']} {package.version}": needed
        for package in pinned
        if (needed := package.metadata["Requires-Python"])
        and not all(SpecifierSet(needed).contains(python) for python in PYTHONS)
    }
    assert not refused

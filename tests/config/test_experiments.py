"""Each experiment's header says what it reproduces, the command, the paper's figure and the time that it takes."""

import re

import pytest

from attest.config.paths import shipped_folder

FOLDER = shipped_folder("conf") / "experiment"
NAMES = sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.yaml"))
PARTS = {
    "Reproduces": r".*(20\d\d|Tables? \d).*",
    "Paper": r".*\w.*",
    "Time": r"not measured\.|.*, \d+ threads?, (bf16|fp32), .*(steps|epochs|fifth).*: \d+ (minutes?|hours?)\.",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_header_of_an_experiment_is_complete(name):
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    header = [line.removeprefix("# ") for line in text.partition("defaults:")[0].splitlines()]
    assert header[0] == "@package _global_"
    assert len(header) <= 6  # a longer reason stands beside the setting that it explains
    (command,) = [line for line in header if line.startswith("Command: ")]
    assert re.match(rf"Command: attest train (-m )?experiment={name} .*scale=paper", command)
    for part, form in PARTS.items():
        (line,) = [line for line in header if line.startswith(f"{part}: ")]
        assert re.match(f"{part}: ({form})", line)

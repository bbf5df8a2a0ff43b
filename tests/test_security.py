"""What must not stand in the code, and must not leave the machine."""

import re

import pytest
from places import ROOT

SOURCES = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py")])
FORBIDDEN = {
    r"\bimport pickle|\bfrom pickle|\bcPickle|\bdill\b|\bjoblib\.load": "pickled code",
    r"weights_only\s*=\s*False": "pickled code in a checkpoint",
    r"allow_pickle\s*=\s*True": "pickled code in an array",
    r"\byaml\.(load|unsafe_load|full_load)\b": "YAML that builds objects",
    r"\.extractall\(|\.extract\(|shutil\.unpack_archive": "an archive unpacked to disk",
    r"(?<![.\w])eval\(|(?<![.\w])exec\(|os\.system\(|shell\s*=\s*True": "text run as code",
    r"verify\s*=\s*False": "an unverified connection",
}


@pytest.mark.parametrize("pattern", FORBIDDEN, ids=lambda pattern: FORBIDDEN[pattern])
def test_nothing_of_the_kind_stands_in_the_code(pattern):
    # The example of the README, our own wheel, and copies of our own modules that were pickled a moment before.
    allowed = {"test_security.py", "test_documentation.py", "test_wheel.py", "model_copies.py"}
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in SOURCES
        if path.name not in allowed
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(pattern, line)
    ]
    assert found == []


def test_every_load_says_that_it_takes_weights_only():
    calls = [
        f"{path.name}: {call}"
        for path in SOURCES
        if path.name != "test_security.py"
        for call in re.findall(r"torch\.load\([^\n]*", path.read_text(encoding="utf-8"))
    ]
    assert calls
    assert [call for call in calls if "weights_only=True" not in call] == []

"""What a record says of the code that made it."""

import subprocess
from pathlib import Path

import pytest

from attest.system import checkout as module
from attest.system.checkout import checkout_state, is_same_code  # as imported here, before conftest.py replaces it


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a git checkout of a module, a record and a page, in which the state of the code is asked for."""
    for name in ("src/module.py", "results/records/a.json", "README.md", "docs/page.md", "conf/model/a.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("first\n", encoding="utf-8")
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for arguments in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "First"]):
        subprocess.run(["git", "-C", str(tmp_path), *arguments], check=True)
    monkeypatch.setattr(module, "__file__", str(tmp_path / "src/module.py"))
    return tmp_path


def test_a_clean_checkout_is_named_by_its_commit(checkout: Path) -> None:
    state = checkout_state()
    assert len(state["commit"]) == 40
    assert not state["uncommitted_changes"]


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("src/module.py", True),
        ("src/new.py", True),
        ("conf/model/a.yaml", True),
        ("results/records/a.json", False),
        ("results/records/new.json", False),
        ("README.md", False),
        ("docs/page.md", False),
    ],
)
def test_what_a_run_itself_writes_is_no_change_of_the_code(checkout: Path, file: str, counts: bool) -> None:
    (checkout / file).write_text("second\n", encoding="utf-8")
    assert checkout_state()["uncommitted_changes"] is counts


def test_commits_differ_if_files_of_the_code_do(checkout: Path) -> None:
    def commit(file: str) -> str:
        (checkout / file).write_text(f"changed {file}\n", encoding="utf-8")
        author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", "-C", str(checkout), *author, "commit", "-qam", "Change"], check=True)
        return str(checkout_state()["commit"])

    first, results, page, code = (
        checkout_state()["commit"], commit("results/records/a.json"), commit("docs/page.md"), commit("src/module.py"),
    )  # fmt: skip
    assert is_same_code(first, first)
    assert is_same_code(first, results)
    assert is_same_code(page, first)
    assert not is_same_code(page, code)
    assert not is_same_code(first, "0" * 40), "a commit that this checkout lacks"


def test_a_file_outside_the_repository_has_no_commit(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / ".gitignore").write_text("ignored.py\n", encoding="utf-8")
    (checkout / "src/ignored.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(module, "__file__", str(checkout / "src/ignored.py"))
    assert checkout_state() == {}

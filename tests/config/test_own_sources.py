"""Hashes of the user's own code."""

import ast

import pytest

from attest.config.own_sources import describe_tree, own_modules, source_hashes

ENCODER = """
from torch import nn
import own_parts.norm
from own_parts import words as text


def encode(x):
    from own_late import scale

    return scale(x)
"""
FILES = {
    "own_encoder.py": ENCODER,
    "own_late.py": "def scale(x):\n    return 2 * x\n",
    "own_other.py": "x = 1\n",
    "own_parts/__init__.py": "",
    "own_parts/norm.py": "from .words import first\n",
    "own_parts/words.py": "def first(words):\n    return words[0]\n",
}


@pytest.fixture
def own(own_folder):
    (own_folder / "own_parts").mkdir()
    for name, text in FILES.items():
        (own_folder / name).write_text(text)
    return own_folder


def test_a_module_is_hashed_with_the_own_modules_that_it_imports(own):
    expected = ["own_encoder", "own_late", "own_parts", "own_parts.norm", "own_parts.words"]
    assert list(source_hashes(["own_encoder"])) == expected


@pytest.mark.parametrize(
    ("file", "text", "changed"),
    [
        ("own_late.py", '"""Text."""\n\n\ndef scale( x ):  # twice\n    """Return it."""\n    return 2*x\n', []),
        ("own_late.py", "def scale(x):\n    return 3 * x\n", ["own_late"]),
        ("own_parts/words.py", "def first(words):\n    return words[-1]\n", ["own_parts.words"]),
        ("own_other.py", "x = 2\n", []),
    ],
)
def test_only_changes_of_code_change_a_hash(own, file, text, changed):
    before = source_hashes(["own_encoder"])
    (own / file).write_text(text)
    after = source_hashes(["own_encoder"])
    assert [name for name, code in after.items() if before[name] != code] == changed


def test_a_hash_does_not_depend_on_how_python_prints_a_tree(own, monkeypatch):
    """`ast.dump` of Python 3.13 leaves empty lists out, and `ast.unparse` of 3.12 prints other quotes in f-strings."""
    before = source_hashes(["own_encoder"])
    for name in ("dump", "unparse"):
        monkeypatch.setattr(ast, name, lambda tree: "as another version of Python prints it")
    assert describe_tree(ast.parse("f(x)[1]")) == (
        "Module(body=[Expr(value=Subscript(value=Call(func=Name(id='f', ctx=Load()), args=[Name(id='x', ctx=Load())]), "
        "slice=Constant(value=1), ctx=Load()))])"
    )
    assert source_hashes(["own_encoder"]) == before


def test_the_package_of_a_module_counts_and_a_broken_file_does_not(own):
    (own / "own_encoder.py").write_text("import own_parts.words\nimport own_broken\n")
    (own / "own_broken.py").write_text("def scale(x:\n")
    assert list(source_hashes(["own_encoder"])) == ["own_encoder", "own_parts", "own_parts.words"]


def test_classes_of_attest_torch_and_lightning_are_not_the_users_own(settings_with):
    timer = "trainer.callbacks=[{_target_: pytorch_lightning.callbacks.Timer}]"
    assert own_modules(settings_with("model=s2t", timer)) == []

"""Check that docstrings are sentences: `make lint` runs this file.

A function's docstring begins with an imperative verb, that of a class or a field with a noun phrase. Fragments that
hang on the line above ("Of what ...", "The same with ...") have to be guessed at.
"""

import ast
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
ALLOWED_SHARE = 0.03
FRAGMENTS = {
    "according", "after", "again", "also", "and", "as", "at", "because", "before", "besides", "but", "by", "either",
    "else", "here", "how", "if", "in", "like", "most", "neither", "not", "nothing", "of", "on", "once", "or", "so",
    "that", "them", "then", "there", "these", "they", "this", "those", "to", "told", "what", "whatever", "when",
    "where", "wherever", "which", "who", "whoever", "whom", "whose", "why", "with", "without", "yet",
}  # fmt: skip
"""Words that begin no sentence or noun phrase that can be understood alone."""
NO_VERBS = FRAGMENTS | {
    "a", "all", "an", "another", "any", "both", "each", "every", "false", "few", "from", "for", "its", "more", "no",
    "none", "one", "only", "our", "several", "some", "the", "their", "true", "two", "us", "we", "whether", "{", "(",
}  # fmt: skip
"""Words with which a function's docstring does not begin: it begins with a verb."""


def docstrings(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the kind (function, or noun for classes, fields and modules) and the text of each docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            is_function = isinstance(node, ast.FunctionDef) and not is_noun(node)
            if text := ast.get_docstring(node):
                yield getattr(node, "lineno", 1), "function" if is_function else "noun", text
        body = node.body if isinstance(node, ast.ClassDef | ast.Module) else []
        for before, after in pairwise(body):
            if isinstance(before, ast.Assign | ast.AnnAssign) and isinstance(after, ast.Expr):
                value = after.value
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield after.lineno, "noun", value.value


def is_noun(node: ast.FunctionDef) -> bool:
    """Return whether a function is described by what it is: a property, a constructor or a forward pass."""
    decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
    return bool(decorators & {"property", "cached_property"}) or node.name == "__init__"


def is_fragment(kind: str, text: str) -> bool:
    """Return whether the first words cannot be understood without the line above."""
    words = text.split()
    first = words[0].strip(".,:;").lower()
    second = words[1].strip(".,:;").lower() if len(words) > 1 else ""
    if kind == "function":
        return first in NO_VERBS or first.startswith("(")
    return first in FRAGMENTS or (first in ("the", "a") and second == "same")


def main() -> int:
    """Print every fragment; return 1 if there are too many."""
    found = [(path, *entry) for path in sorted(SOURCE.rglob("*.py")) for entry in docstrings(path)]
    wrong = [(path, line, text) for path, line, kind, text in found if is_fragment(kind, text)]
    only = sys.argv[1:]
    for path, line, text in wrong:
        if not only or any(name in str(path) for name in only):
            print(f"{path.relative_to(SOURCE.parent)}:{line}: {text.splitlines()[0][:90]}")
    print(f"{len(wrong)} of {len(found)} docstrings begin as a fragment; at most {ALLOWED_SHARE:.0%} may")
    return 1 if len(wrong) > ALLOWED_SHARE * len(found) else 0


if __name__ == "__main__":
    sys.exit(main())

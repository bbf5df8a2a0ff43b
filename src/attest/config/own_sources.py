"""The user's own code as hashes, which change with the code of a tokeniser, an encoder or a loss.

Comments, docstrings and layout do not count, nor does the version of Python that reads the code.
"""

import ast
import hashlib
import importlib.util
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.machinery import ModuleSpec
from pathlib import Path

from attest.config.components import COMPONENTS, EXTENSIONS, named_callbacks
from attest.config.locate import TRUSTED, is_in, own_code
from attest.config.own_folders import is_own_module
from attest.config.settings import Settings


def own_modules(settings: Settings) -> list[str]:
    """Return the names of the modules of the user's own that settings name: of components, callbacks, the task, the
    tokeniser and the parser."""
    components = [getattr(settings, name) for name in COMPONENTS]
    targets = [str(item["_target_"]) for item in (*components, *dict(named_callbacks(settings.trainer)).values())]
    targets += [name for name, _ in own_code(settings).values()]
    return [target.rpartition(".")[0] for target in targets if not is_in(target, (*TRUSTED, *EXTENSIONS))]


def source_hashes(modules: Iterable[str]) -> dict[str, str]:
    """Return the hash of the code of these modules, and of those of the user's own that they import, by name.

    A file that is not valid Python has no hash; importing it fails anyway.
    """
    hashes: dict[str, str] = {}
    names = list(modules)
    packages = {name.partition(".")[0] for name in names}
    while names:
        name = names.pop()
        is_own = is_own_module(name) or name.partition(".")[0] in packages
        module = find_module(name) if is_own and name not in hashes else None
        if module is None or module.origin is None:
            continue
        with suppress(SyntaxError, ValueError, ImportError):  # also a relative import from above the package
            tree = without_docstrings(ast.parse(Path(module.origin).read_bytes()))
            hashes[name] = hashlib.sha256(describe_tree(tree).encode()).hexdigest()[:12]
            names += imported_names(tree, module.name if module.submodule_search_locations else module.parent or "")
            names.append(name.rpartition(".")[0])  # Python runs the package of a module too
    return dict(sorted(hashes.items()))


def find_module(name: str) -> ModuleSpec | None:
    """Return where Python finds a module, or None if it has no file of Python code; nothing is run but its packages."""
    try:
        module = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # its parent is no package, or it was made without a file
        return None
    return module if module is not None and (module.origin or "").endswith(".py") else None


def without_docstrings(tree: ast.Module) -> ast.Module:
    """Return the tree after removing the docstrings of the module, its classes and its functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [item for item in node.body if not is_docstring(item)] or [ast.Pass()]
    return tree


def describe_tree(node: object) -> str:
    """Return a syntax tree as text, which all versions of Python print alike: they differ in fields that are empty."""
    if isinstance(node, ast.AST):
        fields = ((name, value) for name, value in ast.iter_fields(node) if value is not None and value != [])
        texts = (f"{name}={describe_tree(value)}" for name, value in fields)
        return f"{type(node).__name__}({', '.join(texts)})"
    return f"[{', '.join(map(describe_tree, node))}]" if isinstance(node, list) else repr(node)


def is_docstring(node: ast.stmt) -> bool:
    """Return whether a statement is a string alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def imported_names(tree: ast.Module, package: str) -> Iterator[str]:
    """Yield the full names that a module of this package imports: of modules, and of what may be one in a package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)

"""Packages import downwards only, the lowest needs torch alone, and every dotted name in the project exists."""

import ast
import importlib
import re
import subprocess
import sys
from contextlib import suppress
from graphlib import TopologicalSorter

from places import ROOT

from attest.config.earlier_class_names import MOVED, current_class_name

SOURCE = ROOT / "src/attest"
EXTRAS = {"joblib", "mteb", "sklearn", "stanza", "tensorboard"}
"""Packages that a user may not have, since they come with extras, and that no module needs as a whole."""
REFUSED = {"hydra", "omegaconf", "wandb", "pytorch_lightning", "torchmetrics", "scipy", "rich", "pooch"}
LIGHTNING = {"pytorch_lightning", "torchmetrics", "lightning_fabric"}
TORCH_ALONE = ("models", "training.optim")
MISSPELT = {"attest.encodres.DiSAN", "attest.models.DiSAM", "attest.nowhere.X"}
"""Names that tests misspell on purpose."""


def imported(path):
    """Yield the dotted names that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        yield from imported_by(node)


def imported_by(node):
    """Yield the dotted names that a statement imports."""
    if isinstance(node, ast.ImportFrom) and node.module:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)


def rooms():
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if room != "__init__":
            yield room, path


def floors():
    """Return the number of the floor of each package: the lines of the table in docs/code.md, the last one first."""
    lines = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", (ROOT / "docs/code.md").read_text(), flags=re.MULTILINE)
    levels = [re.findall(r"\w+", line) for line in reversed(lines)]
    return {"errors": 0} | {package: number for number, level in enumerate(levels) for package in level}


def test_packages_import_only_those_of_lower_floors():
    floor = floors()
    assert {*floor} == {room for room, _ in rooms()}
    for room, path in rooms():
        for name in imported(path):
            other = name.split(".")[1] if name.startswith("attest.") else None
            if other and other not in (room, "__version__"):
                assert floor[other] < floor[room], f"{path.relative_to(ROOT)} imports {name}"


def test_packages_of_extras_are_imported_when_they_are_needed():
    for room, path in rooms():
        for node in ast.parse(path.read_text()).body:
            assert not EXTRAS & {name.partition(".")[0] for name in imported_by(node)}, f"{room}: {path}"


def test_plugins_of_hydra_import_no_command():
    for path in (ROOT / "src/hydra_plugins").rglob("*.py"):
        assert not [name for name in imported(path) if name.startswith("attest.cli")], path


def test_no_files_import_each_other_in_a_circle():
    files = {".".join(path.relative_to(SOURCE.parent).with_suffix("").parts): path for _, path in rooms()}
    files = {name.removesuffix(".__init__"): path for name, path in files.items()}

    def file_of(name):
        return name if name in files or "." not in name else file_of(name.rpartition(".")[0])

    needs = {file: {file_of(name) for name in imported(path)} - {file} for file, path in files.items()}
    assert len(list(TopologicalSorter(needs).static_order())) >= len(files) > 200


def resolves(name):
    """Return whether a dotted name is a module, or an attribute of one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        with suppress(ImportError):
            found = importlib.import_module(".".join(parts[:length]))
            return all((found := getattr(found, part, None)) is not None for part in parts[length:])
    return False


def test_every_dotted_name_of_the_package_exists():
    """Names in strings, comments, settings and pages are as easily left behind as imports when a module moves."""
    paths = [path for folder in ("src", "tests", "conf", "docs") for path in (ROOT / folder).rglob("*")]
    texts = [path for path in (*paths, ROOT / "README.md") if path.suffix in (".py", ".yaml", ".md")]
    found = {name for path in texts for name in re.findall(r"(?<![\w./@-])attest(?:\.[A-Za-z_]\w*)+", path.read_text())}
    unknown = {name for name in found if not resolves(name) and current_class_name(name) == name}
    assert unknown <= MISSPELT | {name.rpartition(".")[0] for name in MISSPELT} | set(MOVED)


def test_only_the_command_line_and_the_configuration_know_hydra():
    knowing = {room for room, path in rooms() if any(name.split(".")[0] == "hydra" for name in imported(path))}
    assert knowing == {"cli", "config"}


def test_public_modules_need_no_package_that_they_do_not_use(mini_data):
    """Models need torch alone; an evaluation needs no Hydra, W&B or Lightning; a finished run needs no Lightning."""
    code = f"""
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in refused:
            raise ImportError(name)
sys.meta_path.insert(0, Refuse())
refused = {REFUSED!r}
import attest, {", ".join(f"attest.{name}" for name in TORCH_ALONE)}
refused = {LIGHTNING | {"hydra", "wandb"}!r}
from attest.transfer import evaluate, figures
vectors = lambda sentences: [[len(sentence), 1.0] for sentence in sentences]
assert "STS14/pearson/mean" in figures(evaluate(vectors, ["STS14"], {str(mini_data)!r}))
refused = {LIGHTNING | {"wandb"}!r}
import attest.inference.opening
"""
    subprocess.run([sys.executable, "-c", code], check=True)

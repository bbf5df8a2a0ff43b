"""The wheel holds everything: it works without the checkout, from any folder, and so does the tour of docs/."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from places import ROOT

from attest.models.kernels import library

TOUR = nbformat.read(ROOT / "docs/tour.ipynb", as_version=4)
TOUR_HOME = "/tmp/attest-tour"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of an installed package, which stands in for the editable checkout where its path comes first."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder))  # needs no network
    build = [sys.executable, "-m", "pip", "wheel", *options, str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_the_wheel_works_from_any_folder(site, tmp_path):
    names = [path.relative_to(site).as_posix() for path in site.rglob("*")]
    assert "attest/conf/config.yaml" in names
    assert "attest/reproduce/disan/table1.yaml" in names
    assert "hydra_plugins/attest_sweepers/table.py" in names
    assert "hydra_plugins/attest_sweepers/_searching.py" in names
    assert "hydra_plugins/attest_own_folders.py" in names
    assert "attest/models/kernels/native/token2token.cpp" in names
    assert "attest/models/kernels/native/vectors.h" in names
    assert "attest/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "results"))]

    (tmp_path / "elsewhere").mkdir()
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from attest.cli import main; sys.exit(main())"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/own_encoder.py").write_text("from attest.models import SourceToToken as Own\n")
    arguments = ["train", "--config-dir", str(tmp_path / "mine"), "model._target_=own_encoder.Own", "protocol.steps=2",
                 "logger=none"]  # fmt: skip
    unset = ("ATTEST_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
    environment = {key: value for key, value in os.environ.items() if key not in unset}
    user = tmp_path / "user"
    environment["HOME"] = str(user)
    if library.compiler():  # the kernels of the same sources, which take half a minute to build
        (user / ".cache/attest").mkdir(parents=True)
        kernels = Path(library.load_library()._name)
        (user / ".cache/attest" / kernels.name).symlink_to(kernels)
    done = subprocess.run(
        [sys.executable, "-c", code, str(site), *arguments],
        cwd=tmp_path / "elsewhere", env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    data, cache = user / ".local/share/attest", user / ".cache/attest"
    assert len(list((data / "results/mini/records").glob("*.json"))) == 1
    assert len(list((cache / "corpora").iterdir())) == 1
    assert not (data / "cache").exists()
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert "building kernels" not in done.stderr, "the wheel has other sources"
    said = done.stderr.splitlines()
    assert said[0].startswith(f"attest: runs, records and data go to {data}, caches to {cache}; set ATTEST_HOME")
    assert "set ATTEST_HOME" not in "".join(said[1:])


def kinds(notebook):
    """Return the types of the outputs of each cell; a stream that comes in pieces counts once."""
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    return [[sorted({output.output_type, *output.get("data", ())}) for output in of_cell[-1:]] for of_cell in outputs]


def text_of(notebook):
    """Return all that the cells of a notebook printed, as text."""
    return "\n".join(map(text_of_cell, notebook.cells))


def text_of_cell(cell):
    """Return what a cell printed; of pictures and pages, the text that stands for them."""
    outputs = [{"text": output.get("text", ""), **output.get("data", {})} for output in cell.get("outputs", ())]
    return "\n".join(output[kind] for output in outputs for kind in sorted(output) if "text" in kind)


def words_of(notebook, home):
    """Return what each cell printed, with the tour's folder as its home, without spaces, and with 0 for each number:
    times and accuracies differ from one machine to another, and kernels and data may have been prepared already."""
    texts = [text_of_cell(cell).replace(home, TOUR_HOME) for cell in notebook.cells]
    texts = [re.sub(r"(attest: building kernels|reading snli).*\n", "", text) for text in texts]
    return [re.sub(r"\s+", "", re.sub(r"[-+]?\d+(?:[.,]\d+)*\.?", "0", text)) for text in texts]


def test_the_tour_runs_from_the_wheel(site, home, home_with_corpora, tmp_path, monkeypatch):
    """Its files go to a folder of the test, where the built-in corpora are ready."""
    tour = nbformat.reads(nbformat.writes(TOUR).replace(TOUR_HOME, str(home)), as_version=4)
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    NotebookClient(tour, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert kinds(tour) == kinds(TOUR)
    assert words_of(tour, str(home)) == words_of(TOUR, TOUR_HOME), "outputs of docs/tour.ipynb are old; run it again"
    for printed in (
        "| Directional self-attention network (DiSAN) | 15,411 |",
        "| disan | 2 |",
        "(4, 48)",
        "'entailment'",
    ):
        assert printed in text_of(tour)
        assert printed in text_of(TOUR)
    assert len(list((home / "results/mini/records").glob("*.json"))) == 4
    assert "(1 of 1 runs) [1]" in text_of(tour)


def test_the_outputs_of_the_tour_name_no_file_of_a_machine():
    places = set(re.findall(r"(?<![\w.:])/(?:root|home|Users|work|tmp)\b[\w/.-]*", text_of(TOUR)))
    assert places
    assert all(place.startswith(TOUR_HOME) for place in places)
    assert [cell.execution_count for cell in TOUR.cells if cell.cell_type == "code"] == [
        *range(1, len(kinds(TOUR)) + 1)
    ]

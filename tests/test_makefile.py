"""The Makefile in a folder whose path has a space, and what its rules do with paths."""

import os
import shutil
import subprocess

import pytest
from places import ROOT

PYTHON = """#!/bin/sh
printf '%s\\n' "$@" >> log
"""
"""A Python that notes its arguments, a line each."""


@pytest.fixture
def project(tmp_path):
    """A copy of the Makefile in a folder, with the environment as it is once torch is installed."""
    folder = tmp_path / "my project"
    programs = folder / ".venv/bin"
    programs.mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "reproduce", folder / "reproduce")
    (programs / "python").write_text(PYTHON)
    (programs / "python").chmod(0o755)
    (folder / ".venv/.torch-cpu").touch()
    return folder


def make(folder, *words):
    """Return what make prints."""
    environment = {**os.environ, "MAKEFLAGS": "--no-print-directory"}
    done = subprocess.run(["make", *words], cwd=folder, capture_output=True, text=True, check=True, env=environment)
    return done.stdout


def test_setup_compiles_its_own_environment(project):
    make(project, ".venv/.installed")
    arguments = (project / "log").read_text().splitlines()
    assert arguments[arguments.index("compileall") :] == ["compileall", "-q", "-j", "0", f"{project}/.venv/lib"]


@pytest.mark.parametrize(("typed", "folder"), [("/my  data", "/my  data"), ("../data/b c", "{parent}/data/b c")])
def test_a_folder_of_data_is_one_absolute_path(typed, folder, project):
    (project / ".venv/.installed").touch()
    printed = make(project, "-n", "table1", f"DATA={typed}")
    assert f" 'paths.data={folder.format(parent=project.parent)}'" in printed


def test_rows_that_are_added_to_a_table_are_one_word(project):
    (project / ".venv/.installed").touch()
    assert " 'with=model=s2t hidden_size=5'" in make(project, "-n", "table1", "WITH=model=s2t hidden_size=5")


def test_the_environment_of_ray_is_made_where_it_stays(project):
    """The programs of an environment that is moved cannot start."""
    for stamp in (".installed", ".developing"):
        (project / ".venv" / stamp).touch()
    printed = make(project, "-n", ".venv-ray")
    assert ".venv/bin/python -m venv .venv-ray\n" in printed
    (project / ".venv-ray").mkdir()
    (project / ".venv-ray/.installed").touch()
    assert "venv .venv-ray" not in make(project, "-n", ".venv-ray")


@pytest.mark.parametrize(
    ("benchmarks", "commands"),
    [
        ("", [".venv/bin/attest bench"]),
        ("core step", [".venv/bin/attest bench core step"]),
        ("gpu", ["-m attest.benchmarks.gpu"]),
        ("core gpu step", [".venv/bin/attest bench core step", "-m attest.benchmarks.gpu"]),
    ],
    ids=["all", "some", "that of a GPU", "some and that of a GPU"],
)
def test_benchmarks_are_those_that_are_named(benchmarks, commands, project):
    for stamp in (".installed", ".extended"):
        (project / ".venv" / stamp).touch()
    printed = make(project, "-n", "bench", f"BENCH={benchmarks}").splitlines()
    assert len(printed) == len(commands)
    assert all(line.rstrip().endswith(command) for line, command in zip(printed, commands, strict=True))


def test_the_benchmark_of_a_gpu_needs_no_environment(project):
    assert "pip" not in make(project, "-n", "bench", "BENCH=gpu")

"""Building the kernels, and going on without them."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
import torch
from commands import Command, run
from marks import needs_kernels
from places import ROOT
from write_file import write_file

from attest.models.attention import feature_attention
from attest.models.kernels import backends, library


def print_attention(arguments):
    """Print the back end and the sum of an attention whose value is known, with a library of its kernel alone."""
    for name in [name for name in library.SOURCES if name.endswith(".cpp") and name != "token2token.cpp"]:
        del library.SOURCES[name]
    x = torch.ones(1, 3, 5)
    backend, _ = backends.choose_backend("cpu", "float32")
    print(backend, feature_attention(x, x, x, direction="forward", lengths=torch.tensor([3])).sum().item())
    return 0


def start(tmp_path, **environment):
    return Command(main=print_attention, **{"XDG_CACHE_HOME": str(tmp_path), **environment})


def attend(tmp_path, **environment):
    return run(main=print_attention, **{"XDG_CACHE_HOME": str(tmp_path), **environment})


@pytest.fixture
def compiler(tmp_path, monkeypatch):
    """The compiler without optimisation, which takes a fifth of the time, for tests of how kernels are built."""
    if library.compiler() is None:
        pytest.skip("there is no C++ compiler here")
    quick = write_file(tmp_path / "bin/quick", f'#!/bin/sh\nexec {library.compiler()} "$@" -O0\n')
    quick.chmod(0o755)
    monkeypatch.setenv("CXX", str(quick))
    return quick


def test_built_on_first_use_with_one_line_and_then_kept(tmp_path, compiler):
    first, second = attend(tmp_path), attend(tmp_path)
    assert first.stdout == second.stdout == "native 10.0\n"
    assert first.stderr.startswith("attest: building kernels for this processor")
    assert first.stderr.count("\n") == 1
    assert second.stderr == ""
    assert [path.suffix for path in (tmp_path / "attest").iterdir()] == [".so"]


def test_environments_share_a_library_if_their_runtimes_of_openmp_have_one_name():
    key = library.build_key("g++", ["/one/.venv/libgomp.so.1"])
    assert library.build_key("g++", ["/other/.venv/libgomp.so.1"]) == key
    assert library.build_key("g++", ["/one/.venv/libgomp-a34b3233.so.1"]) != key
    assert library.build_key("clang++", ["/one/.venv/libgomp.so.1"]) != key


def test_a_damaged_library_is_built_again(tmp_path, compiler):
    attend(tmp_path)
    (built,) = (tmp_path / "attest").iterdir()
    built.write_bytes(b"")
    assert attend(tmp_path).stdout == "native 10.0\n"


def test_a_process_that_lives_through_an_update_keeps_its_own_kernels(tmp_path, compiler):
    copied = shutil.copytree(ROOT / "src/attest", tmp_path / "code/attest")
    kernel = copied / "models/kernels/native/token2token.cpp"
    run_it = "from models.kernels.test_library import print_attention\nprint_attention(())\n"
    update = f"import attest.models.kernels.library\nopen('{kernel}', 'w').write('other')\n"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": str(copied.parent)}
    done = subprocess.run(
        [sys.executable, "-c", update + run_it],
        cwd=ROOT / "tests",
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "native 10.0\n"


@pytest.mark.parametrize(
    ("compiler_named", "reason"),
    [("/nowhere/g++", "/nowhere/g++"), ("false", "false failed"), ('g++ "-g', "correct CXX")],
    ids=["missing", "failing", "open quote"],
)
def test_without_a_working_compiler_plain_torch_is_used_and_that_is_said(tmp_path, compiler_named, reason):
    done = attend(tmp_path, CXX=compiler_named)
    assert done.stdout == "reference 10.0\n"
    assert "attention runs without kernels, many times slower" in done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unwritable_cache_is_said_too(tmp_path, compiler):
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = attend(tmp_path, XDG_CACHE_HOME=str(blocked))
    assert done.stdout == "reference 10.0\n"
    assert f"cannot write to {blocked}" in done.stderr


def test_a_build_that_is_killed_leaves_nothing_that_looks_finished(tmp_path, compiler):
    begun, quick = tmp_path / "begun", compiler.read_text()
    compiler.write_text(f"#!/bin/sh\ntouch {begun}\nexec sleep 60\n")
    with start(tmp_path) as child:
        assert "building" in child.stderr.readline()
        while not begun.exists():
            assert child.returncode is None
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
    assert list((tmp_path / "attest").glob("building-*"))
    compiler.write_text(quick)
    assert attend(tmp_path).stdout == "native 10.0\n"


def test_two_processes_that_build_at_once_do_not_disturb_each_other(tmp_path, compiler):
    both = [start(tmp_path) for _ in range(2)]
    assert [process.communicate()[0] for process in both] == ["native 10.0\n"] * 2


def test_a_build_that_another_process_has_just_finished_is_no_failure(tmp_path, monkeypatch):
    """Its temporary folder is listed and gone a moment later."""
    monkeypatch.setattr(library, "run_compiler", lambda _: None)
    monkeypatch.setattr(library.Path, "glob", lambda *_: [tmp_path / "building-other"])
    placed = []
    monkeypatch.setattr(library.os, "replace", lambda _, path: placed.append(path))
    library.build("g++", [], tmp_path / "kernels.so")
    assert placed == [tmp_path / "kernels.so"]


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch):
    def fail():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(library.Path, "home", fail)
    with pytest.raises(library.UnavailableError, match="no home folder for compiled kernels; set XDG_CACHE_HOME"):
        library.cache_folder()


def test_a_compiler_may_have_options_as_in_make(tmp_path, monkeypatch):
    """`make sanitize` gives g++ the sanitizers in this way."""
    commands = []
    monkeypatch.setattr(library, "run_compiler", lambda command: commands.append(command))
    with pytest.raises(library.UnavailableError, match="kernels.so"):  # which nobody has written
        library.build("g++ -g -fsanitize='address,undefined'", [], tmp_path / "kernels.so")
    assert len(commands) > 1
    assert all(command[:3] == ["g++", "-g", "-fsanitize=address,undefined"] for command in commands)


@needs_kernels
def test_the_processs_floating_point_mode_stays_as_it_is():
    """What -ffast-math changes when a library is loaded: the smallest numbers would become zero."""
    library.load_library()
    smallest = torch.tensor(1e-40)
    assert smallest * 0.5 > 0
    assert float(smallest) / 2 > 0


def test_the_back_end_follows_device_type_and_wish():
    assert backends.choose_backend("cpu", "float32", "reference") == ("reference", "chosen by trainer.attention")
    assert backends.choose_backend("cuda", "float32")[0] == "compiled"
    for kind in ("float16", "float64", "int64", "complex64"):
        assert backends.choose_backend("cpu", kind) == ("reference", f"the kernels take fp32 and bf16, and no {kind}")
    assert backends.choose_backend("cpu", "float32", "auto", True)[0] == "reference"
    with pytest.raises(ValueError, match="auto, native, compiled, reference"):
        backends.use("fast")


def compare_compiled(arguments):
    tensors = [torch.randn(2, 7, 5, requires_grad=True) for _ in range(3)]
    results = []
    for name in ("compiled", "reference"):
        backends.use(name)
        s = feature_attention(*tensors, direction="backward", lengths=torch.tensor([7, 4]))
        results.append([s, *torch.autograd.grad(s.square().sum(), tensors)])
    for x, y in zip(*results, strict=True):
        torch.testing.assert_close(x, y)
    return 0


def test_the_compiled_reference_equals_the_reference():
    if library.compiler() is None:
        pytest.skip("torch.compile needs a C++ compiler")
    done = run(main=compare_compiled)
    assert done.returncode == 0, done.stderr

"""The C++ in native/, for this processor: built on first use, kept, and called."""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

SOURCES = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted(Path(__file__).with_name("native").iterdir())
    if path.is_file()
}
"""As they were when this process began: if the code is updated meanwhile, kernels still fit the Python that calls."""
FLAGS = ("-std=c++17", "-O3", "-march=native", "-fPIC", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math")
"""No -ffast-math: it would lose NaN, and at link time change how the whole process rounds small numbers."""

ABANDONED_SECONDS = 600


class UnavailableError(Exception):
    """Why there are no kernels here."""


@cache
def load_library() -> ctypes.CDLL:
    """The compiled kernels; built once per processor, compiler, torch and source."""
    command = compiler()
    if command is None:
        raise UnavailableError("no C++ compiler (g++, clang++) was found")
    runtime = sorted((Path(torch.__file__).parent / "lib").glob("libgomp*"))
    link = [str(runtime[0])] if runtime else ["-fopenmp"]  # torch's own threads where possible, not a second set
    parts = [*SOURCES.values(), command, *FLAGS, *link, torch.__version__, processor()]
    name = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    path = cache_folder() / f"kernels-{name}.so"
    if not path.is_file():
        print(f"attest: building kernels for this processor with {command}, once", file=sys.stderr)
        build(command, link, path)
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise UnavailableError(f"{path} cannot be loaded ({error})") from error


def compiler() -> str | None:
    return os.environ.get("CXX") or next(filter(shutil.which, ("g++", "clang++", "c++")), None)


def cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "attest"


def processor() -> str:
    """What -march=native depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return " ".join(sorted({line for line in lines if line.startswith(("model name", "flags", "Features"))}))


def build(compiler: str, link: list[str], path: Path) -> None:
    """Compile beside the target and rename, so that a killed build leaves nothing that looks finished."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for abandoned in path.parent.glob("building-*"):
            if time.time() - abandoned.stat().st_mtime > ABANDONED_SECONDS:
                shutil.rmtree(abandoned, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix="building-", dir=path.parent) as folder:
            objects = []
            for name, text in SOURCES.items():
                Path(folder, name).write_text(text, encoding="utf-8")
            for source in sorted(Path(folder).glob("*.cpp")):
                objects.append(f"{folder}/{source.stem}.o")
                run_compiler([compiler, *FLAGS, "-fopenmp", "-c", str(source), "-o", objects[-1]])
            run_compiler([compiler, "-shared", *objects, "-o", f"{folder}/kernels.so", *link])
            os.replace(f"{folder}/kernels.so", path)
    except OSError as error:
        raise UnavailableError(f"cannot write to {path.parent} ({error})") from error


def run_compiler(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UnavailableError(f"{command[0]} cannot be run ({error.strerror})") from error
    if done.returncode:
        reason = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr[:200])
        raise UnavailableError(f"{command[0]} failed: {reason.strip()}")


def kernel_inputs(*tensors: Tensor) -> list[Tensor]:
    """The tensors as kernels take them: contiguous, and all in bf16 if they are, else all in fp32."""
    half = all(tensor.dtype == torch.bfloat16 for tensor in tensors)
    return [(tensor if half else tensor.float()).contiguous() for tensor in tensors]


def call(name: str, *arguments: Tensor | int | float | None) -> None:
    """A kernel on tensors (by address), whole numbers, booleans and numbers; the number of threads is added here.

    Tensors have to be contiguous and of the type that the kernel takes; nothing is checked.
    """
    getattr(load_library(), name)(*map(to_ctypes, arguments), ctypes.c_int(torch.get_num_threads()))


def to_ctypes(argument: Tensor | int | float | None) -> Any:
    if isinstance(argument, Tensor):
        return ctypes.c_void_p(argument.data_ptr())
    if isinstance(argument, bool):
        return ctypes.c_bool(argument)
    if isinstance(argument, int):
        return ctypes.c_int64(argument)
    return None if argument is None else ctypes.c_float(argument)

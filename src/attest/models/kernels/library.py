"""The library of C++ kernels: native/ is compiled for this processor on first use, cached and called by ctypes."""

import ctypes
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path

import torch
from torch import Tensor

SOURCES = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted(Path(__file__).with_name("native").iterdir())
    if path.is_file()
}
"""The C++ sources at the start of the process, so that kernels fit the Python code even if files change meanwhile."""
FLAGS = ("-std=c++17", "-O3", "-march=native", "-fPIC", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math")
"""The compiler's flags, without -ffast-math, which loses NaN and changes the rounding mode of the whole process."""

ABANDONED_SECONDS = 600
"""The age at which the folder of an unfinished build counts as abandoned."""


class UnavailableError(Exception):
    """The kernels cannot be built or loaded; the message says why."""


@cache
def load_library() -> ctypes.CDLL:
    """Return the compiled kernels, built once per processor, compiler command, torch version and source.

    Environments of a user with the same ones share the file, wherever they are.
    Raise UnavailableError if they cannot be built or loaded.
    """
    command = compiler()
    if command is None:
        raise UnavailableError("no C++ compiler (g++, clang++) was found")
    runtime = sorted((Path(torch.__file__).parent / "lib").glob("libgomp*"))
    link = [str(runtime[0])] if runtime else ["-fopenmp"]  # share torch's threads where possible
    path = cache_folder() / f"kernels-{build_key(command, link)}.so"
    if path.is_file():
        with suppress(OSError):  # a file that a full disk or a power failure has damaged is built again
            return ctypes.CDLL(str(path))
    print(f"attest: building kernels for this processor with {command} (only once)", file=sys.stderr)
    build(command, link, path)
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise UnavailableError(f"{path} cannot be loaded ({error})") from error


def build_key(command: str, link: list[str]) -> str:
    """Return the hash of what determines the compiled kernels.

    The kernels look for the runtime of OpenMP by its name and take the one that torch has loaded, so its folder does
    not count.
    """
    names = [Path(item).name for item in link]
    identity = [*SOURCES.values(), command, *FLAGS, *names, torch.__version__, processor()]
    return hashlib.sha256("\0".join(identity).encode()).hexdigest()[:16]


def compiler() -> str | None:
    """Return the command of the C++ compiler, $CXX or the first one on the path, or None if there is none.

    As in make, $CXX may have options: CXX="g++ -g".
    """
    return os.environ.get("CXX") or next(filter(shutil.which, ("g++", "clang++", "c++")), None)


def cache_folder() -> Path:
    """Return the folder of the compiled kernels; raise UnavailableError if the user has no home."""
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "attest"
    except RuntimeError as error:
        raise UnavailableError("the user has no home folder for compiled kernels; set XDG_CACHE_HOME") from error


def processor() -> str:
    """Return a description of the processor that changes whenever -march=native means something else."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:  # on macOS, whose processors all have the name arm or i386
        command = ["sysctl", "-n", "machdep.cpu.brand_string"]
        with suppress(OSError, subprocess.SubprocessError):
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        return platform.processor()
    return " ".join(sorted({line for line in lines if line.startswith(("model name", "flags", "Features"))}))


def build(compiler: str, link: list[str], path: Path) -> None:
    """Compile into a temporary folder and rename, so that a killed build leaves no incomplete library.

    Raise UnavailableError if the compiler fails or the folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for abandoned in path.parent.glob("building-*"):
            with suppress(FileNotFoundError):  # its process has just finished
                if time.time() - abandoned.stat().st_mtime > ABANDONED_SECONDS:
                    shutil.rmtree(abandoned, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix="building-", dir=path.parent) as folder:
            for name, text in SOURCES.items():
                Path(folder, name).write_text(text, encoding="utf-8")
            sources = sorted(Path(folder).glob("*.cpp"))
            objects = [f"{folder}/{source.stem}.o" for source in sources]
            compile_one = [*words_of(compiler), *FLAGS, "-fopenmp", "-c"]
            commands = [[*compile_one, str(source), "-o", o] for source, o in zip(sources, objects, strict=True)]
            with ThreadPoolExecutor(os.cpu_count()) as compilers:
                list(compilers.map(run_compiler, commands))
            run_compiler([*words_of(compiler), "-shared", *objects, "-o", f"{folder}/kernels.so", *link])
            os.replace(f"{folder}/kernels.so", path)
    except OSError as error:
        raise UnavailableError(f"cannot write to {path.parent} ({error})") from error


def words_of(compiler: str) -> list[str]:
    """Return the words of a compiler's command, as a shell reads them; raise UnavailableError if it cannot."""
    try:
        return shlex.split(compiler)
    except ValueError as error:
        raise UnavailableError(f"CXX={compiler} cannot be read ({error}); correct CXX") from error


def run_compiler(command: list[str]) -> None:
    """Run a compiler command; raise UnavailableError with its first error if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UnavailableError(f"{command[0]} cannot be run ({error.strerror})") from error
    if done.returncode:
        reason = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr[:200])
        raise UnavailableError(f"{command[0]} failed: {reason.strip()}")


def kernel_inputs(*tensors: Tensor) -> list[Tensor]:
    """Return the tensors in the form that kernels take: contiguous, all in bf16 if they all are, else all in fp32."""
    half = all(tensor.dtype == torch.bfloat16 for tensor in tensors)
    return [(tensor if half else tensor.float()).contiguous() for tensor in tensors]

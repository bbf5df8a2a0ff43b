"""Shared by all tests: a home of their own, and the built-in corpora made once."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is loaded: tests run side by side
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each process that a test starts compiles all modules anew

import fcntl
import json
import logging
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from attest.config.compose import compose
from attest.config.settings import Settings
from attest.data import mini
from attest.models.kernels import backends
from attest.system import checkout

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # in a background job of a script, which our commands would be too
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ("cli.fixtures", "cluster.fixtures", "inference.fixtures", "models.fixtures", "runs.fixtures")
TESTS = Path(__file__).parent

SLOW = (
    "benchmarks",
    "chaos",
    "cli/test_again.py",
    "cli/test_bench_command.py",
    "cli/test_cli_figures.py",
    "cli/test_cli_parser.py",
    "cli/test_command_process.py",
    "cli/test_deleted_run.py",
    "cli/test_hydra_flags.py",
    "cli/test_new.py",
    "cli/test_own.py",
    "cli/test_reproduce.py",
    "cli/test_runs.py",
    "cli/test_stop_together.py",
    "cli/test_sweep_table.py",
    "cli/test_train.py",
    "cli/test_transfer_cli.py",
    "cli/test_tune.py",
    "cli/test_wandb_tour.py",
    "cli/test_word_order.py",
    "config/test_hydra_cache.py",
    "data/readers/test_mutations.py",
    "fuzz",
    "gpu",
    "inference",
    "models/kernels/test_library.py",
    "models/test_half_precision.py",
    "reproduction/test_benchmarks_page.py",
    "reproduction/test_run_command.py",
    "reproduction/test_ssa_figures.py",
    "reproduction/test_tracked_records.py",
    "runs/test_lifecycle.py",
    "runs/test_shared_runs.py",
    "runs/test_wandb_mirror.py",
    "runs/test_wandb_push.py",
    "runs/test_wandb_retries.py",
    "runs/test_wandb_sync.py",
    "runs/test_wandb_views.py",
    "system",
    "test_documentation.py",
    "test_site.py",
    "test_wheel.py",
    "training/parser/test_parser_runs.py",
    "training/test_continuation.py",
    "training/test_device_loop.py",
    "training/test_extensions.py",
    "training/test_own_code.py",
    "training/test_schedule.py",
    "training/test_whole_runs.py",
    "transfer/test_cross_validation.py",
    "transfer/test_evaluate.py",
    "transfer/test_parallel.py",
    "transfer/test_senteval.py",
)
"""Files and folders of tests that train, start commands or measure: `make check` leaves them to `make test`."""


LONG = (
    "cli/test_stop_together.py",
    "test_wheel.py",
    "chaos/test_kills.py",
    "test_documentation.py",
    "cli/test_word_order.py",
    "cli/test_wandb_tour.py",
    "runs/test_shared_runs.py",
    "inference/test_export.py",
    "models/kernels/test_library.py",
    "training/test_whole_runs.py",
)
"""The files with the longest tests. They begin first, so that no worker is left alone with one of them at the end."""


def pytest_configure() -> None:
    """Refuse lists of files that name one which is no longer there."""
    if missing := [name for name in (*SLOW, *LONG) if not (TESTS / name).exists()]:
        raise pytest.UsageError(f"tests/conftest.py: SLOW or LONG names {', '.join(missing)}; correct the list")


def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than there are cores: many tests wait for processes, servers and the disk."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files with the longest tests first."""
    places = {TESTS / name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path, len(LONG)))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out tests that train, start commands or measure")
    parser.addoption("--cluster", action="store_true", help="run the tests that start a SLURM on this machine")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the slow tests of a run with --quick; None leaves the decision to pytest."""
    slow = any(collection_path == TESTS / name for name in SLOW)
    cluster = collection_path.parent == TESTS / "cluster" and not config.getoption("--cluster")
    return True if (slow and config.getoption("--quick")) or cluster else None


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all tests, also those of parallel workers, for what takes long to make."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    for name in ("composed", "corpora"):
        (folder / name).mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def make_once(shared: Path) -> Callable[[str, Callable[[], Any]], Any]:
    """A function that returns what `make` returns, as JSON would; the first parallel worker that asks makes it."""

    def once(name: str, make: Callable[[], Any]) -> Any:
        path = shared / f"{name}.json"
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                path.write_text(json.dumps(make()))
        return json.loads(path.read_text())

    return once


@pytest.fixture(scope="session")
def mini_data(shared: Path) -> Path:
    """The data folder of the built-in corpora."""
    folder = shared / "mini" / "data"
    mini.ensure_corpora(folder)
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, shared: Path) -> Path:
    """Nothing a test does touches the checkout: everything is written below a folder of its own, but composed cells of
    tables and corpora that were read, which are named by all that they depend on."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "cache").mkdir()
    for name in ("composed", "corpora"):
        (folder / "cache" / name).symlink_to(shared / name)
    monkeypatch.setenv("ATTEST_HOME", str(folder))
    for name in ("ATTEST_DATA", "ATTEST_PATH"):
        monkeypatch.delenv(name, raising=False)
    for name in ("WANDB_API_KEY", "WANDB_MODE", "WANDB_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("DATA", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"WANDB_{name}_DIR", str(folder / "wandb" / name.lower()))
    monkeypatch.setenv("NETRC", str(folder / "no-netrc"))
    return folder


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the user's own, which ATTEST_PATH names; its modules are forgotten after the test."""
    folder = tmp_path / "own"
    folder.mkdir()
    monkeypatch.setenv("ATTEST_PATH", str(folder))
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield folder
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(folder)):
            del sys.modules[name]


@pytest.fixture(autouse=True)
def committed_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Records of tests do not depend on whether this checkout has uncommitted changes, which pages would mark."""
    monkeypatch.setattr(checkout, "checkout_state", lambda: {"commit": "0" * 40, "uncommitted_changes": False})


@pytest.fixture(autouse=True)
def automatic_back_end() -> Iterator[None]:
    """Whatever a test or a run chose, the next test begins as a user does."""
    yield
    backends.use("auto")


@pytest.fixture(autouse=True)
def handlers_of_the_root_logger() -> Iterator[None]:
    """Remove the handlers that Hydra's own flags add: their stream is closed when the test ends."""
    before = logging.root.handlers[:]
    yield
    logging.root.handlers[:] = before


@pytest.fixture(autouse=True)
def random_numbers() -> None:
    torch.manual_seed(0)


@pytest.fixture
def settings_with(home: Path, mini_data: Path) -> Callable[..., Settings]:
    """Settings at scale mini, silent, on the corpora made once for all tests."""

    def make(*overrides: str) -> Settings:
        quiet = ("logger=none", "trainer.progress=false", f"paths.data={mini_data}")
        return compose([*quiet, *overrides])

    return make

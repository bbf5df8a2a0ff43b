from pathlib import Path

import pytest

from attest.system.user_folders import user_folder


@pytest.fixture(autouse=True)
def user(monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("system", "data", "cache"),
    [
        ("linux", "/home/ada/.local/share/attest", "/home/ada/.cache/attest"),
        ("darwin", "/home/ada/Library/Application Support/attest", "/home/ada/Library/Caches/attest"),
    ],
)
def test_each_system_has_its_folders(system, data, cache):
    assert (user_folder("data", system=system), user_folder("cache", system=system)) == (Path(data), Path(cache))


def test_a_variable_moves_them_if_its_path_is_absolute(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/scratch")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert user_folder("cache", system="linux") == Path("/scratch/attest")
    assert user_folder("data", system="linux") == Path("/home/ada/.local/share/attest")

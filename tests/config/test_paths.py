"""Where output goes: ATTEST_HOME, the checkout, or the user's folders."""

from pathlib import Path

import pytest

from attest.config import paths
from attest.config.compose import compose_unchecked
from attest.errors import SettingsError


def test_a_checkout_is_its_own_home(monkeypatch):
    monkeypatch.delenv("ATTEST_HOME")
    assert paths.home() == paths.CHECKOUT
    assert paths.cache_folder() == paths.CHECKOUT / "cache"
    assert paths.first_use_notice() == ""


def test_an_installed_package_uses_the_users_folders(monkeypatch, tmp_path):
    monkeypatch.delenv("ATTEST_HOME")
    monkeypatch.setattr(paths, "is_installed", lambda: True)
    monkeypatch.setattr(paths, "user_folder", lambda kind: tmp_path / "new" / kind)
    chosen = compose_unchecked([]).paths
    assert chosen.home == str(tmp_path / "new/data")
    assert chosen.cache == str(tmp_path / "new/cache")
    assert chosen.runs == str(tmp_path / "new/data/runs")
    assert compose_unchecked([f"paths.home={tmp_path}"]).paths.cache == str(tmp_path / "cache")
    said = paths.first_use_notice()
    assert said.startswith(f"runs, records and data go to {tmp_path}/new/data, caches to {tmp_path}/new/cache;")
    Path(chosen.home).mkdir(parents=True)
    assert paths.first_use_notice() == ""


def test_a_home_of_ones_own_holds_everything(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "is_installed", lambda: True)
    monkeypatch.setenv("ATTEST_HOME", str(tmp_path / "mine"))
    assert paths.cache_folder() == tmp_path / "mine/cache"
    assert paths.first_use_notice() == ""


def test_an_empty_variable_counts_as_unset(monkeypatch):
    monkeypatch.setenv("ATTEST_HOME", "")
    assert paths.home() == paths.CHECKOUT
    monkeypatch.setattr(paths, "is_installed", lambda: True)
    monkeypatch.setattr(paths, "user_folder", lambda kind: Path("/nowhere") / kind)
    assert paths.first_use_notice().startswith("runs, records and data go to /nowhere/data")


def test_the_data_folder_is_named_by_a_variable_unless_that_is_empty(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for named, folder in (("", f"{paths.home()}/data"), ("~/data", f"{tmp_path}/data"), ("own", "own")):
        monkeypatch.setenv("ATTEST_DATA", named)
        assert compose_unchecked(["scale=paper"]).paths.data == folder
    assert compose_unchecked(["scale=paper", "paths.data=typed"]).paths.data == "typed"


def test_a_tilde_is_the_home_folder_of_the_user(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ATTEST_HOME", "~/mine")
    assert paths.home() == tmp_path / "mine"


@pytest.mark.parametrize("key", ["home", "data", "runs"])
def test_an_empty_folder_is_refused(key):
    with pytest.raises(SettingsError, match=f"^paths.{key}: the value is empty; type paths.{key}=FOLDER"):
        compose_unchecked([f"paths.{key}="])

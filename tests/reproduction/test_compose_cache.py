"""Composed cells that are kept between commands."""

import errno
import json
import os

import pytest

from attest.config.compose import compose
from attest.config.flat import to_plain
from attest.reproduction.tables import compose_cache as module
from attest.system import devices

OVERRIDES = ("experiment=disan/sick", "model=s2t", "label.row=s2t", "scale=paper", "seed=3")


@pytest.fixture
def kept(home):
    """The folder of a user who has kept nothing yet, and each call as in a new process."""
    (home / "cache/composed").unlink()
    module.cached_composition.cache_clear()
    module.paths.cache_clear()
    yield home / "cache/composed"
    module.cached_composition.cache_clear()
    module.paths.cache_clear()


def again():
    module.cached_composition.cache_clear()
    return module.cached_composition(OVERRIDES).settings


def test_what_was_kept_is_what_hydra_composes(kept, monkeypatch, tmp_path):
    first = again()
    assert to_plain(first) == to_plain(compose(OVERRIDES))
    (path,) = kept.iterdir()
    assert str(kept.parent.parent) not in path.read_text()
    monkeypatch.setattr(module, "with_device_and_types", lambda settings: pytest.fail("composed again"))
    monkeypatch.setenv("ATTEST_DATA", str(tmp_path))
    module.paths.cache_clear()
    assert to_plain(again()) == to_plain(compose(OVERRIDES))


@pytest.mark.parametrize(
    "damage", [lambda text: "", lambda text: text[:50], lambda text: "{}", lambda text: text.replace('"seed"', '"sed"')]
)
def test_what_is_damaged_is_made_again(kept, damage):
    whole = to_plain(again())
    (path,) = kept.iterdir()
    text = path.read_text()
    path.write_text(damage(text))
    assert to_plain(again()) == whole
    assert json.loads(path.read_text()) == json.loads(text)


@pytest.mark.parametrize("stated", ["override", "file"])
def test_auto_stands_for_the_number_format_of_this_machine(stated, kept, tmp_path, monkeypatch):
    (tmp_path / "own/conf/experiment").mkdir(parents=True)
    text = "# @package _global_\ndefaults: [disan/sick, _self_]\ntrainer: {precision: auto}\n"
    (tmp_path / "own/conf/experiment/own_auto.yaml").write_text(text)
    monkeypatch.setenv("ATTEST_PATH", str(tmp_path / "own"))
    auto = (*OVERRIDES, "trainer.precision=auto") if stated == "override" else ("experiment=own_auto", *OVERRIDES[1:])

    def composed(has_bfloat16):
        monkeypatch.setattr(devices, "has_bfloat16", lambda device: has_bfloat16)
        module.cached_composition.cache_clear()
        composition = module.cached_composition(auto)
        return composition.settings.trainer.precision, composition.identifying.get("trainer.precision", "fp32")

    assert composed(has_bfloat16=True) == ("bf16", "bf16")
    assert composed(has_bfloat16=False) == ("fp32", "fp32")
    assert composed(has_bfloat16=False) == ("fp32", "fp32")


def test_another_configuration_is_not_taken_for_this_one(kept, monkeypatch):
    again()
    monkeypatch.setattr(module, "source_hash", lambda folders: "of another day")
    again()
    assert len(list(kept.iterdir())) == 2


def test_where_nothing_can_be_kept_it_goes_on(kept, monkeypatch):
    def refuse(*paths):
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    assert again().seed == 3
    assert not list(kept.iterdir())


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The hash of the sources, computed anew, of a copy of everything that it reads."""
    for name in ("conf/model", "attest/config", "attest/models/encoders", "attest/training/optim", "attest/runs"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("conf/model/mine.yaml", "attest/config/schema.py", "attest/models/encoders/disan.py",
                 "attest/training/optim/adagrad.py", "attest/runs/versions.py"):  # fmt: skip
        (tmp_path / name).write_text("1")
    (tmp_path / "reproduce/disan").mkdir(parents=True)
    (tmp_path / "reproduce/disan/table1.yaml").write_text("1")
    assert all((module.PACKAGE / name).exists() for name in module.CODE)
    monkeypatch.setattr(module, "PACKAGE", tmp_path / "attest")
    monkeypatch.setattr(module, "shipped_folder", lambda name: tmp_path / name)
    return tmp_path


def test_every_file_that_decides_settings_is_known(folders):
    """Files were known by name alone, and neither own folders nor the classes of components were known."""

    def source_hash():
        return module.source_hash.__wrapped__((folders / "conf",))

    before = source_hash()
    for path in sorted(folders.rglob("*.*")):
        path.write_text("2")
        assert source_hash() != before, path
        path.write_text("1")
        assert source_hash() == before
    (folders / "conf/head").mkdir()
    (folders / "conf/model/mine.yaml").rename(folders / "conf/head/mine.yaml")
    assert source_hash() != before, "the group of a file counts too"


def test_a_folder_of_ones_own_is_read_for_the_hash(tmp_path):
    own = module.folders_read([f"hydra.searchpath=['file://{tmp_path}']"])
    assert own == (*module.folders_read([]), tmp_path)


def test_the_cache_does_not_grow_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_CACHE_FILES", 8)
    for number in range(10):
        path = tmp_path / f"{number}.json"
        path.touch()
        os.utime(path, (number, number))
    module.prune.__wrapped__(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{number}.json" for number in range(4, 10)]
    module.prune.__wrapped__(tmp_path)
    assert len(list(tmp_path.iterdir())) == 6

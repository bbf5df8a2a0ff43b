"""Composed cells that are kept between commands."""

import json

import pytest

from attest.config.compose import compose
from attest.config.schema import to_plain
from attest.errors import StorageError
from attest.reproduction.tables import compose_cache as module

OVERRIDES = ("experiment=disan/sick", "model=s2t", "label.row=s2t", "scale=paper", "seed=3")


@pytest.fixture
def kept(home):
    """The folder of a user who has kept nothing yet, and each call as in a new process."""
    (home / "cache/composed").unlink()
    module.cached_settings.cache_clear()
    module.paths.cache_clear()
    yield home / "cache/composed"
    module.cached_settings.cache_clear()
    module.paths.cache_clear()


def again():
    module.cached_settings.cache_clear()
    return module.cached_settings(OVERRIDES)


def test_what_was_kept_is_what_hydra_composes(kept, monkeypatch, tmp_path):
    first = again()
    assert to_plain(first) == to_plain(compose(OVERRIDES))
    (path,) = kept.iterdir()
    assert str(kept.parent.parent) not in path.read_text()
    monkeypatch.setattr(
        module, "compose", lambda overrides: pytest.fail("composed again") if len(overrides) > 1 else compose(overrides)
    )
    monkeypatch.setenv("ATTEST_DATA", str(tmp_path))
    module.paths.cache_clear()
    assert to_plain(again()) == to_plain(compose(OVERRIDES))


@pytest.mark.parametrize(
    "damage", [lambda text: text[:50], lambda text: "{}", lambda text: text.replace('"seed"', '"sed"')]
)
def test_what_is_damaged_is_made_again(kept, damage):
    whole = to_plain(again())
    (path,) = kept.iterdir()
    text = path.read_text()
    path.write_text(damage(text))
    assert to_plain(again()) == whole
    assert json.loads(path.read_text()) == json.loads(text)


def test_another_configuration_is_not_taken_for_this_one(kept, monkeypatch):
    again()
    monkeypatch.setattr(module, "source_hash", lambda: "of another day")
    again()
    assert len(list(kept.iterdir())) == 2


def test_where_nothing_can_be_kept_it_goes_on(kept, monkeypatch):
    def refuse(path, data):
        raise StorageError(f"cannot write {path}")

    monkeypatch.setattr(module, "write_json", refuse)
    assert again().seed == 3
    assert not kept.exists()

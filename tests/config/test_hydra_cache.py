"""What is composed from parts that are kept is what Hydra composes afresh, with parsers of its own."""

import random
from itertools import chain

import pytest
from hydra import initialize_config_dir
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from attest.config.hydra import scope as hydra_scope
from attest.config.hydra.cache import VERSION, compose_config, compose_values, compose_with_hydra, merger
from attest.config.hydra.patches import parse_cache
from attest.config.keys import dotted_keys
from attest.config.paths import shipped_folder
from attest.reproduction.specs.table import load_table, table_names
from attest.reproduction.tables import cells

GROUPS = {
    group.name: [path.relative_to(group).with_suffix("").as_posix() for path in sorted(group.rglob("*.yaml"))]
    for group in sorted(shipped_folder("conf").iterdir())
    if group.is_dir()
}
VALUES = ("7", "0.25", "null", "true", "word", "'12'", "${hidden_size}", "[1,2]", "{a: 1, b: {c: 2}}", "${scale}/x")


def outcome(compose, overrides):
    """What is compose_config, with interpolations as they are written and resolved, or what is said to be wrong."""
    try:
        config = compose(list(overrides))
        return OmegaConf.to_yaml(config), OmegaConf.to_yaml(config, resolve=True), OmegaConf.is_struct(config)
    except (HydraException, OmegaConfBaseException, TypeError, ValueError) as error:
        return type(error), str(error)


def values_outcome(compose, overrides):
    """What compose_values returns, or what is said to be wrong; nested dicts keep their order."""
    try:
        return repr(compose(list(overrides)))
    except (HydraException, OmegaConfBaseException, TypeError, ValueError) as error:
        return type(error), str(error)


def hydras_values(overrides):
    return OmegaConf.to_container(compose_with_hydra(overrides), resolve=True)


def hydras_outcome(overrides):
    """The outcome of Hydra alone: its parsers and those of OmegaConf read every file and every text anew."""
    with pytest.MonkeyPatch.context() as patch:
        for owner, name, original, _ in parse_cache.CHANGES:
            patch.setattr(owner, name, original)
        return outcome(compose_with_hydra, overrides)


def drawn(rng):
    """Overrides of up to three groups and up to five values, in any order; some of them are wrong."""
    groups = [f"{group}={rng.choice(GROUPS[group])}" for group in rng.sample(sorted(GROUPS), rng.randrange(4))]
    keys = [key for key in dotted_keys(OmegaConf.to_container(compose_config([]), resolve=False)) if "paths" not in key]
    values = [f"{rng.choice(keys)}={rng.choice(VALUES)}" for _ in range(rng.randrange(6))]
    odd = rng.choice(["+new=3", "++optimizer.lr=3", "+model.extra={a: 1}", "~seed", "~mask", "+seed=2", "lrr=3", "a,b"])
    overrides = [*groups, *values, *([odd] if rng.random() < 0.4 else [])]
    return rng.sample(overrides, len(overrides))


@pytest.mark.parametrize("seed", range(30))
def test_any_overrides_give_what_hydra_gives(seed):
    overrides = drawn(random.Random(seed))
    assert outcome(compose_config, overrides) == hydras_outcome(overrides)
    assert values_outcome(compose_values, overrides) == values_outcome(hydras_values, overrides)


def test_cells_of_tables_are_what_hydra_composes(monkeypatch):
    """Two cells of each paper are drawn. The ids of the others are compared with what Hydra gave in
    test_tracked_records."""
    asked = {}
    for table in table_names():
        monkeypatch.setattr(cells, "cached_composition", asked.setdefault(table.partition("/")[0], []).append)
        cells.cells(load_table(table), "paper")
    assert sum(map(len, asked.values())) > 300
    for overrides in chain(*(random.Random(0).sample(of_paper, 2) for of_paper in asked.values())):
        assert outcome(compose_config, overrides) == hydras_outcome(overrides)
        assert compose_values(list(overrides)) == hydras_values(list(overrides))


def test_what_is_kept_is_not_changed_by_its_users():
    first = outcome(compose_config, ["model=s2t"])
    config = compose_config(["model=s2t"])
    config.head.hidden_size, config.label.row = 5, "other"
    assert outcome(compose_config, ["model=s2t"]) == first
    merger.cache_clear()
    assert outcome(compose_config, ["model=s2t"]) == first


@pytest.fixture
def conf(tmp_path, monkeypatch):
    """An empty folder, which is conf/ for the test."""
    monkeypatch.setattr(hydra_scope, "shipped_folder", lambda name: tmp_path)
    return tmp_path


def test_a_running_application_composes_from_its_own_folders(conf):
    (conf / "config.yaml").write_text("defaults: [model: mine, _self_]\nseed: 4\n")
    (conf / "model").mkdir()
    (conf / "model/mine.yaml").write_text("size: ${seed}\n")
    with initialize_config_dir(str(conf), version_base=VERSION):
        assert compose_config(["seed=5"]) == {"seed": 5, "model": {"size": 5}} == compose_with_hydra(["seed=5"])


def test_a_dangling_link_beside_a_file_of_ones_own_is_no_file(own_folder):
    """Editors leave one beside a file with changes that are not saved."""
    (own_folder / "conf/model").mkdir(parents=True, exist_ok=True)
    (own_folder / "conf/model/.#mine.yaml").symlink_to("nobody@host.1")
    assert "text" in compose_config([])


def test_keys_below_an_interpolation_go_to_a_copy_of_its_value(conf):
    (conf / "config.yaml").write_text("defaults: [first, second]\n")
    (conf / "first.yaml").write_text("a: {x: 1, y: '???'}\nb: ${a}\n")
    (conf / "second.yaml").write_text("b: {x: 2}\na: {y: '???'}\n")
    with initialize_config_dir(str(conf), version_base=VERSION):
        config = compose_config(["a.y=5"])
        assert config == compose_with_hydra(["a.y=5"])
        assert config.b.x == 2


def test_a_file_that_changes_is_read_anew(conf):
    for size in (3, 4):
        (conf / "config.yaml").write_text(f"size: {size}\ntwice: ${{size}}\n")
        with initialize_config_dir(str(conf), version_base=VERSION):
            config = compose_with_hydra([])
        assert config == {"size": size, "twice": size}
        config.size = 7  # a copy


def test_an_override_that_was_parsed_keeps_its_value(conf):
    (conf / "config.yaml").write_text("sizes: [1]\n")
    for _ in range(2):
        with initialize_config_dir(str(conf), version_base=VERSION):
            config = compose_with_hydra(["sizes=[3,4]"])
        assert config.sizes == [3, 4]
        config.sizes.append(5)

"""Hydra programs of other people, in whose environment or process Attest is, too: their Hydra stays as it is."""

import importlib
import sys

import hydra
import pytest
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.singleton import Singleton
from hydra.errors import ConfigCompositionException
from hydra.version import VersionBase
from omegaconf import DictConfig
from write_file import write_file

import attest
from attest.config.compose import compose_unchecked
from attest.config.hydra.cache import VERSION
from attest.config.paths import shipped_folder
from attest.errors import RecordError

JOBLIB = "hydra_plugins.hydra_joblib_launcher.joblib_launcher.JoblibLauncher"


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Return the configuration that a foreign program gets from its arguments; Attest has opened a run before."""
    write_file(
        tmp_path / "conf/config.yaml",
        "defaults: [_self_, dataset: cats, model: wide, override hydra/job_logging: none,"
        " override hydra/hydra_logging: none]\n"
        "hydra: {output_subdir: null, run: {dir: .}}\n",
    )
    write_file(tmp_path / "conf/dataset/cats.yaml", "name: Cats and dogs\n")
    write_file(tmp_path / "conf/dataset/birds.yaml", "name: All birds\n")
    write_file(tmp_path / "conf/model/wide.yaml", "_target_: theirs.Wide\nwidth: 3\n")
    monkeypatch.setenv("HYDRA_FULL_ERROR", "1")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RecordError):
        attest.load("0123")

    def run(*arguments, job=lambda config: None):
        configs = []

        def main(config: DictConfig):
            configs.append((config, HydraConfig.get().copy()))
            job(config)

        monkeypatch.setattr(sys, "argv", ["theirs.py", *arguments])
        hydra.main(version_base="1.2", config_path=str(tmp_path / "conf"), config_name="config")(main)()
        return configs[0]

    yield run
    Singleton._instances.pop(HydraConfig, None)


def test_a_program_keeps_its_own_names_after_a_run_is_loaded(program):
    config, _ = program("dataset=birds", "model.width=5")
    assert config == {"dataset": {"name": "All birds"}, "model": {"_target_": "theirs.Wide", "width": 5}}


def test_hydra_refuses_a_wrong_key_beside_another_class(program):
    with pytest.raises(ConfigCompositionException, match=r"Could not override 'model.widht'"):
        program("model._target_=theirs.Other", "model.widht=4")


def test_a_program_keeps_its_launchers_and_its_search_path(program, own_folder, monkeypatch):
    (own_folder / "conf/model").mkdir(parents=True)
    for folder in (own_folder, own_folder / "missing"):
        monkeypatch.setenv("ATTEST_PATH", str(folder))
        _, own = program("hydra/launcher=joblib")
        assert own.launcher._target_ == JOBLIB
        assert {source.provider for source in own.runtime.config_sources} == {"hydra", "main", "schema"}


def test_attest_composes_its_own_files_inside_a_program(program):
    composed = []

    def job(config):
        running = GlobalHydra.instance().hydra
        composed.append(compose_unchecked(["model=s2t"]).model["_target_"])
        composed.append(compose_unchecked(["packages=[attest,torch.optim]"]).dataset.name)  # Hydra composes it itself
        assert GlobalHydra.instance().hydra is running
        assert str(VersionBase.instance().getbase()) == "1.2"

    program(job=job)
    assert composed == ["attest.models.SourceToToken", "snli"]


def test_attest_has_its_own_joblib_whatever_plugin_comes_last():
    """Hydra imports plugins in the order of sys.path, which differs between a checkout and an installed wheel."""
    importlib.reload(importlib.import_module("hydra_plugins.hydra_joblib_launcher.config"))
    with hydra.initialize_config_dir(str(shipped_folder("conf")), version_base=VERSION):
        config = hydra.compose("config", overrides=["hydra/launcher=joblib"], return_hydra_config=True)
    assert config.hydra.launcher._target_ == "hydra_plugins.attest_launchers.JoblibLauncher"

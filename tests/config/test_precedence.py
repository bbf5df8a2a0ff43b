"""Which file of settings overrides which, and what is reported of it."""

import pytest
from omegaconf import OmegaConf
from write_file import write_file

from attest.config.compose import compose, compose_unchecked
from attest.config.hydra.cache import compose_config, compose_with_hydra
from attest.config.hydra.precedence import own_files_last
from attest.config.hydra.replaced_settings import replaced_settings
from attest.config.paths import shipped_folder
from attest.data.mini.provide import reads_built_in_data
from attest.errors import SettingsError

OWN = {
    "dataset": "name: mine\nformat: tabbed\nfiles: {all: mine.tsv}\nlabels: [a, b]\nexpected: {all: 9}\n"
    "licence: none\nreference: none\nhard: mine.txt\n",
    "experiment": "# @package _global_\ntask: classification\nhead: {_target_: attest.models.PairClassifier}\n"
    "seed: 7\npackages: [attest, torch.optim, mine]\nretry_failed: true\n"
    "hidden_size: 30\ndropout: 0.3\noptimizer: {lr: 0.7, weight_decay: 0.5}\nlabel: {row: mine}\n"
    "protocol: {steps: 300, evaluate_every: 10, evaluate_from: 5, batch_size: 7}\ntext: {lowercase: first}\n",
    "head": "_target_: attest.models.PairClassifier\nhidden_size: 9\nactivation: relu\ndifference: absolute\n"
    "dropout: 0.6\n",
    "logger": "wandb: true\nproject: mine\nonline: false\n",
    "mask": "# @package model\ndirections: [none, diagonal]\n",
    "model": "_target_: attest.models.DiSAN\nhidden_size: 11\nscale: 3.0\ndropout: 0.6\n",
    "optimizer": "_target_: torch.optim.SGD\nlr: 0.7\nweight_decay: 0.5\n",
    "paths": "home: /mine\ndata: /mine/data\ncache: /mine/cache\nruns: /mine/runs\nrecords: /mine/records\n"
    "results: /mine/results\nwandb: /mine/wandb\nhydra: /mine/hydra\n",
    "phrases": "source: right\nlevels: 2\n",
    "protocol": "name: mine\nbatch_size: 7\nsteps: 300\nevaluate_every: 10\nevaluate_from: 5\n"
    "evaluation_batch_size: 3\n",
    "text": "tokens: whitespace\nlowercase: first\nlength_percentile: 50.0\n",
    "trainer": "precision: bf16\nthreads: 3\nprogress: false\n",
    "vectors": "file: mine.txt\nsize: 5\nexpected: 7\nlicence: none\nreference: none\n",
}
"""A file of one's own for each group, with values that no shipped file has and that scales and experiments set too."""
NEEDED = {"head": ["experiment=ssa/snli"]}
"""The override without which nothing chooses from a group."""
OF_COMMANDS = ("classifier", "parser_training", "hydra")
"""Groups of `attest transfer` and `attest parser train`, which take no files of one's own."""


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """The override that adds a folder with every file in OWN."""
    folder = tmp_path_factory.mktemp("own")
    for group, text in OWN.items():
        (folder / group).mkdir()
        (folder / group / "mine.yaml").write_text(text)
    write_file(folder / "scale/mine.yaml", "# @package _global_\nscale: mine\nhidden_size: 3\nprotocol: {steps: 9}\n")
    (folder / "experiment/derived.yaml").write_text(
        "# @package _global_\ndefaults: [/experiment/disan/trec, override /optimizer: mine]\noptimizer: {lr: 0.9}\n"
    )
    return f"hydra.searchpath=['file://{folder}']"


def own_values(group):
    """The values of a file in OWN by dotted key."""
    config = OmegaConf.create(OWN[group])
    whole = "@package _global_" in OWN[group]
    where = "model" if group == "mask" else group
    return OmegaConf.create(config if whole else {where: config})


def test_every_group_has_a_file_of_ones_own_here():
    groups = {path.name for path in shipped_folder("conf").iterdir() if path.is_dir()}
    assert groups == {*OWN, "scale", *OF_COMMANDS}


@pytest.mark.parametrize("scale", ["mini", "paper"])
@pytest.mark.parametrize("group", OWN)
def test_a_file_of_ones_own_overrides_the_scale_and_the_experiment(group, scale, own):
    config = compose_config([own, f"scale={scale}", f"{group}=mine", *NEEDED.get(group, [])])
    stated = own_values(group)
    assert OmegaConf.masked_copy(config, list(stated)) == OmegaConf.merge(
        OmegaConf.masked_copy(config, list(stated)), stated
    )


@pytest.mark.parametrize("group", OWN)
def test_the_command_line_overrides_a_file_of_ones_own(group, own):
    values = {
        "dataset": "dataset.hard=other.txt",
        "experiment": "seed=3",
        "head": "head.hidden_size=4",
        "logger": "logger.project=other",
        "mask": "model.directions=[none,none]",
        "model": "model.scale=4.0",
        "optimizer": "optimizer.lr=0.1",
        "paths": "paths.data=/other",
        "phrases": "phrases.levels=1",
        "protocol": "protocol.steps=5",
        "text": "text.lowercase=true",
        "trainer": "trainer.threads=1",
        "vectors": "vectors.size=6",
    }
    key, _, value = values[group].partition("=")
    config = compose_config([own, f"{group}=mine", values[group], *NEEDED.get(group, [])])
    assert OmegaConf.select(config, key) == OmegaConf.create(f"value: {value}").value


def test_hydra_itself_composes_in_the_same_order(own):
    overrides = [own, "experiment=mine", "model=mine", "mask=diagonal"]
    ours, hydras = compose_config(overrides), compose_with_hydra(overrides)
    assert OmegaConf.to_yaml(ours) == OmegaConf.to_yaml(hydras)
    assert ours.model.directions == ["diagonal", "diagonal"]


def test_a_mask_of_the_command_line_changes_a_model_of_ones_own(own):
    assert compose([own, "model=mine", "mask=diagonal"]).model["directions"] == ["diagonal", "diagonal"]


def test_a_scale_of_ones_own_stays_below_an_experiment_of_ones_own(own):
    assert compose_unchecked([own, "scale=mine"]).protocol.steps == 9
    assert compose_unchecked([own, "scale=mine", "experiment=mine"]).protocol.steps == 300


def test_a_scale_of_ones_own_may_extend_mini(own_folder):
    """The name of the extended scale was taken for that of the run."""
    text = "# @package _global_\ndefaults: [mini]\nhidden_size: 8\n"
    write_file(own_folder / "conf/scale/tiny.yaml", f"{text}scale: tiny\n")
    write_file(own_folder / "conf/scale/nameless.yaml", text)
    settings = compose_unchecked(["scale=tiny"])
    assert (settings.scale, settings.hidden_size, settings.protocol.steps) == ("tiny", 8, 1200)
    assert reads_built_in_data(settings)
    with pytest.raises(SettingsError, match=r"nameless.yaml:1: a scale states its name, .*`scale: nameless`$"):
        compose_unchecked(["scale=nameless"])


def test_an_experiment_of_ones_own_overrides_its_groups_and_what_it_derives_from(own):
    settings = compose_unchecked([own, "experiment=derived"])
    assert (settings.optimizer["_target_"], settings.optimizer["lr"], settings.dropout) == ("torch.optim.SGD", 0.9, 0.1)


def test_a_package_of_an_experiment_of_ones_own_is_trusted(own):
    assert compose_unchecked([own, "experiment=mine"]).packages == ("attest", "torch.optim", "mine")
    with pytest.raises(SettingsError, match="cannot import mine"):
        compose([own, "experiment=mine", "model=s2t", "model._target_=mine.Encoder"])


def test_shipped_files_keep_their_order():
    class Default:
        def __init__(self, path, package=""):
            self.config_path, self.package = path, package

    paths = ["config", "base", "model/disan", "mask/none", "experiment/disan/snli", "scale/mini"]
    defaults = [Default(path, "model" if path.startswith("m") else "") for path in paths]
    assert own_files_last(defaults, set()) == defaults
    assert [d.config_path for d in own_files_last(defaults, {"model/disan", "scale/mini"})] == [
        "config", "base", "experiment/disan/snli", "scale/mini", "model/disan", "mask/none",
    ]  # fmt: skip


def reported(*overrides):
    """The replaced values, by key: the stated value, its file, the value in force and its file."""
    return {
        item.key: (item.stated, item.source, item.in_force, item.winner)
        for item in replaced_settings(overrides, compose_unchecked(overrides))
    }


def test_what_the_scale_replaces_of_an_experiment_is_reported():
    assert reported("scale=paper", "experiment=disan/trec") == {}
    assert reported("experiment=disan/trec", "optimizer.lr=1") == {
        "hidden_size": (300, "experiment=disan/trec", 24, "scale=mini"),
        "dropout": (0.35, "experiment=disan/trec", 0.1, "scale=mini"),
        "protocol.steps": (100_000, "experiment=disan/trec", 1200, "scale=mini"),
    }


def test_what_a_file_of_ones_own_replaces_is_reported(own):
    report = reported(own, "experiment=derived", "optimizer=mine")
    assert report["optimizer.lr"] == (0.7, "optimizer=mine", 0.9, "experiment=derived")
    assert report["optimizer.weight_decay"] == (5e-05, "experiment=derived", 0.5, "optimizer=mine")


def test_each_setting_is_reported_once_without_what_a_scale_states_for_other_choices(own):
    stated = list(replaced_settings((own, "optimizer=mine"), compose_unchecked((own, "optimizer=mine"))))
    (rate,) = [item for item in stated if item.key == "optimizer.lr"]
    assert (rate.stated, rate.source) == (0.5, "experiment=disan/snli")
    assert (rate.in_force, rate.winner) == (0.7, "optimizer=mine")
    typed = reported("optimizer=sgd")["optimizer.lr"]
    assert (typed[0], typed[1], typed[3]) == (0.06, "optimizer=sgd", "scale=mini")


def test_a_choice_of_the_command_line_that_an_experiment_replaces_is_reported():
    report = reported("scale=paper", "optimizer=adam", "vectors=glove_840b", "experiment=disan/snli")
    assert report == {
        "optimizer.lr": (0.001, "optimizer=adam", 0.5, "experiment=disan/snli"),
        "optimizer.weight_decay": (0.0, "optimizer=adam", 5e-05, "experiment=disan/snli"),
    }
    small = reported("vectors=glove_840b")
    assert small["vectors.size"] == (300, "vectors=glove_840b", 24, "scale=mini")
    assert "vectors.expected" not in small


def test_one_of_several_choices_of_a_group_that_an_experiment_replaces_is_reported(tmp_path):
    text = "# @package _global_\ndefaults: [disan/trec]\nlogger: {csv: false}\n"
    write_file(tmp_path / "experiment/quiet.yaml", text)
    report = reported(f"hydra.searchpath=[file://{tmp_path}]", "logger=[wandb,csv]", "experiment=quiet")
    assert report["logger.csv"] == (True, "logger=csv", False, "experiment=quiet")

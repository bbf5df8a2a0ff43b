"""Folders of the user's own: which are found, what they provide, and what is refused."""

import sys

import pytest
from omegaconf import OmegaConf
from write_file import write_file

from attest.config import own_folders as module
from attest.config.components import build_component
from attest.config.compose import compose, compose_unchecked
from attest.config.hydra.cache import compose_config
from attest.config.locate import locate_class
from attest.config.own_folders import add_own_folder, choices, is_own_module, own_configs, own_folders, specifications
from attest.errors import SettingsError

MEAN = """import torch
from attest.models import Encoder

class Mean(Encoder):
    def __init__(self, input_size: int, hidden_size: int = 7) -> None:
        super().__init__()
        self.width = hidden_size
        self.layer = torch.nn.Linear(input_size, hidden_size)

    def encode(self, x_ND, layout):
        return self.layer(layout.grid(x_ND).sum(1))
"""


def write(folder, **files):
    """Write files, given by their path with __ for / and without suffix: conf__model__mine is conf/model/mine.yaml."""
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        assert path.is_relative_to(folder), f"{name} is not in {folder}"
        write_file(path.with_suffix(".yaml" if name.startswith(("conf__", "reproduce__", "model__")) else ".py"), text)


def test_a_folder_provides_code_settings_and_tables_without_further_settings(own_folder):
    write(own_folder, own_mean=MEAN, conf__model__own="_target_: own_mean.Mean\nhidden_size: ${hidden_size}\n")
    write(own_folder, reproduce__mine__first="extends: disan/table2\n")
    settings = compose(["model=own"])
    assert settings.model == {"_target_": "own_mean.Mean", "hidden_size": 24}
    assert settings.packages == ("attest", "torch.optim")
    assert choices("model")["own"] == own_folder / "conf/model/own.yaml"
    assert specifications()["mine/first"] == own_folder / "reproduce/mine/first.yaml"
    assert build_component(settings.model, "model", input_size=3).width == 24


def test_a_file_that_changes_counts_in_the_same_process(own_folder):
    """The merged files were kept by the folders alone, so that a notebook went on with the settings of before."""
    for activation in ("relu", "tanh"):
        write(own_folder, conf__model__own=f"_target_: attest.models.SourceToToken\nactivation: {activation}\n")
        assert compose(["model=own"]).model["activation"] == activation
    write(own_folder, conf__model__new="_target_: attest.models.SourceToToken\nactivation: elu\n")
    assert compose(["model=new"]).model["activation"] == "elu"


def test_several_folders_and_a_folder_that_holds_groups_itself(own_folder, tmp_path, monkeypatch):
    write(own_folder, model__plain="_target_: attest.models.SourceToToken\nactivation: relu\n")
    write(tmp_path / "second", conf__model__other="_target_: attest.models.SourceToToken\nactivation: tanh\n")
    monkeypatch.setenv("ATTEST_PATH", f"{own_folder}:{tmp_path / 'second'}")
    assert [folder.path for folder in own_folders()] == [own_folder, tmp_path / "second"]
    assert [compose([f"model={name}"]).model["activation"] for name in ("plain", "other")] == ["relu", "tanh"]


def test_an_installed_package_names_itself_by_an_entry_point(tmp_path, monkeypatch):
    (tmp_path / "packaged").mkdir()
    (tmp_path / "packaged/__init__.py").touch()
    write(tmp_path / "packaged", enc=MEAN, conf__model__packed="_target_: packaged.enc.Mean\n")
    installed = tmp_path / "packaged-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: packaged\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[attest]\nmine = packaged\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module, "packaged_folders", module.packaged_folders.__wrapped__)
    assert [folder.path for folder in own_folders()] == [tmp_path / "packaged"]
    assert compose(["model=packed"]).model == {"_target_": "packaged.enc.Mean"}
    assert is_own_module("packaged.enc")
    assert not is_own_module("pack")
    (installed / "entry_points.txt").write_text("[attest]\ngone = no_such_package\n")
    with pytest.raises(SettingsError, match="entry point attest: gone = no_such_package: there is no package"):
        own_folders()


def test_a_folder_without_settings_is_no_place_of_settings(own_folder):
    write(own_folder, lonely="class Mine: pass\n")
    assert own_folders()[0].conf is None
    assert own_configs() == []
    assert compose(["model=s2t"]).model["_target_"] == "attest.models.SourceToToken"


def test_a_data_set_is_named_as_its_file(own_folder):
    text = "name: other\nformat: tsv\nfiles: {all: a.tsv}\ncolumns: {sentence: a, label: b}\nlabels: [x, y]\n"
    write(own_folder, conf__dataset__own_named=text)
    with pytest.raises(SettingsError, match=r"own_named.yaml:1: dataset.name: other is not the name of its"):
        compose(["dataset=own_named"])


def test_a_folder_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTEST_PATH", str(tmp_path / "nowhere"))
    with pytest.raises(SettingsError, match=r"ATTEST_PATH: .*nowhere: no such folder"):
        compose([])


def test_a_tilde_is_the_home_folder_of_the_user(own_folder, monkeypatch):
    monkeypatch.setenv("HOME", str(own_folder.parent))
    monkeypatch.setenv("ATTEST_PATH", f"~/{own_folder.name}")
    assert [folder.path for folder in own_folders()] == [own_folder]
    monkeypatch.setenv("ATTEST_PATH", "")
    add_own_folder(f"~/{own_folder.name}")
    assert [folder.path for folder in own_folders()] == [own_folder]


def test_a_folder_whose_name_holds_the_separator_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTEST_PATH", "")
    (tmp_path / "own:1").mkdir()
    with pytest.raises(SettingsError, match=r"^--config-dir .*own:1 contains :, which separates .*ATTEST_PATH"):
        add_own_folder(str(tmp_path / "own:1"))


@pytest.mark.parametrize("name", ["conf/model/disan", "reproduce/disan/table1", "conf/experiment/disan/snli"])
def test_a_file_that_a_shipped_one_would_hide_is_refused(name, own_folder):
    (own_folder / name).parent.mkdir(parents=True)
    (own_folder / f"{name}.yaml").write_text("a: 1\n")
    with pytest.raises(SettingsError, match=rf"{name}.yaml:1: attest has a file .* give yours another name"):
        own_folders()


def test_a_table_outside_of_a_folder_is_refused(own_folder):
    write(own_folder, reproduce__first="extends: disan/table2\n")
    from attest.reproduction.specs.table import table_names

    with pytest.raises(SettingsError, match=r"reproduce/first.yaml:1: not in a folder of its own"):
        table_names()


def test_a_module_that_python_finds_elsewhere_is_refused(own_folder):
    write(own_folder, json="class Mine: pass\n")
    with pytest.raises(SettingsError, match=r"own/json: Python finds another json first, in .*give yours another"):
        locate_class({"_target_": "json.JSONDecoder"}, "model")


def test_only_modules_of_the_folder_are_trusted(own_folder):
    write(own_folder, own_trusted="class Mine: pass\n")
    assert locate_class({"_target_": "own_trusted.Mine"}, "model").__name__ == "Mine"
    assert str(own_folder) == sys.path[-1]
    for target in ("own_trusted_not.Mine", "os.path.Mine"):
        with pytest.raises(SettingsError, match="is in none of the packages"):
            locate_class({"_target_": target}, "model")


def test_a_class_of_a_trusted_package_leaves_arguments_behind_too(own_folder):
    write(own_folder, conf__head__flat="_target_: torch.nn.Flatten\n")
    settings = compose_unchecked(["experiment=disan/snli", "head=flat", "packages=[attest,torch]"])
    assert settings.head == {"_target_": "torch.nn.Flatten"}


def test_another_class_leaves_arguments_behind_that_it_does_not_take(own_folder):
    write(own_folder, own_other=MEAN)
    settings = compose(["model=disan", "model._target_=own_other.Mean"])
    assert settings.model == {"_target_": "own_other.Mean", "hidden_size": 24}
    assert compose(["model=s2t", "model._target_=own_other.Mean", "model.hidden_size=5"]).model["hidden_size"] == 5
    with pytest.raises(SettingsError, match=r"model.hiden_size: unknown setting of Mean. Did you"):
        compose(["model=disan", "model._target_=own_other.Mean", "model.hiden_size=5"])
    with pytest.raises(SettingsError, match=r"model.dropout: unknown setting of Mean"):
        compose(["model=s2t", "model._target_=own_other.Mean", "model.dropout=0.5"])


def test_another_class_gets_the_sizes_of_the_scale_that_it_takes(own_folder):
    write(own_folder, own_sized=MEAN)
    typed = ["model=s2t", "model._target_=own_sized.Mean"]
    for scale, size in (("mini", 24), ("paper", 300)):
        assert compose([*typed, f"scale={scale}"]).model["hidden_size"] == size
    assert compose([*typed, "hidden_size=50"]).model["hidden_size"] == 50
    assert compose([*typed, "model.hidden_size=5"]).model["hidden_size"] == 5
    assert compose([*typed, "+model.hidden_size=5"]).model["hidden_size"] == 5
    assert "hidden_size" not in compose([*typed, "~model.hidden_size"]).model
    assert compose([*typed, "~model.dropout"]).model == {"_target_": "own_sized.Mean", "hidden_size": 24}


HEAD = """from attest.models import Head

class Mine(Head):
    def __init__(self, width: int, classes: int, depth: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
"""


@pytest.mark.parametrize("more", [[], ["hydra.verbose=false"]], ids=["merged as dicts", "by Hydra"])
def test_a_head_of_ones_own_takes_nothing_else_from_the_experiment(own_folder, more):
    write(own_folder, own_head=HEAD, conf__head__own="_target_: own_head.Mine\ndepth: 2\n")
    for experiment in ("disan/snli", "disan/sick", "psan/snli", "ssa/snli"):
        config = compose_config([f"experiment={experiment}", "scale=paper", "head=own", *more])
        assert OmegaConf.to_container(config.head, resolve=True) == {"_target_": "own_head.Mine", "depth": 2}


def test_mistakes_in_a_file_of_ones_own_head_are_not_dropped(own_folder):
    write(own_folder, own_head_too=HEAD, conf__head__own_too="_target_: own_head_too.Mine\ndeph: 2\n")
    with pytest.raises(SettingsError, match=r"own_too.yaml:2: head.deph: unknown setting of Mine. Did you mean"):
        compose(["head=own_too"])
    write(own_folder, conf__head__own_three="_target_: own_head_too.Mine\ndepth: 2\n")
    with pytest.raises(SettingsError, match=r"head.activation: unknown setting of Mine"):
        compose(["head=own_three", "head.activation=relu"])


def test_a_shipped_head_replaces_that_of_the_experiment():
    assert compose(["head=dense_classes", "experiment=disan/trec"]).head["hidden_size"] == 3000


STEP = """import torch

class Mine(torch.optim.SGD):
    def __init__(self, params, lr: float) -> None:
        super().__init__(params, lr=lr)
"""


def test_an_optimiser_of_ones_own_takes_what_it_knows(own_folder):
    write(own_folder, own_step=STEP, conf__optimizer__own="_target_: own_step.Mine\nlr: 0.5\n")
    assert compose(["optimizer=own"]).optimizer == {"_target_": "own_step.Mine", "lr": 0.5}


@pytest.mark.parametrize("name", ["Adagrad", "Adadelta", "Adafactor", "AdamW"])
def test_another_optimiser_takes_its_own_eps_and_the_weight_decay_of_the_experiment(name):
    settings = compose(["model=s2t", f"optimizer._target_=torch.optim.{name}", "optimizer.lr=0.1"])
    wanted = compose(["model=s2t"]).optimizer["weight_decay"]
    assert settings.optimizer == {"_target_": f"torch.optim.{name}", "lr": 0.1, "weight_decay": wanted}
    typed = compose(["model=s2t", "optimizer._target_=torch.optim.Adam", "optimizer.eps=0.5"])
    assert typed.optimizer["eps"] == 0.5


def test_another_optimiser_may_be_named_in_a_dictionary():
    typed = ["model=s2t", "optimizer._target_=torch.optim.SGD", "optimizer.lr=0.1"]
    assert compose(["model=s2t", "optimizer={_target_: torch.optim.SGD, lr: 0.1}"]) == compose(typed)


def test_an_optimiser_of_ones_own_does_not_take_eps_from_the_experiment(own_folder):
    step = STEP.replace("own_step", "own_eps").replace("lr: float)", "lr: float, eps: float = 0.1)")
    write(own_folder, own_eps=step, conf__optimizer__own_eps="_target_: own_eps.Mine\nlr: 0.5\n")
    typed = ["experiment=ssa/snli", "model=structured", "optimizer=own_eps"]
    assert compose(typed).optimizer == {"_target_": "own_eps.Mine", "lr": 0.5}
    assert compose([*typed, "optimizer.eps=0.2"]).optimizer["eps"] == 0.2


def test_the_same_class_keeps_its_arguments_and_its_id():
    plain = compose(["model=disan"])
    assert compose(["model=disan", "model._target_=attest.models.DiSAN"]).model == plain.model


def test_a_data_set_chooses_its_experiment_unless_the_command_does(own_folder):
    text = "name: own_reviews\nformat: tsv\nfiles: {all: a.tsv}\ncolumns: {sentence: a, label: b}\nlabels: [x, y]\n"
    write(own_folder, conf__dataset__own_reviews=f"{text}experiment: disan/sentences\n")
    settings = compose(["dataset=own_reviews"])
    assert settings.head["_target_"] == "attest.models.SentenceClassifier"
    assert (settings.dataset.name, settings.dataset.expected, settings.dataset.licence) == ("own_reviews", {}, "")
    other = compose_unchecked(["dataset=own_reviews", "experiment=disan/trec"])
    assert (other.protocol.steps, other.text) == (1200, compose_unchecked(["experiment=disan/trec"]).text)

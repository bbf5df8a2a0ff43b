"""Every shipped choice composes, and every typo is refused."""

import random

import pytest
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import MissingConfigException
from omegaconf import OmegaConf

from attest.config.compose import compose
from attest.config.flat import flatten, to_plain
from attest.config.hydra.cache import compose_config
from attest.config.hydra.errors import translate_hydra_errors
from attest.config.keys import dotted_keys, known_keys
from attest.config.paths import shipped_folder
from attest.config.settings import Logger, Phrases, Protocol, Text, Vectors
from attest.config.yaml_files import read_yaml
from attest.errors import SettingsError

OPTIONAL = ("archive", "loose", "parses", "unavailable", "grades", "mini_vectors", "columns", "experiment")
"""Of a data set, settings that most sets do without."""
OF_COMMANDS = ("classifier", "parser_training")
"""Groups of the settings of `attest transfer` and `attest parser train`, which are no settings of a training run."""
EXPERIMENTS = {
    "aggregation": "dam/sick_ts",
    "dense_classes": "ssa/yelp",
    "gated_pairs": "ssa/snli",
    "pairs": "disan/snli",
    "pruned_classes": "ssa/yelp",
    "pruned_pairs": "ssa/snli",
    "relatedness": "disan/sick",
    "sentences": "disan/trec",
}
"""The heads, each with an experiment that has its inputs."""
GROUPS = sorted(
    path
    for path in shipped_folder("conf").rglob("*.yaml")
    if path.parent != shipped_folder("conf") and path.relative_to(shipped_folder("conf")).parts[0] not in OF_COMMANDS
)


def override_for(path):
    name = path.relative_to(shipped_folder("conf")).with_suffix("").as_posix()
    if name.startswith("hydra/"):  # groups of Hydra itself lie one level deeper
        return "=".join(name.rsplit("/", 1))
    return name.replace("/", "=", 1)


@pytest.mark.parametrize("override", [override_for(path) for path in GROUPS])
@pytest.mark.parametrize("scale", ["mini", "paper"])
def test_every_shipped_choice_composes_and_is_built(override, scale):
    overrides = [override] if override.startswith("scale=") else [f"scale={scale}", override]
    if override.startswith("phrases=") and override != "phrases=none":
        overrides.append("model=psan")  # no other takes phrases
    elif override == "model=psan":
        overrides.append("phrases=balanced")
    elif override.startswith("head="):
        overrides.append(f"experiment={EXPERIMENTS[override.removeprefix('head=')]}")
    settings = compose(overrides)
    assert settings.seed == 1
    assert settings.packages == ("attest", "torch.optim")
    assert not GlobalHydra.instance().is_initialized()


def test_every_setting_of_the_schema_stands_in_conf():
    """Hydra refuses an override of a setting that no file names."""
    known = set(dotted_keys(OmegaConf.to_container(compose_config([]), resolve=False)))
    schema = set(dotted_keys(to_plain(compose([]))))
    assert not [
        key
        for key in schema - known
        if not key.startswith(("vectors.archive", "vectors.mini_file", *(f"dataset.{name}" for name in OPTIONAL)))
    ]


def test_trees_of_the_data_may_be_divided_into_more_than_two_parts():
    settings = compose(["experiment=psan/snli", "phrases.branching=nary"])
    assert (settings.phrases.source, settings.phrases.branching) == ("corpus", "nary")
    assert compose(["phrases=none", "phrases.branching=nary"]).phrases == Phrases()  # as all settings of phrases


@pytest.mark.parametrize("group", ["text", "phrases", "protocol"])
def test_all_choices_of_a_group_have_the_same_settings(group):
    """Else it would be by the choice whether a setting can be changed without a + in front."""
    settings = [
        OmegaConf.to_container(compose_config([override_for(path)]), resolve=False)[group].keys()
        for path in GROUPS
        if path.parent.name == group
    ]
    assert len(settings) > 1
    assert not [keys ^ settings[0] for keys in settings if keys != settings[0]]


def test_the_base_file_holds_the_defaults_of_the_schema():
    types = {"text": Text, "phrases": Phrases, "vectors": Vectors, "protocol": Protocol, "logger": Logger}
    written = read_yaml(shipped_folder("conf") / "base.yaml")
    assert written.keys() == types.keys()
    for group, values in written.items():
        fields = types[group].__dataclass_fields__
        assert values == {key: to_plain(fields[key].default) for key in values}


def test_the_papers_settings_for_snli():
    flat = flatten(compose(["scale=paper"]))
    assert {key: flat[key] for key in (
        "model.hidden_size", "model.dropout", "model.scale", "head.hidden_size", "head.dropout", "optimizer.lr",
        "optimizer.rho", "optimizer.eps", "optimizer.weight_decay", "optimizer.rows", "protocol.batch_size",
        "protocol.steps", "vectors.size", "vectors.unknown_range", "text.length_percentile",
    )} == {
        "model.hidden_size": 300, "model.dropout": 0.25, "model.scale": 5.0, "head.hidden_size": 300,
        "head.dropout": 0.25, "optimizer.lr": 0.5, "optimizer.rho": 0.95, "optimizer.eps": 1e-8,
        "optimizer.weight_decay": 5e-5, "optimizer.rows": "touched", "protocol.batch_size": 64,
        "protocol.steps": 400_000, "vectors.size": 300, "vectors.unknown_range": 0.05, "text.length_percentile": 97.0,
    }  # fmt: skip


def test_one_word_changes_mini_to_paper():
    mini, paper = compose([]), compose(["scale=paper"])
    assert (mini.scale, mini.vectors.size, mini.protocol.steps) == ("mini", 24, 1200)
    assert (paper.scale, paper.vectors.size, paper.protocol.steps) == ("paper", 300, 400_000)
    assert mini.paths.results != paper.paths.results


def test_masks_set_the_directions_of_a_directional_encoder():
    assert compose(["mask=diagonal"]).model["directions"] == ["diagonal", "diagonal"]
    with pytest.raises(SettingsError, match="unknown setting of BiLSTM.*only directional encoders"):
        compose(["model=bilstm", "mask=diagonal"])


@pytest.mark.parametrize(
    ("dataset", "task", "head"),
    [
        ("snli", "classification", "PairClassifier"),
        ("mrpc", "classification", "PairClassifier"),
        ("sick", "classification", "PairClassifier"),
        ("stsb", "relatedness", "Aggregation"),
        ("mr", "classification", "SentenceClassifier"),
        ("yelp", "classification", "SentenceClassifier"),
    ],
)
def test_a_data_set_that_the_default_experiment_does_not_fit_brings_its_own(dataset, task, head):
    settings = compose([f"dataset={dataset}"])
    assert (settings.dataset.name, settings.task) == (dataset, task)
    assert settings.head["_target_"] == f"attest.models.{head}"


def test_a_typed_experiment_wins_over_that_of_the_data_set():
    assert compose(["dataset=stsb", "experiment=disan/sick"]).model["_target_"] == "attest.models.DiSAN"


def test_seed_zero_is_a_seed():
    assert compose(["seed=0"]).seed == 0


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["modle=disan"], "modle: unknown setting. Did you mean model"),
        (["logger=none", "logger.online=true"], "logger.online: no setting of the logger chosen here"),
        (["optimizer.lrr=3"], "optimizer.lrr: unknown setting. Did you mean optimizer.lr"),
        (["model=structured", "model.hop=3"], "model.hop: unknown setting. Did you mean model.hops"),
        (["model.hops=3"], "model.hops: no setting of the model chosen here"),
        (["+optimizer.lrr=3"], "optimizer.lrr: unknown setting of Adadelta. Did you mean optimizer.lr"),
        (["++modle.lr=3"], "modle: unknown setting. Did you mean model"),
        (["+protocol.stepz=3"], "protocol.stepz: unknown setting. Did you mean protocol.steps"),
        (["model=dsan"], "model=dsan: no such choice. Did you mean disan"),
        (["experiment=disan/trek"], "experiment=disan/trek: no such choice. Did you mean disan/trec.*disan/cr"),
        (["experiment=dsian/trec"], "experiment=dsian/trec: no such choice. Did you mean disan/trec.*psan/snli"),
        (["protocol=[1,2]", "seed=2"], r"protocol=\[1,2\]: the choice of a group is a name, as in protocol=paper"),
        (["model=[disam]"], "model=disam: no such choice. Did you mean disan"),
        (["optimizer=adamw"], r"no such choice. Did you mean adam\?.* torch: optimizer._target_=torch.optim.NAME"),
        (
            ["model._target_=own_nowhere.X", "packages=[attest,torch.optim,own_nowhere]"],
            "there is no module own_nowhere; install its package, or put its folder on PYTHONPATH; code in a folder",
        ),
        (["model._target_=attest.nowhere.X"], "there is no module attest.nowhere$"),
        (["model="], "model=: no such choice. There are: additive"),
        (["vectors=1"], "vectors=1: the choice of a group is a name"),
        (["seed=1,2"], "seed=1,2: several values; `attest train -m` trains a run with each of them"),
        (["seed=range(1,4)"], r"seed=range\(1,4\): several values; `attest train -m`"),
        (["model=s2t", "model={hidden_size: 8}"], "model.hidden_size: no setting of the model chosen here"),
        (
            ["protocol.batch_words=500"],
            "protocol.batch_words: batches that are unsorted hold a number of examples; add",
        ),
        (["model={activaton: relu}"], "model.activaton: unknown setting. Did you mean model.activation?"),
        (["trainer.accelerator=cuda"], "trainer.accelerator: 'cuda' has another name here. Did you mean gpu"),
        (["trainer.accelerator=cuda:1"], "Did you mean gpu"),
        (["dataset=5"], "dataset=5: the choice of a group is a name"),
        (["dataset=../dataset/snli"], r"^dataset=../dataset/snli: no such choice\. .*There are: age, "),
        (["model=../optimizer/adam"], r"^model=../optimizer/adam: no such choice\. .*There are: "),
        (["seed=-1"], r"seed: -1 is out of range; type a number from 0 on"),
        (["seed=one"], "seed: expected a whole number, got 'one'"),
        (["dropout=1.0"], r"dropout: 1.0 is out of range; type a number from 0 to below 1"),
        (["trainer.precision=fp23"], "trainer.precision: 'fp23' is not one of auto, fp32, bf16. Did you mean fp32"),
        (["protocol.steps=0"], r"protocol.steps: 0 is out of range"),
        (
            ["model=psan", "phrases=learned", "phrases.branching=nary"],
            "phrases.branching: nary has no effect with phrases.source=learned, whose trees are binary; type phrases.b",
        ),
        (["optimizer.rho=2"], "optimizer: lr, rho, eps, weight_decay: expected lr > 0, 0 <= rho < 1"),
        (["optimizer._target_=torch.optim.LBFGS"], "optimizer: LBFGS doesn't support per-parameter options"),
        (["~model.hops"], "~model.hops: there is no such setting to delete; leave it out"),
        (["~model"], "model: missing; add it"),
        (["seed"], "not of the form key=value"),
        (["scale=paper", "text.length_percentile=0"], "text.length_percentile: 0.0 is out of range"),
        (["paths.data=${nowhere}"], r"paths.data: \${nowhere} names no setting"),
        (
            ["dataset.labels.x=1"],
            r"^dataset.labels.x: dataset.labels is a list; .* as in dataset.labels=\[a,b\]",
        ),
        (["trainer.callbacks.x=1"], "^trainer.callbacks.x: trainer.callbacks is a list"),
        (["trainer.callbacks.x._target_=A.B"], "^trainer.callbacks.x._target_: trainer.callbacks is a list"),
        (["packages.x=1"], "^packages.x: packages is a list"),
        (["+dataset.labels.x=1"], "^dataset.labels.x: dataset.labels is a list"),
        (["~dataset.labels.0"], "^dataset.labels.0: dataset.labels is a list"),
        (["head=pruned_pairs"], "head.rows: needs model.hops, .* lacks; choose model=structured or another head"),
        (["text.lowercase=1"], "text.lowercase: 1 is not one of true, false or first"),
        (["task=foo"], "or package.Class; package.Class is the full name of your own code, as my_module.MyClass"),
        (["text.tokens=treebnk"], "is not one of parse, treebank, whitespace or package.Class. Did you mean treebank"),
    ],
)
def test_mistakes_are_one_sentence(overrides, message):
    with pytest.raises(SettingsError, match=message) as caught:
        compose(overrides)
    assert "\n" not in str(caught.value)


def test_a_file_of_ones_own_that_is_malformed_is_named(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own/bad.yaml").write_text("defaults:\n  - {a: b, c: d}\n")
    with pytest.raises(SettingsError, match="In own/bad: Too many keys"):
        compose([f"hydra.searchpath=[file://{tmp_path}]", "+own=bad"])


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("joblib", r"hydra/launcher=joblib: not installed; type pip install 'attest\[joblib\]'"),
        ("ray", r"hydra/launcher=ray: not installed; type pip install 'attest\[ray\]'"),
        ("submitit_slurm", r"hydra/launcher=submitit_slurm: not installed; type pip install 'attest\[slurm\]'"),
        ("bsic", "hydra/launcher=bsic: no such choice. Did you mean basic"),
    ],
)
def test_a_launcher_that_is_not_installed_names_its_extra(choice, message):
    text = f"Could not find 'hydra/launcher/{choice}'\n\nAvailable options in 'hydra/launcher':\n\tbasic\n"
    with pytest.raises(SettingsError, match=message), translate_hydra_errors([]):
        raise MissingConfigException(text, f"hydra/launcher/{choice}", ["basic"])


def test_only_what_hydra_finds_wrong_is_explained():
    with pytest.raises(ValueError, match="of a run"), translate_hydra_errors(()):
        raise ValueError("of a run")


def typos(number: int, seed: int):
    """Real keys with one letter dropped, doubled, swapped or replaced; half of them with + or ++ in front."""
    rng = random.Random(seed)
    config = to_plain(compose([]))
    keys = sorted(key for key in dotted_keys(config) if len(key.rpartition(".")[2]) > 3 and "paths" not in key)
    keys = [key for key in keys if not key.startswith(("dataset.", "vectors.archive", "label", "packages"))]
    while number:
        key = rng.choice(keys)
        head, dot, word = key.rpartition(".")
        place = rng.randrange(len(word) - 1)
        letters = list(word)
        kind = rng.choice(["drop", "double", "swap", "replace"])
        if kind == "drop":
            del letters[place]
        elif kind == "double":
            letters.insert(place, letters[place])
        elif kind == "swap":
            letters[place : place + 2] = reversed(letters[place : place + 2])
        else:
            letters[place] = rng.choice("abcdefghijklmnopqrstuvwxyz")
        typo = head + dot + "".join(letters)
        if typo != key and typo not in known_keys():
            number -= 1
            yield key, rng.choice(["", "", "+", "++"]) + typo


def test_50_typos_are_refused_and_45_of_them_understood():
    understood = 0
    for key, typo in typos(50, seed=7):
        with pytest.raises(SettingsError) as caught:
            compose([f"{typo}=1"])
        message = str(caught.value)
        understood += f"Did you mean {key}?" in message
    assert understood >= 45

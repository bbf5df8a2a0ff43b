"""A mistake in a file of the user's own is one sentence with the file and the line."""

import pytest
from write_file import write_file

from attest.config.compose import compose
from attest.config.keys import check_keys, known_keys
from attest.config.yaml_files import line_of, locate_errors_in_file, read_yaml
from attest.errors import SettingsError

CODE = {
    "own_boom": 'x = 1\n\nraise RuntimeError("no\\nGPU")\n',
    "own_syntax": "x = 1\ny = (\n",
    "own_lacks": "import no_such_package\n",
    "own_empty": "",
    "own_exit": "import sys\n\nsys.exit(3)\n",
}
S2T = "_target_: attest.models.SourceToToken\n"
SHARED = "name: own\nformat: tsv\nfiles: {all: a.tsv}\n"
NINE = ", ".join(["*{0}"] * 9)
MULTIPLIED = "a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [{NINE.format(f'a{n - 1}')}]\n" for n in range(1, 10))
"""Lists of lists with 9 to the 9th values, written with aliases in a few lines."""
GLOBAL = "# @package _global_\ndefaults:\n  - /experiment/disan/snli\n"
MISTAKES = {
    ("model", "# first\n_target_: own_boom.X\n"): r":2: model._target_: cannot import own_boom: {own}/own_boom.py:3: "
    "RuntimeError: no GPU",
    (
        "model",
        "_target_: own_syntax.X\n",
    ): r":1: model._target_: cannot import own_syntax: {own}/own_syntax.py:2: ",
    ("model", "_target_: own_lacks.X\n"): r":1: .*{own}/own_lacks.py:1: ModuleNotFoundError: No module",
    ("model", "_target_: own_empty.X\n"): ":1: model._target_: own_empty has no class X",
    (
        "model",
        "_target_: own_empty.sub.X\n",
    ): ":1: model._target_: cannot import own_empty.sub: there is no module own_empty.sub; write module.Class, a class "
    "at the top of a module",
    ("model", "_target_: own_exit.X\n"): r":1: model._target_: .*: {own}/own_exit.py:3: SystemExit: 3",
    ("model", "_target_: nowhere.X\n"): ":1: model._target_: nowhere.X is in none of the packages",
    ("model", f"{S2T}\nactivation: elu\nwidht: 3\n"): ":4: model.widht: unknown setting of SourceToToken",
    ("model", f"{S2T}activation: 3\n"): ":2: model.activation: 3 is not one of elu",
    ("model", f"{S2T}\n activation: elu\n"): ":3: not readable as YAML: mapping values are not allowed",
    ("model", "a: caf\udce9\n"): ": the file is not UTF-8; save it in UTF-8",
    ("model", f"{S2T}activation: '\x01'\n"): ":2: not readable as YAML: control characters are not allowed",
    ("model", f"{S2T}activation: elu\nactivation: relu\n"): ":3: not readable as YAML: found duplicate key activation",
    ("model", f"{S2T}hidden_size: ${{hiden_size}}\n"): r":2: model.hidden_size: .*{hiden_.* Did you mean hidden_size",
    ("model", f"{S2T}activation: ${{oc.env:NO_SUCH}}\n"): ":2: model.activation: KeyError .* 'NO_SUCH' not found",
    ("model", f"{S2T}activation: ${{model.activation}}\n"): ":2: model.activation: Recursive interpolation",
    ("model", "# first\n_target_: ${\n"): r":2: _target_: .*'\${'; write an interpolation as in \${seed}",
    ("model", f"{S2T}activation: &a [*a]\n"): ":2: the list or mapping that begins here contains itself by an alias",
    ("model", f"{S2T}{MULTIPLIED}"): ": over 100,000 values, with its aliases written out; write fewer",
    ("model", f"{S2T}activation: {'[' * 200}{']' * 200}\n"): ": over 50 lists and mappings stand in each other; write",
    ("model", f"{S2T}activation: {'[' * 5000}{']' * 5000}\n"): ": over 50 lists and mappings stand in each other",
    ("model", ""): ":1: model._target_: missing; name a class, as in _target_: package.Class",
    ("model", "activation: elu\n"): ":1: model._target_: missing; name a class",
    ("model", f"{S2T}defaults: [nope]\n"): ":2: model=nope: no such choice",
    ("model", f"{S2T}defaults: [own]\n"): ":2: files choose each other in a circle: model/own, model/own",
    ("model", f"{S2T}defaults: nope\n"): ":2: Invalid defaults list in 'model/own', defaults must be a list",
    ("experiment", f"{GLOBAL}  - /model: s2t\n"): ":4: model: chosen twice; write `override /model: NAME` at the end",
    ("mask", "directions: [none, none]\n"): ":1: a mask begins with the line `# @package model`, which is missing",
    ("scale", "defaults: [mini]\n"): ":1: a scale begins with the line `# @package _global_`, which is missing",
    ("experiment", f"{GLOBAL}  - {{a: b, c: d}}\n"): ":2: In experiment/own: Too many keys",
    ("experiment", f"{GLOBAL}  - override /nogroup: x\n"): ":4: nogroup: unknown setting",
    ("experiment", f"{GLOBAL}  - /model: disan\n"): ":4: model: chosen twice; write `override /model: NAME` at the end",
    ("experiment", f"{GLOBAL}  - override /optimizer: nosuch\n"): ":4: optimizer=nosuch: no such",
    (
        "experiment",
        "# @package _global_\ndefaults:\n  - /experiment/disan/snlii\n",
    ): ":3: experiment=disan/snlii: ",
    ("experiment", f"{GLOBAL}protocol:\n  steps: 0\n"): ":5: protocol.steps: 0 is out of range",
    ("experiment", f"{GLOBAL}optimizer: adam\n"): ":4: optimizer: expected keys and values, got 'adam'; .*`override",
    ("experiment", f"{GLOBAL}optimizer:\n"): ":4: optimizer: expected keys and values, got None",
    ("experiment", f"{GLOBAL}scale: paper\n"): ":4: scale: paper is not the scale of this run, which is mini",
    ("experiment", f"{GLOBAL}protcol: 3\n"): ":4: protcol: unknown setting. Did you mean protocol",
    ("dataset", f"{SHARED}labels: [0, 1]\n"): r":4: dataset.labels\[0\]: expected text, got 0",
    (
        "dataset",
        f"{SHARED}labels: [a]\nlicense: x\n",
    ): ":5: dataset.license: unknown setting. Did you",
    (
        "dataset",
        f"{SHARED}labels: [a]\nexperiment: disan/snil\n",
    ): ":5: dataset.experiment: there is no experiment disan/snil. Did you mean disan/snli",
    (
        "dataset",
        "name: own\nformat: tvs\nfiles: {}\nlabels: []\n",
    ): ":2: dataset.format: 'tvs' is not one of .*tsv",
}


@pytest.mark.parametrize(("group", "text"), MISTAKES)
def test_mistakes_in_own_files_name_file_and_line(group, text, own_folder):
    for name, code in CODE.items():
        (own_folder / f"{name}.py").write_text(code)
    path = own_folder / f"conf/{group}/own.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    wanted = MISTAKES[group, text].replace("{own}", str(own_folder))
    with pytest.raises(SettingsError, match=f"^{path}{wanted}") as caught:
        compose([f"{group}=own"])
    assert "\n" not in str(caught.value)


def test_a_setting_that_the_command_sets_is_no_mistake_of_the_file(own_folder):
    write_file(own_folder / "conf/model/own.yaml", f"{S2T}activation: elu\n")
    with pytest.raises(SettingsError, match=r"^model.activation: 'elo' is not one of elu"):
        compose(["model=own", "model.activation=elo"])
    with pytest.raises(SettingsError, match=r"^optimizer.lr: expected a number, got 'fast'"):
        compose(["model=own", "optimizer.lr=fast"])


def test_an_experiment_that_extends_none_has_no_task(own_folder):
    write_file(own_folder / "conf/experiment/own.yaml", "# @package _global_\nprotocol: {steps: 3}\n")
    with pytest.raises(SettingsError, match=r"^task: missing, .* begin an experiment of your own with `defaults: \["):
        compose(["experiment=own"])


def test_a_mistake_in_a_file_that_an_own_file_chooses_names_this_file(own_folder):
    folder = own_folder / "conf/experiment/mine"
    folder.mkdir(parents=True)
    (folder.parent / "own.yaml").write_text("# @package _global_\ndefaults:\n  - mine/base\n")
    (folder / "base.yaml").write_text(f"{GLOBAL}  - override /optimizer: nosuch\n")
    with pytest.raises(SettingsError, match=rf"^{folder}/base.yaml:4: optimizer=nosuch: no such choice"):
        compose(["experiment=own"])


@pytest.mark.parametrize("text", ["a: [\n", "a: &a [*a]\n", "a: &a {b: *a}\n"])
def test_a_broken_file_that_is_not_chosen_hides_no_mistake(text, own_folder):
    write_file(own_folder / "conf/model/own_bad.yaml", text)
    with pytest.raises(SettingsError, match=r"^sed: unknown setting. Did you mean seed\?"):
        compose(["sed=1"])
    with pytest.raises(SettingsError, match=r"^sed: unknown setting. Did you mean seed\?"):
        check_keys(["sed=1"], ["seed"])


def test_files_that_come_after_the_first_mistake_count(own_folder):
    assert "model.breadth" not in known_keys()
    write_file(own_folder / "conf/model/own.yaml", "breadth: 3\n")
    assert "model.breadth" in known_keys()


def test_the_line_of_a_key(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("# comment\none: 1\nrows:\n  mine:\n    set:\n      - a=1\n      - b=2\n")
    keys = {"one": 2, "rows.mine": 4, "rows.mine.set[1]": 7, "rows.mine.paper": 4, "rows.other.set": 3, "two": 1, "": 1}
    assert {key: line_of(path, key) for key in keys} == keys
    with pytest.raises(SettingsError, match=r"a.yaml:7: rows.mine.set\[1\]: wrong"), locate_errors_in_file(path):
        raise SettingsError("rows.mine.set[1]: wrong")


def test_a_file_that_is_no_yaml_names_the_line(tmp_path):
    (tmp_path / "a.yaml").write_text("one: 1\ntwo: [\n")
    with pytest.raises(SettingsError, match=r"a.yaml:3: not readable as YAML"):
        read_yaml(tmp_path / "a.yaml")


def test_a_file_in_another_encoding_is_named(tmp_path):
    (tmp_path / "a.yaml").write_bytes("title: caf\xe9".encode("latin-1"))
    with pytest.raises(SettingsError, match=r"a.yaml: the file is not UTF-8; save it in UTF-8"):
        read_yaml(tmp_path / "a.yaml")


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("defaults:\n  - /experiment/disan/snli\n", "which is missing; add it as the first line"),
        ("", "which is missing; add it as the first line"),
        (f"\ufeff{GLOBAL}", "but a byte order mark stands in front of it; save the file as UTF-8 without one"),
    ],
)
def test_an_experiment_without_its_header_names_the_file_and_the_line(text, mistake, own_folder):
    path = write_file(own_folder / "conf/experiment/own.yaml", text)
    with pytest.raises(SettingsError, match=f"^{path}:1: .*`# @package _global_`, {mistake}"):
        compose(["experiment=own"])


def test_an_experiment_may_name_the_scale_that_is_chosen(own_folder):
    path = write_file(own_folder / "conf/experiment/own.yaml", f"{GLOBAL}scale: mini\n")
    assert compose(["experiment=own"]).scale == "mini"
    with pytest.raises(SettingsError, match=rf"^{path}:4: scale: mini is not the scale of this run, which is paper"):
        compose(["experiment=own", "scale=paper"])

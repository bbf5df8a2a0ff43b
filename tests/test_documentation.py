"""Every command in README, docs/ and CONTRIBUTING runs, and every path and link in them exists."""

import json
import os
import re
import shlex
import subprocess
from contextlib import nullcontext
from pathlib import Path

import pytest
from homes import store_of
from places import ROOT
from reproduction.made_up import record
from runs.fake_wandb import fake_account

from attest.config.compose import compose_command, compose_unchecked
from attest.config.keys import known_keys
from attest.reproduction.specs.figure import load_figure
from attest.reproduction.specs.table import table_names
from attest.reproduction.tables.run_filter import RunFilter, split_query
from attest.runs.launches import create_launch
from attest.runs.records import utc_now
from attest.system.devices import has_bfloat16
from attest.training import run as training
from attest.transfer.settings import TransferCommand

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
SHELL = [
    line.partition("#")[0].strip()
    for text in TEXTS.values()
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    for line in block.splitlines()
]
INLINE = [command for text in TEXTS.values() for command in re.findall(r"`([^`\n]+)`", text)]
COMMANDS = sorted({command for command in (*INLINE, *SHELL) if command.startswith("attest ")})
SLOW_OR_NETWORK = {"attest data fetch snli glove_6b", "attest publish disan/table1", "attest train --help"}
OF_OWN_FOLDER = {"encoder": "my_encoder", "dataset": "my_reviews", "table": "my_table"}
"""Kind -> the name of the example in a folder of the user's own that pages speak of."""
EXAMPLES = dict(re.findall(r"```(?:python|yaml)\n# mine/(\S+)\n(.*?)```", TEXTS["docs/extend.md"], re.DOTALL))
"""The examples of components on the page: path below the user's own folder -> content."""
PLACEHOLDER = re.compile("NAME|module[.].*")
"""What stands in pages for a name that the user chooses."""
NEED_A_CLUSTER = {
    "attest reproduce disan/table1 hydra/launcher=slurm",
    "attest reproduce disan/table1 hydra/launcher=ray",
}
NOT_RUN = SLOW_OR_NETWORK | NEED_A_CLUSTER
SETTING = re.compile(r"[a-z_]+(\.[a-z_]+)*=[\w.]+")


def write_examples(folder):
    """Write the examples of components into a folder of the user's own."""
    for name, text in EXAMPLES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_components_of_every_kind_work_together(own_folder, settings_with):
    write_examples(own_folder)
    own = ["model=my_matcher", "head=my_head", "optimizer=sign", "task=my_task.Smoothed", "text=my_text"]
    parser = ["experiment=psan/trec", "phrases.source=my_parser.LeftBranching"]
    for words in (["experiment=disan/snli", *own], parser):
        record = training.run(settings_with(*words, "protocol.steps=2", "protocol.evaluate_every=2"))
        assert record.status == "done"
        modules = {str(value).split(".")[0] for value in record.settings.values() if str(value).startswith("my_")}
        named = ["my_matcher", "my_head", "my_optimizer", "my_task", "my_text"] if words[1:] == own else ["my_parser"]
        assert sorted(modules) == sorted(named)
    assert load_figure("own/figure1").rows == ("disan",)


def test_there_are_commands():
    assert len(COMMANDS) >= 20
    assert set(COMMANDS) >= NOT_RUN


@pytest.mark.parametrize("command", [each for each in COMMANDS if each not in NOT_RUN])
def test_each_command_runs(command, home, home_with_corpora, settings_with, train_once, own_folder, monkeypatch, cli):
    if "bf16" in command and not has_bfloat16("cpu"):
        pytest.skip("this processor has no instructions for bf16, and takes a hundred times longer")
    words = shlex.split(command)[1:]
    if any(name in command for name in OF_OWN_FOLDER.values()):
        monkeypatch.chdir(own_folder)
        for kind, name in OF_OWN_FOLDER.items() if words[0] != "new" else ():
            cli.output("new", kind, name)
    elif any(re.search(rf"\b{Path(name).stem.removeprefix('search_')}\b", command) for name in EXAMPLES):
        write_examples(own_folder)
    if "RUN" in words:
        model = "model=disan" if "authors" in words else "model=s2t"  # authors' code has no source2token alone
        settings = settings_with(model, "protocol.steps=2", "protocol.evaluate_every=2")
        words[words.index("RUN")] = train_once(home, model, lambda: training.run(settings)).id
    words = [str(home / word) if word.endswith(".npz") else word for word in words]
    if "FOLDER" in words:
        words[words.index("FOLDER")] = str(home / "exported")
    if "FILE" in words:  # official sentence pairs, each with a name
        words[words.index("FILE")] = str(pairs := home / "pairs.jsonl")
        row = {
            "gold_label": "neutral",
            "pairID": "1",
            "sentence1": "A dog runs .",
            "sentence2": "A dog .",
            "genre": "a",
        }
        pairs.write_text(json.dumps({**row, "sentence": "A dog ."}) + "\n")
    if "--to" in words:
        place = words.index("--to") + 1
        words[place] = str(home / words[place])
    if words[0] in ("train", "tune", "reproduce") and "--cfg" not in words:
        chosen = any("logger" in word for word in words)
        words += ["protocol.steps=2", "protocol.evaluate_every=2", *([] if chosen else ["logger=none"])]
        words = [word for word in words if word not in ("protocol.steps=200",)]
    if words[:1] == ["wandb"] and "disan/table1" in words:
        words.append("scale=mini")
    if words[0] in ("runs", "compare", "wandb"):
        for seed in (1, 2):
            made = record("disan", f"seed={seed}", scale="mini", finished=utc_now())
            store_of(home).put(made)
    if words[:2] == ["status", "disan/table1"]:
        create_launch(home / "runs", "disan/table1", "joblib", {"s2t seed=1": ["model=s2t", "seed=1"]})
    if words[:2] == ["parser", "test"]:
        words.append("phrases=right")  # instead of training a parser
    if words[:2] == ["reproduce", "disan/table1"] and not re.search("rows=|with=", command):
        words.append("rows=s2t")
    if words[0] == "transfer":
        words.append("jobs=1")  # a pool of processes would load torch again in each
    if any(word.startswith("hydra.launcher.n_jobs=") for word in words):
        words.append("hydra.launcher.n_jobs=1")  # the same; the last one counts
    if words == ["collate", "--check"]:
        cli.output("collate")
    with fake_account(monkeypatch) if words[0] == "wandb" else nullcontext():
        done = cli.run(*words)
    names_figure = words[0] == "figures" and len(words) > 1
    lacks_runs = names_figure and "Not drawn yet" in done.stdout  # the runs of earlier commands of the page
    assert (done.returncode, "Traceback" in done.stderr) == (int(lacks_runs), False), done.stderr


def test_settings_in_the_text_exist():
    settings = sorted(
        {text for text in INLINE if SETTING.fullmatch(text)} - {"logger=wandb", "key=value", "model=my_encoder"}
    )
    assert len(settings) >= 5
    for setting in settings:
        if PLACEHOLDER.fullmatch(setting.partition("=")[2]):
            assert setting.partition("=")[0] in known_keys()
        elif setting.partition("=")[0] in RunFilter.__dataclass_fields__:
            split_query([setting])
        elif setting.partition("=")[0] in known_keys("transfer") - known_keys():
            compose_command(TransferCommand, "transfer", [setting])
        else:
            compose_unchecked([setting])


def test_the_make_targets_exist():
    commands = {command for command in (*SHELL, *INLINE) if command.startswith("make ")}
    assert len(commands) >= 6
    for command in sorted(commands):
        done = subprocess.run(
            ["make", "-n", *command.split()[1:]], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    for table in table_names():
        done = subprocess.run(["make", "-n", table], cwd=ROOT, capture_output=True, text=True, check=False)
        assert f"reproduce {table}" in done.stdout, done.stderr


def test_make_passes_its_words_on():
    words = [
        "make",
        "-n",
        "table1",
        "SCALE=paper",
        "SEEDS=0,7",
        "ROWS=disan",
        "JOBS=2",
        "DATA=/data",
        "SET=protocol.steps=5",
    ]
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, check=True, env={**os.environ, "MAKEFLAGS": ""}
    )
    for word in ("reproduce disan/table1", "scale=paper", "seeds=0,7", "rows=disan", "hydra/launcher=joblib",
                 "hydra.launcher.n_jobs=2", "paths.data=/data", "protocol.steps=5"):  # fmt: skip
        assert word in done.stdout


def test_the_python_example_runs():
    (example,) = re.findall(r"```python\n(.*?)```", TEXTS["README.md"], re.DOTALL)
    namespace: dict[str, object] = {}
    exec(example, namespace)
    assert namespace["sentences"].shape == (2, 600)  # type: ignore[attr-defined]


@pytest.mark.parametrize("page", TEXTS)
def test_every_path_and_link_exists(page):
    here = (ROOT / page).parent
    for path in re.findall(r"`((?:src|conf|tests|reproduce)/[\w./]*)`", TEXTS[page]):
        assert (ROOT / path).exists(), path
    for link in re.findall(r"\]\(([^)#]+?)(?:#[\w-]*)?\)", TEXTS[page]):
        if not link.startswith("https://"):
            assert (here / link).exists(), link
    for module in re.findall(r"^(\w+/[\w/]*(?:\.py)?)\s{2,}", TEXTS[page], re.MULTILINE):
        assert (ROOT / "src/attest" / module).exists(), module


@pytest.mark.parametrize("page", TEXTS)
def test_no_line_is_longer_than_a_screen(page):
    """Tables that `attest collate` fills in are as wide as their columns."""
    by_hand = re.sub(r"<!-- (table|benchmark) .*?<!-- end -->", "", TEXTS[page], flags=re.DOTALL)
    assert not [line for line in by_hand.splitlines() if len(line) > 160]

"""The text on the settings of a command at the end of its --help, read from conf/."""

from textwrap import fill

from attest.config.keys import dotted_keys, groups_of
from attest.config.overrides import format_value
from attest.config.own_folders import choices
from attest.config.paths import shipped_folder
from attest.config.yaml_files import read_yaml

WIDTH = 110
MOST_USED = {
    "a run": {
        "seed=1": "the seed of a run; with -m seed=1,2,3",
        "scale=paper": "the paper's sizes and the official files; mini: small models on built-in corpora",
        "protocol.steps=1000": "the number of training steps; protocol.epochs=10 likewise",
        "protocol.batch_size=64": "examples in a batch",
        "protocol.evaluate_every=200": "steps between two evaluations of the dev set",
        "optimizer.lr=0.5": "the learning rate",
        "hidden_size=300": "the width of encoder and head",
        "dropout=0.25": "the dropout of encoder and head",
    },
    "the machine": {
        "trainer.accelerator=gpu": "train on a GPU; without it, on one if torch finds one",
        "trainer.precision=auto": "dense layers in bf16, on a processor that has instructions for it",
        "trainer.threads=2": "processor threads; as many as there are cores without it",
        "trainer.progress=false": "print no progress",
        "trainer.keep_last=true": "keep the last checkpoint, so that more protocol.steps continue the run",
        "retry_failed=true": "repeat runs that failed earlier",
        "retry_uncommitted=true": "repeat finished runs whose code had uncommitted changes",
        "paths.data=FOLDER": "the folder of the official files",
        "logger=none": "no mirror on Weights & Biases; also logger=[wandb,csv,tensorboard]",
        "hydra/launcher=joblib": "with -m: run in parallel; also slurm, ray; Hydra's submitit_local, submitit_slurm",
    },
}
QUERY = {
    "seed=1,2": "runs with one of these values; likewise with any other setting",
    "model=disan": "runs of this choice of a group, also if they changed single settings of it",
    "experiment=disan/trec": "runs on its data set, with its text, task, head and protocol",
    "table=disan/table1": "runs that belong to the table",
    "row=disan": "runs that belong to this row of the table",
    "status=failed": "runs that failed; done: that finished; attest runs alone takes it",
    "since=2d": "runs that ended in the last two days; also since=2026-01-31",
    "until=2h": "runs that ended at least two hours ago",
    "limit=100": "the 100 newest of these runs; attest runs alone takes it",
}

RUN_SETTINGS = {
    "paths.data=FOLDER": "the folder of the official files and of the run's file of word vectors",
    "packages=[attest,torch.optim,PACKAGE]": "a package of your own with a class of the run; of a folder: --config-dir",
}


def run_settings() -> str:
    """Return the text of `attest encode --help`, and of other commands on a finished run, on what may be set for it."""
    rows = [f"  {setting:<40}{text}" for setting, text in RUN_SETTINGS.items()]
    return "\n".join(["settings that a finished run accepts, with an example of a value", *rows])


def query_settings() -> str:
    """Return the text of `attest runs --help` and `attest compare --help` on the words that select runs."""
    rows = [f"  {setting:<30}{text}" for setting, text in QUERY.items()]
    return "\n".join(["settings that select runs, with an example of a value", *rows])


def train_settings() -> str:
    """Return the text of `attest train --help` on config groups, their choices, and the most used settings."""
    lines = group_rows("config")
    for title, settings in MOST_USED.items():
        lines += ["", f"settings of {title}, with an example of a value"]
        lines += [f"  {setting:<30}{text}" for setting, text in settings.items()]
    experiments = shipped_folder("conf") / "experiment"
    return "\n".join([*lines, "", f"All settings of a run: attest train --cfg. All experiments: ls {experiments}"])


def transfer_settings() -> str:
    """Return the text of `attest transfer --help` on settings."""
    return config_settings("transfer")


def parser_settings() -> str:
    """Return the text of `attest parser --help` on the settings of training."""
    return config_settings("parser_training")


def config_settings(name: str) -> str:
    """Return a text on the groups of a primary config with their choices, and on its settings with their defaults."""
    own = {key: value for key, value in read_yaml(shipped_folder("conf") / f"{name}.yaml").items() if key != "defaults"}
    group = shipped_folder("conf") / name
    depending = read_yaml(group / "mini.yaml") if group.is_dir() else {}
    lines = [*group_rows(name), "", "settings, with their defaults"]
    lines += [f"  {key}={format_value(value)}" for key, value in own.items() if not isinstance(value, dict)]
    keys = [key for key in dotted_keys(depending) if not isinstance(depending.get(key), dict)]
    if keys:
        lines += ["", f"settings that depend on the scale, in {group}", f"  {', '.join(keys)}"]
    return "\n".join(lines)


def group_rows(name: str) -> list[str]:
    """Return the lines on the groups of a primary config, a heading first."""
    rows = [format_row(group, format_choices(group, default)) for group, default in groups_of(name).items()]
    return ["settings, as key=value: choices of a group (* is the default)", *rows]


def format_choices(group: str, default: str | None) -> str:
    """Return the choices of a group as text, * at the default; choices in a folder are written as disan/{snli,sst}."""
    by_folder: dict[str, list[str]] = {}
    for name in choices(group):
        folder, _, leaf = name.rpartition("/")
        by_folder.setdefault(folder, []).append(f"{leaf}*" if name == default else leaf)
    single = by_folder.pop("", [])
    shared = [f"{folder}/{{{','.join(names)}}}" for folder, names in sorted(by_folder.items())]
    return " ".join(
        [*single, *(text.replace("{", "").replace("}", "") if "," not in text else text for text in shared)]
    )


def format_row(name: str, text: str) -> str:
    """Return a line with a name and a text, which is wrapped beside the name."""
    return fill(
        f"  {name:<12}{text}", WIDTH, subsequent_indent=" " * 14, break_long_words=False, break_on_hyphens=False
    )

"""Examples of settings, each with its description, which the --help of commands prints."""

from collections.abc import Mapping

LAUNCHERS = "run in parallel; also slurm, ray; Hydra's submitit_local, submitit_slurm"
"""The description of hydra/launcher."""
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
        "hydra/launcher=joblib": f"with -m: {LAUNCHERS}",
    },
}
"""The title of some settings of `attest train` -> an example of each -> its description."""
REPRODUCE = {
    "rows=disan,s2t": "train only these rows",
    "seeds=3": "the number of seeds or folds; seeds=[0,7]: these",
    "with=model=NAME": 'add a row with this model; with="model=NAME hidden_size=600": with more settings',
    "again=uncommitted": "repeat the finished runs whose code had uncommitted changes, in place of missing runs",
    "scale=paper": "the paper's sizes and the official files; mini: small models on built-in corpora",
}
"""An example of each setting of `attest reproduce` that selects runs -> its description."""
TUNE = {
    "runs=20": "the number of trials",
    "minutes=30": "the minutes of training after which no further trial begins",
    "at_once=4": "the number of trials that are launched together",
    "seed=2": "the seed of all trials, which also draws their settings",
    "experiment=dam/recipe/snli": "the experiment of all trials; likewise any other setting of a run",
}
"""An example of each setting of `attest tune` -> its description."""
QUERY = {
    "seed=1,2": "runs with one of these values; likewise with any other setting",
    "model=disan": "runs of this choice of a group, also if they changed single settings of it",
    "experiment=disan/trec": "runs on its data set, with its text, task, head and protocol",
    "table=disan/table1": "runs that belong to the table",
    "row=disan": "runs that belong to this row of the table",
    "status=failed": "runs that failed; done: that finished",
    "since=2d": "runs that ended in the last two days; also since=2026-01-31",
    "until=2h": "runs that ended at least two hours ago",
    "limit=100": "the 100 newest of these runs",
}
"""An example of each setting of `attest runs` -> its description."""
RUN_SETTINGS = {
    "paths.data=FOLDER": "the folder of the official files and of the run's file of word vectors",
    "packages=[attest,torch.optim,PACKAGE]": "a package of your own with a class of the run; of a folder: --config-dir",
}
"""An example of each setting that a finished run accepts -> its description."""
HOME = {"paths.home=FOLDER": "the folder of runs and results, in place of ATTEST_HOME"}
"""An example of the setting of commands that read or write records, for all that have no other."""
ADDED_ROW = {"with=model=NAME": "with the row that attest reproduce TABLE with=model=NAME adds"}
"""An example of the setting that adds a row to a table."""
SETTINGS: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("plan", "status", "publish", "bench"), HOME),
    **dict.fromkeys(("encode", "predict", "evaluate", "attend", "export", "submit"), RUN_SETTINGS),
    "show": {"scale=mini": "the table at scale mini, in place of scale=paper", **ADDED_ROW, **HOME},
    "figures": {"scale=mini": "draw from your own runs at this scale, in place of the tracked records", **HOME},
    "wandb": {
        "scale=mini": "tables and runs at this scale, in place of scale=paper; push without names sends both",
        **ADDED_ROW,
        "logger.project=NAME": "the project on W&B; logger.entity=NAME: its owner",
        **HOME,
    },
    "describe": {"model=disan": "the model whose parameters are counted; likewise any other setting of a run"},
    "import": {"experiment=disan/snli": "the experiment of the weights; likewise any other setting of a run"},
    "hard": {"scale=paper": "the official files, in place of the built-in corpora", **HOME},
    "settings": {"model=psan": "the class whose arguments are explained; also head=NAME, optimizer=NAME"},
    "doctor": {"trainer.accelerator=gpu": "as a run with this setting has it; likewise any other setting of a run"},
    "data": {"paths.data=FOLDER": "the folder of the official files, in place of ATTEST_DATA"},
}
"""A command -> an example of each setting that its --help lists -> its description. Other commands with settings have
texts of their own."""

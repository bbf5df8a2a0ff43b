"""The parser of the command line: every command, its arguments and what --help says of it.

The commands on finished runs are in attest.cli.model_commands.
"""

import argparse

from attest import __version__
from attest.cli.arguments import NewCommand, Parser
from attest.cli.model_commands import add_models


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands. It loads neither torch nor Hydra, so that --help is quick."""
    top = Parser(
        prog="attest",
        description="Papers on attention-based sentence encoders as experiments to run, check and extend.",
        epilog="Settings are written key=value: attest train -m model=disan mask=forward,backward seed=1,2,3",
    )
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)

    def command(name: str, function: str, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        sub.set_defaults(command=function)
        sub.add_argument("-cd", "--config-dir", metavar="DIR", help="a folder of your own, beside those in ATTEST_PATH")
        return sub

    add_training(command)
    add_runs(command)
    add_figures(command)
    add_models(command)
    add_setup(command)
    return top


def add_training(command: NewCommand) -> None:
    """Add the commands that train, sweep and search."""
    train = command("train", "train:train", "train one run, or sweep with -m")
    train.add_argument("-m", "--multirun", action="store_true", help="sweep over values: seed=1,2 model=disan,s2t")
    train.add_argument(
        "-c",
        "--cfg",
        nargs="?",
        const=True,
        choices=("job", "hydra", "all"),
        help="print the settings of the run, checked and resolved, and stop; job: as Hydra composed them",
    )
    train.add_argument("-p", "--package", help="with --cfg job: the part of the configuration to print, e.g. optimizer")
    train.add_argument("--resolve", action="store_true", help="with --cfg job: resolve interpolations")
    train.add_argument(
        "-i",
        "--info",
        nargs="?",
        const="all",
        choices=("all", "config", "defaults", "defaults-tree", "plugins", "searchpath"),
        help="print what Hydra knows and stop",
    )
    train.add_argument("--hydra-help", action="store_true", help="print the help of Hydra itself and stop")
    train.set_defaults(settings_help="attest.cli.settings_help:train_settings")
    reproduce = command("reproduce", "reproduce:reproduce", "run what is missing of a table, and write the table")
    reproduce.add_argument("table", help="a table, e.g. disan/table1")
    reproduce.set_defaults(settings_help="attest.cli.settings_help:reproduce_settings")
    plan = command("plan", "tables:plan", "print the hours that a table takes on a processor, at the paper's budget")
    plan.add_argument("table", nargs="?", help="a table, e.g. disan/table1 (default: all tables)")
    tune = command("tune", "tune:tune", "search a paper's hyper-parameters at random, by the dev set alone")
    tune.add_argument("search", help="a search, e.g. dam/ngram, with a budget: runs=20 or minutes=30")
    tune.set_defaults(settings_help="attest.cli.settings_help:tune_settings")


def add_runs(command: NewCommand) -> None:
    """Add the commands that list, compare and show runs, and rebuild what is made of their records."""
    show = command("show", "show:show", "print the figures, runs and commands behind a table or a row, or one run")
    show_name = "a table, e.g. disan/table1, at scale=paper; or the id of a run (default: list all tables)"
    show.add_argument("name", nargs="?", help=show_name)
    show.add_argument("row", nargs="?", help="a row of the table, e.g. disan (default: all rows)")
    status = command("status", "status:status", "show how far runs have come, and how to continue an interrupted one")
    status.add_argument("name", nargs="?", help="a table, e.g. disan/table1 (default: all that has not ended)")
    listing = command("runs", "runs:runs", "list runs, the newest first; model=disan since=2d selects some of them")
    listing.add_argument(
        "--to", metavar="CSV", help="write all settings and metrics of these runs to this CSV file, a run a line"
    )
    listing.set_defaults(settings_help="attest.cli.settings_help:query_settings")
    compare = command("compare", "runs:compare", "compare finished runs: settings, figures, predictions and curves")
    compare.add_argument("runs", nargs="*", metavar="run", help="ids of runs; or settings, e.g. experiment=disan/trec")
    compare.set_defaults(settings_help="attest.cli.settings_help:compare_settings")
    collate = command("collate", "tables:collate", "rebuild all tables from the tracked records")
    collate.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a table would change")
    publish = command("publish", "publish:publish", "track the local records behind a table or figure, and collate")
    publish.add_argument("name", help="a table, figure or page, e.g. disan/table1, disan/figure6, transfer or parsers")


def add_figures(command: NewCommand) -> None:
    """Add the commands that draw figures, and count parameters, steps and choices."""
    figures = command(
        "figures", "figures:figures", "draw the papers' figures and the charts of benchmarks from the tracked records"
    )
    figures.add_argument(
        "names", nargs="*", help="e.g. disan/figure5 or benchmarks/step (default: all); with scale=mini, from mini runs"
    )
    describe = command("describe", "tables:describe", "count the parameters of a table's rows, or of a model")
    describe.add_argument(
        "table", nargs="?", help="a table, e.g. disan/table1; or settings of a model, e.g. model=disan"
    )
    bench = command("bench", "bench:bench", "measure speed, memory and convergence on this machine")
    bench.add_argument("names", nargs="*", help="benchmarks, e.g. core step (default: all)")
    bench.add_argument("--publish", action="store_true", help="track the records and write results/benchmarks.md")
    choices = command("choices", "tables:choices", "list what a paper leaves open, with the settings for each reading")
    choices.add_argument("paper", help="a paper, e.g. disan")


def add_setup(command: NewCommand) -> None:
    """Add the commands that show this machine, data, parsers, W&B and shells."""
    settings = command("settings", "settings:settings", "explain settings: their values, defaults and meaning")
    settings.add_argument(
        "words",
        nargs="*",
        metavar="word",
        help="a part of a key, e.g. batch or optimizer.lr (default: all settings, or "
        "the arguments of a class that is chosen, as in model=psan)",
    )
    command("doctor", "doctor:doctor", "print what this machine has, which back ends are in use, and why")
    phrases = command("parser", "parsers:parser", "train or test a parser, or parse sentences that have no tree")
    actions = 'e.g. train treebanks=sick,sst; test dataset=snli; parse "A man runs ."'
    phrases.add_argument("action", choices=("train", "test", "parse"), help=actions)
    phrases.add_argument("sentences", nargs="*", metavar="sentence", help="with parse: the sentences, each in quotes")
    phrases.set_defaults(settings_help="attest.cli.settings_help:parser_settings")
    example = command("new", "new:new", "write an example of an encoder, a data set or a table of your own")
    example.add_argument("kind", choices=("encoder", "dataset", "table"), help="what to write")
    example.add_argument(
        "name", help="e.g. my_encoder; written to the folder of --config-dir, else to the current folder"
    )
    data = command("data", "data:data", "list official files, fetch them with checksums, or verify them")
    data.add_argument("action", choices=("list", "fetch", "verify"), help="what to do with the files")
    data.add_argument("names", nargs="*", help="data sets and word vectors, e.g. snli glove_6b (default: all)")
    wandb = command("wandb", "wandb:wandb", "upload runs to Weights & Biases, and show tables there")
    wandb.add_argument(
        "action",
        choices=("push", "sync", "workspace", "report"),
        help="push records, sync offline runs, or save a workspace or a report of a table",
    )
    wandb.add_argument(
        "names", nargs="*", help="tables, e.g. disan/table1; with push also ids of runs (default: all runs)"
    )
    wandb.add_argument(
        "--to",
        metavar="FILE",
        help="with workspace and report: the JSON file to write, without a key; a .svg is a picture",
    )
    completion = command("completion", "completion:completion", "print the completion script of a shell")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help='for bash: eval "$(attest completion bash)"')
    completion.add_argument("--line", help=argparse.SUPPRESS)

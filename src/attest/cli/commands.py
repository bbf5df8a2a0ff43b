"""The parser of the command line: every command, its arguments and what --help says of it."""

import argparse
from collections.abc import Callable

from attest import __version__
from attest.cli.arguments import Parser

NewCommand = Callable[[str, str, str], argparse.ArgumentParser]
"""A function that adds a command: its name, the function that runs it as "module:function", and its description."""


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
        "--cfg", nargs="?", const=True, choices=("job", "hydra", "all"), help="print the configuration and stop"
    )
    train.add_argument("-p", "--package", help="with --cfg job: the part of the configuration to print, as optimizer")
    train.add_argument("--resolve", action="store_true", help="with --cfg job: resolve interpolations")
    train.add_argument(
        "--info",
        nargs="?",
        const="all",
        choices=("all", "config", "defaults", "defaults-tree", "plugins", "searchpath"),
        help="print what Hydra knows and stop",
    )
    train.add_argument("--hydra-help", action="store_true", help="print the help of Hydra itself and stop")
    train.set_defaults(settings_help="attest.cli.settings_help:train_settings")
    reproduce = command("reproduce", "tables:reproduce", "run what is missing of a table, and write the table")
    reproduce.add_argument("table", help="as disan/table1; also scale=paper rows=disan,s2t seeds=3 protocol.steps=...")
    plan = command("plan", "tables:plan", "print the hours that a table takes on a processor, at the paper's budget")
    plan.add_argument("table", nargs="?", help="as disan/table1; none: all tables")
    tune = command("tune", "tune:tune", "search a paper's hyper-parameters at random, by the dev set alone")
    tune.add_argument("search", help="as dam/ngram; with runs=20 or minutes=30, also seed=2 at_once=4 experiment=...")


def add_runs(command: NewCommand) -> None:
    """Add the commands that list, compare and show runs, and rebuild what is made of their records."""
    show = command("show", "show:show", "print the figures, runs and commands behind a table or a row, or one run")
    show.add_argument("name", help="a table, as disan/table1, at scale=paper unless scale=mini; or the id of a run")
    show.add_argument("row", nargs="?", help="as disan; none: all rows")
    status = command("status", "status:status", "show how far runs have come, and how to continue an interrupted one")
    status.add_argument("name", nargs="?", help="a table, as disan/table1; none: all that has not ended")
    listing = command("runs", "runs:runs", "list runs, the newest first; model=disan since=2d selects some of them")
    listing.add_argument(
        "--to", metavar="CSV", help="write all settings and metrics of these runs to this CSV file, a run a line"
    )
    listing.set_defaults(settings_help="attest.cli.settings_help:query_settings")
    compare = command("compare", "runs:compare", "compare finished runs: settings, figures, predictions and curves")
    compare.add_argument("runs", nargs="*", metavar="run", help="ids of runs; or settings, as experiment=disan/trec")
    compare.set_defaults(settings_help="attest.cli.settings_help:query_settings")
    collate = command("collate", "tables:collate", "rebuild all tables from the tracked records")
    collate.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a table would change")
    publish = command("publish", "publish:publish", "track the local records behind a table or figure, and collate")
    publish.add_argument("name", help="as disan/table1, disan/figure6, transfer or parsers")


def add_figures(command: NewCommand) -> None:
    """Add the commands that draw figures, and count parameters, steps and choices."""
    figures = command(
        "figures", "figures:figures", "draw the papers' figures and the charts of benchmarks from the tracked records"
    )
    figures.add_argument(
        "names", nargs="*", help="as disan/figure5 or benchmarks/step; none: all. With scale=mini, from mini runs"
    )
    describe = command("describe", "tables:describe", "count the parameters of a table's rows, or of model=...")
    describe.add_argument("table", nargs="?", help="as disan/table1")
    bench = command("bench", "bench:bench", "measure speed, memory and convergence on this machine")
    bench.add_argument("names", nargs="*", help="as core step; none: all")
    bench.add_argument("--publish", action="store_true", help="track the records and write results/benchmarks.md")
    choices = command("choices", "tables:choices", "list what a paper leaves open, with the settings for each reading")
    choices.add_argument("paper", help="as disan")


def add_models(command: NewCommand) -> None:
    """Add the commands that use a finished run on sentences, and take it elsewhere."""
    vectors = command("encode", "encode:encode", "write the vectors that a run gives the sentences of a file")
    predict = command("predict", "encode:predict", "print the labels that a run gives sentences or pairs")
    for sub in (vectors, predict):
        sub.add_argument("run", help="the id of a run, or the beginning of it; or the folder of a run")
        sub.add_argument(
            "file", help="a sentence a line (.txt), columns (.tsv) or JSON (.jsonl); or - for standard input"
        )
        sub.add_argument(
            "--format", choices=("txt", "tsv", "jsonl"), help="the format, if the file's name does not say"
        )
        sub.add_argument(
            "--precision", choices=("fp32", "bf16"), default="fp32", help="bf16 is faster and nearly as exact"
        )
    vectors.add_argument("--to", required=True, metavar="NPY", help="the file to write the vectors to")
    predict.add_argument("--to", metavar="TSV", help="the file to write the labels to; by default they are printed")
    evaluate = command("evaluate", "evaluate:evaluate", "measure a run on the labelled examples of a file")
    evaluate.add_argument("run", help="the id of a run, or the beginning of it; or the folder of a run")
    evaluate.add_argument(
        "file",
        help="a file like those of the run's data set, columns (.tsv, .csv) or JSON (.jsonl); or - for standard input",
    )
    evaluate.add_argument(
        "--format", choices=("tsv", "csv", "jsonl"), help="the format, if the file's name does not say"
    )
    evaluate.add_argument(
        "--columns",
        metavar="ROLE=NAME,...",
        help="as sentence1=premise,sentence2=hypothesis,label=gold; or numbers from 1",
    )
    evaluate.add_argument(
        "--labels", metavar="NAME=LABEL,...", help="other labels of the file, as non-entailment=neutral,contradiction"
    )
    evaluate.add_argument("--by", metavar="COLUMN", help="print the metrics for each value of a column, as genre, too")
    evaluate.add_argument("--to", metavar="TSV", help="the file to write each example's label and prediction to")
    evaluate.add_argument(
        "--precision", choices=("fp32", "bf16"), default="fp32", help="bf16 is faster and nearly as exact"
    )
    attend = command("attend", "attend:attend", "show the attention of a finished run to the words of sentences")
    attend.add_argument("run", help="the id of a run, or the beginning of it")
    attend.add_argument("sentences", nargs="*", metavar="sentence")
    attend.add_argument("--figure", help="take the sentences of a figure, as disan/figure6")
    export = command("export", "export:export", "write a run as a folder for Sentence Transformers and model hubs")
    export.add_argument("run", help="the id of a run, or the beginning of it; or the folder of a run")
    export.add_argument("folder", help="the folder to write, which must be new or empty; with --as, the file")
    export.add_argument("--words", metavar="FILE", help="a file of sentences whose words get their vectors as well")
    export.add_argument(
        "--as", dest="names", choices=("authors",), help="write a file of weights (.npz, .safetensors) by their names"
    )
    imports = command("import", "imports:import_weights", "take weights that the authors' code trained as a run")
    imports.add_argument("file", help="weights by the names of that code: .safetensors or .npz")
    imports.add_argument("--words", metavar="FILE", help="the word of each row of the file's word vectors, one a line")
    submit = command("submit", "submit:submit", "write a run's labels for a test set whose labels are not published")
    submit.add_argument("run", help="the id of a run, or the beginning of it")
    submit.add_argument("file", help="official JSON lines of sentence pairs")
    submit.add_argument("--to", required=True, metavar="CSV", help="the file to write pairID,gold_label to")
    for sub in (vectors, predict, evaluate, attend, export, submit):
        sub.set_defaults(settings_help="attest.cli.settings_help:run_settings")
    transfer = command("transfer", "transfer:transfer", "evaluate sentence vectors on the tasks of SentEval")
    transfer.add_argument("encoder", help="the id of a run, average, average_max or sentence-transformers:NAME")
    transfer.set_defaults(settings_help="attest.cli.settings_help:transfer_settings")
    hard = command("hard", "hard:hard", "find the test pairs that a classifier of the hypothesis alone gets wrong")
    hard.add_argument("dataset", help="snli or multinli")


def add_setup(command: NewCommand) -> None:
    """Add the commands that show this machine, data, parsers, W&B and shells."""
    command("doctor", "doctor:doctor", "print what this machine has, which back ends are in use, and why")
    phrases = command("parser", "parsers:parser", "train or test a parser, or parse sentences that have no tree")
    actions = "train treebanks=sick,sst, test dataset=snli, or parse SENTENCE ..."
    phrases.add_argument("action", choices=("train", "test", "parse"), help=actions)
    phrases.add_argument("sentences", nargs="*", metavar="sentence")
    phrases.set_defaults(settings_help="attest.cli.settings_help:parser_settings")
    example = command("new", "new:new", "write an example of an encoder, a data set or a table of your own")
    example.add_argument("kind", choices=("encoder", "dataset", "table"))
    example.add_argument("name", help="as my_encoder; with --config-dir DIR in that folder, else in this one")
    data = command("data", "data:data", "list official files, fetch them with checksums, or verify them")
    data.add_argument("action", choices=("list", "fetch", "verify"))
    data.add_argument("names", nargs="*", help="as snli glove_6b; none: all")
    wandb = command("wandb", "wandb:wandb", "upload runs to Weights & Biases, and show tables there")
    wandb.add_argument(
        "action",
        choices=("push", "sync", "workspace", "report"),
        help="push records, sync offline runs, or save a workspace or a report of a table",
    )
    wandb.add_argument("names", nargs="*", help="tables, as disan/table1; with push also ids of runs, or none: all")
    wandb.add_argument(
        "--to",
        metavar="FILE",
        help="with workspace and report: the JSON file to write, without a key; a .svg is a picture",
    )
    completion = command("completion", "completion:completion", "print the completion script of a shell")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help='for bash: eval "$(attest completion bash)"')
    completion.add_argument("--line", help=argparse.SUPPRESS)

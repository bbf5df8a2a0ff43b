"""The command line `attest`: its commands, their arguments, and exit codes. Settings are Hydra's key=value."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from attest import __version__
from attest.cli.arguments import Parser, split_arguments
from attest.config.paths import VARIABLE, first_use
from attest.errors import AttestError, OwnCodeError, SettingsError
from attest.system.failures import machine_error
from attest.system.files import WRITE_ERROR_ADVICE, storage_error
from attest.system.signals import Stopped
from attest.system.waiting import choose_waiting

EXIT_FAILED, EXIT_MISUSED, EXIT_STOPPED = 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name, and return its exit code.

    An error that a user can mend is printed as one sentence; any other exception is raised.
    """
    words, overrides = split_arguments(sys.argv[1:] if arguments is None else arguments)
    os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra then raises its errors instead of printing them
    os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")  # torch asks for huge pages: large layers are 1.5 times as fast
    choose_waiting([*words, *overrides])
    earlier = os.environ.get(VARIABLE)
    try:
        parsed = parser().parse_args(words)
        module, _, function = parsed.command.partition(":")
        if parsed.config_dir is not None:
            from attest.config.own_folders import add_own_folder

            add_own_folder(parsed.config_dir)
        if overrides:
            from attest.config.overrides import fit_overrides
            from attest.config.settings import Settings

            overrides = fit_overrides(overrides, Settings)
        announce_folders(module, overrides)
        code = int(getattr(importlib.import_module(f"attest.cli.{module}"), function)(parsed, overrides) or 0)
        sys.stdout.flush()
        return code
    except AttestError as error:
        print_error(error)
        return EXIT_MISUSED if isinstance(error, SettingsError) else EXIT_FAILED
    except BrokenPipeError:  # the reader of our output has closed it, as `head` does
        null = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            os.dup2(null, stream.fileno())  # without this, Python prints an error when it exits
        return EXIT_FAILED
    except Exception as error:
        if (failure := failure_of_the_machine(error) or failure_of_own_code(error)) is None:
            raise
        print_error(failure)
        return EXIT_FAILED
    except (KeyboardInterrupt, Stopped) as stop:
        print(f"attest: {str(stop) or 'stopped'}; the same command continues from there", file=sys.stderr)
        return EXIT_STOPPED
    finally:
        set_variable(VARIABLE, earlier)


def set_variable(name: str, value: str | None) -> None:
    """Set an environment variable, or delete it if the value is None."""
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def announce_folders(module: str, overrides: Sequence[str]) -> None:
    """Say where output goes when an installed package is first used, unless the overrides say so."""
    sentence = first_use()
    if sentence and module != "completion" and not any(text.startswith("paths.") for text in overrides):
        print(f"attest: {sentence}", file=sys.stderr, flush=True)


def failure_of_the_machine(error: Exception) -> AttestError | None:
    """Return the error to print in place of an exception that the machine caused, or None for any other exception."""
    if isinstance(error, OSError) and error.errno in WRITE_ERROR_ADVICE:  # Hydra's writes do not translate their errors
        return storage_error(Path(str(error.filename or "standard output")), error.errno)
    return machine_error(error)


def failure_of_own_code(error: Exception) -> AttestError | None:
    """Return the error to print in place of an exception that the user's code raised, or None for any other one."""
    from attest.config.own_errors import own_code_error

    return own_code_error(error)


def print_error(error: AttestError) -> None:
    """Print an error as one sentence, below the stack trace of the user's own code if this code raised it."""
    trace = error.trace if isinstance(error, OwnCodeError) else ""
    print(f"{trace}attest: {error}", file=sys.stderr)


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
    show = command("show", "show:show", "print the figures, runs and commands behind a table or a row, or one run")
    show.add_argument("name", help="a table, as disan/table1, at scale=paper unless scale=mini; or the id of a run")
    show.add_argument("row", nargs="?", help="as disan; none: all rows")
    status = command("status", "status:status", "show how far the runs have come that commands have launched")
    status.add_argument("name", nargs="?", help="a table, as disan/table1; none: all that has not ended")
    listing = command("runs", "runs:runs", "list runs, the newest first; model=disan since=2d selects some of them")
    listing.set_defaults(settings_help="attest.cli.settings_help:query_settings")
    compare = command("compare", "runs:compare", "compare finished runs: settings, figures, predictions and curves")
    compare.add_argument("runs", nargs="*", metavar="run", help="ids of runs; or settings, as experiment=disan/trec")
    compare.set_defaults(settings_help="attest.cli.settings_help:query_settings")
    collate = command("collate", "tables:collate", "rebuild all tables from the tracked records")
    collate.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a table would change")
    publish = command("publish", "publish:publish", "track the local records behind a table or figure, and collate")
    publish.add_argument("name", help="as disan/table1, disan/figure6, transfer or parsers")
    attend = command("attend", "figures:attend", "show the attention of a finished run to the words of sentences")
    attend.add_argument("run", help="the id of a run, or the beginning of it")
    attend.add_argument("sentences", nargs="*", metavar="sentence")
    attend.add_argument("--figure", help="take the sentences of a figure, as disan/figure6")
    figures = command("figures", "figures:figures", "draw the papers' figures from the tracked records")
    figures.add_argument("names", nargs="*", help="as disan/figure5; none: all. With scale=mini, from mini runs")
    describe = command("describe", "tables:describe", "count the parameters of a table's rows, or of model=...")
    describe.add_argument("table", nargs="?", help="as disan/table1")
    bench = command("bench", "bench:bench", "measure speed, memory and convergence on this machine")
    bench.add_argument("names", nargs="*", help="as core step; none: all")
    bench.add_argument("--publish", action="store_true", help="track the records and write results/benchmarks.md")
    submit = command("submit", "submit:submit", "write a run's labels for a test set whose labels are not published")
    submit.add_argument("run", help="the id of a run, or the beginning of it")
    submit.add_argument("file", help="official JSON lines of sentence pairs")
    submit.add_argument("--to", required=True, metavar="CSV", help="the file to write pairID,gold_label to")
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
    command("doctor", "doctor:doctor", "print what this machine has, which back ends are in use, and why")
    transfer = command("transfer", "transfer:transfer", "evaluate sentence vectors on the tasks of SentEval")
    transfer.add_argument("encoder", help="the id of a run, average, average_max or sentence-transformers:NAME")
    transfer.set_defaults(settings_help="attest.cli.settings_help:transfer_settings")
    hard = command("hard", "hard:hard", "find the test pairs that a classifier of the hypothesis alone gets wrong")
    hard.add_argument("dataset", help="snli or multinli")
    phrases = command("parser", "parsers:parser", "train a parser, or parse sentences that have no tree")
    phrases.add_argument("action", choices=("train", "parse"), help="train treebanks=sick,sst, or parse SENTENCE ...")
    phrases.add_argument("sentences", nargs="*", metavar="sentence")
    phrases.set_defaults(settings_help="attest.cli.settings_help:parser_settings")
    choices = command("choices", "tables:choices", "list what a paper leaves open, with the settings for each reading")
    choices.add_argument("paper", help="as disan")
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
    return top

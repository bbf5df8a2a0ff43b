"""The parser of the command line: every command, its arguments and what --help says of it.

The commands that train are here, all others in modules of their own.
"""

import argparse

from attest import __version__
from attest.cli.arguments.model_commands import add_models
from attest.cli.arguments.parser import NewCommand, Parser
from attest.cli.arguments.result_commands import add_pages, add_runs
from attest.cli.arguments.setup_commands import add_setup


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands. It loads neither torch nor Hydra, so that --help is quick."""
    top = Parser(
        prog="attest",
        description="Papers on attention-based sentence encoders as experiments to run, check and extend.",
        epilog="Settings are written key=value: attest train -m model=disan mask=forward,backward seed=1,2,3\n"
        "`attest COMMAND --help` explains a command. Exit codes: 0 done or answered, 1 failed or not there, 2 mistyped",
    )
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)

    def section(heading: str) -> NewCommand:
        """Return the function that adds a command under a heading."""
        top.headings[heading] = []

        def command(name: str, function: str, text: str) -> argparse.ArgumentParser:
            top.headings[heading].append(name)
            sub = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
            sub.set_defaults(command=function)
            sub.add_argument(
                "-cd", "--config-dir", metavar="DIR", help="a folder of your own, beside those in ATTEST_PATH"
            )
            return sub

        return command

    add_training(section("train and reproduce"))
    add_runs(section("look at results"))
    add_models(section("use a finished run"))
    add_pages(section("rebuild tables and figures, and publish them"))
    add_setup(section("set up, and look things up"))
    return top


def add_training(command: NewCommand) -> None:
    """Add the commands that train, sweep, search and measure."""
    train = command("train", "train:train", "train one run, or sweep with -m")
    train.add_argument("-m", "--multirun", action="store_true", help="sweep over values: seed=1,2 model=disan,s2t")
    train.add_argument(
        "-c",
        "--cfg",
        nargs="?",
        const=True,
        metavar="PART",
        choices=("job", "hydra", "all"),
        help="print the settings of the run, checked and resolved, and stop; with -m: the command of each run; "
        "job, hydra or all: the settings as Hydra composed them",
    )
    train.add_argument("-p", "--package", help="with --cfg job: the part of the configuration to print, e.g. optimizer")
    train.add_argument("--resolve", action="store_true", help="with --cfg job: resolve interpolations")
    train.add_argument(
        "-i",
        "--info",
        nargs="?",
        const="all",
        metavar="PART",
        choices=("all", "config", "defaults", "defaults-tree", "plugins", "searchpath"),
        help="print what Hydra knows and stop: all, config, defaults, defaults-tree, plugins or searchpath",
    )
    train.add_argument("--hydra-help", action="store_true", help="print the help of Hydra itself and stop")
    reproduce = command("reproduce", "reproduce:reproduce", "run what is missing of a table, and write the table")
    reproduce.add_argument("table", help="a table, e.g. disan/table1")
    plan = command("plan", "plan:plan", "print the hours that a table takes on a processor, at the paper's budget")
    plan.add_argument("table", nargs="?", help="a table, e.g. disan/table1 (default: all tables)")
    tune = command("tune", "tune:tune", "search a paper's hyper-parameters at random, by the dev set alone")
    tune.add_argument("search", help="a search, e.g. dam/ngram, with a budget: runs=20 or minutes=30")
    bench = command("bench", "bench:bench", "measure speed, memory and convergence on this machine")
    bench.add_argument("names", nargs="*", help="benchmarks, e.g. core step (default: all)")
    bench.add_argument("--publish", action="store_true", help="track the records and write results/benchmarks.md")
    hard = command("hard", "hard:hard", "find the test pairs that a classifier of the hypothesis alone gets wrong")
    hard.add_argument("dataset", help="snli or multinli")

"""The command line. Settings are Hydra's key=value everywhere."""

import argparse
import importlib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from attest import __version__
from attest.errors import AttestError, SettingsError
from attest.system.files import WRITE_ERROR_ADVICE, storage_error
from attest.system.signals import Stopped

EXIT_FAILED, EXIT_MISUSED, EXIT_STOPPED = 1, 2, 130
OVERRIDE = re.compile(r"[+~]\S+$|[+~]*[^-=\s][^=\s]*=")
"""What Hydra reads: key=value, +key=value, ~key. Everything else is ours, and so is all that stands behind --, where a
sentence may begin as a setting does."""
NUMBERED = re.compile(r"^([+]*phrases\.parser_run=)(\d+(?:e\d+)?)$")
"""The id of a parser that Hydra would read as a number, were it not in quotes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code. Mistakes that a user can mend end as one sentence."""
    arguments = sys.argv[1:] if arguments is None else arguments
    ours = arguments.index("--") if "--" in arguments else len(arguments)
    overrides = [NUMBERED.sub(r"\1'\2'", text) for text in arguments[:ours] if OVERRIDE.match(text)]
    others = [text for text in arguments[:ours] if not OVERRIDE.match(text)]
    parsed = parser().parse_args([*others, *arguments[ours:]])
    os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra then hands its errors on instead of printing them
    os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")  # torch asks for huge pages: large layers are 1.5 times as fast
    module, _, function = parsed.command.partition(":")
    try:
        code = int(getattr(importlib.import_module(f"attest.cli.{module}"), function)(parsed, overrides) or 0)
        sys.stdout.flush()
        return code
    except AttestError as error:
        print(f"attest: {error}", file=sys.stderr)
        return EXIT_MISUSED if isinstance(error, SettingsError) else EXIT_FAILED
    except BrokenPipeError:  # whoever read what we print has had enough of it, as `head` does
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            os.dup2(nowhere, stream.fileno())  # or Python complains at its end
        return EXIT_FAILED
    except OSError as error:  # Hydra's own folders are not written through our storage
        if error.errno not in WRITE_ERROR_ADVICE:
            raise
        print(f"attest: {storage_error(Path(str(error.filename or 'standard output')), error.errno)}", file=sys.stderr)
        return EXIT_FAILED
    except (KeyboardInterrupt, Stopped) as stop:
        print(f"attest: {str(stop) or 'stopped'}; the same command goes on from there", file=sys.stderr)
        return EXIT_STOPPED


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="attest",
        description="Papers on attention-based sentence encoders as experiments to run, check and extend.",
        epilog="Settings are written key=value: attest train -m model=disan mask=forward,backward seed=1,2,3",
    )
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, function: str, text: str) -> argparse.ArgumentParser:
        # Modules load when their command runs, so that asking for help does not load torch.
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(command=function)
        return sub

    train = command("train", "train:train", "train one run, or with -m a sweep")
    train.add_argument("-m", "--multirun", action="store_true", help="a Hydra multirun: seed=1,2,3 model=disan,s2t")
    train.add_argument("--cfg", action="store_true", help="print the settings and stop")
    reproduce = command("reproduce", "tables:reproduce", "run what is missing of a table, and write it")
    reproduce.add_argument("table", help="as disan/table1; also scale=paper rows=disan,s2t seeds=3 protocol.steps=...")
    tune = command("tune", "tune:tune", "random search over a paper's hyper-parameters, by dev alone")
    tune.add_argument("search", help="as dam/ngram; with runs=20 or minutes=30, also seed=2 at_once=4 experiment=...")
    show = command("show", "tables:show", "figures, records and commands behind a table or one of its rows")
    show.add_argument("table")
    show.add_argument("row", nargs="?")
    collate = command("collate", "tables:collate", "rebuild all tables from the tracked records")
    collate.add_argument("--check", action="store_true", help="write nothing; fail if a table differs")
    publish = command("publish", "publish:publish", "track the local records behind a table or figure, and collate")
    publish.add_argument("name", help="as disan/table1, disan/figure6, transfer or parsers")
    attend = command("attend", "figures:attend", "what the encoder of a finished run looks at in sentences of yours")
    attend.add_argument("run", help="the id of a run, or its beginning")
    attend.add_argument("sentences", nargs="*", metavar="sentence")
    attend.add_argument("--figure", help="the sentences of a figure, as disan/figure6")
    figures = command("figures", "figures:figures", "draw a paper's figures from the tracked records")
    figures.add_argument("names", nargs="*", help="as disan/figure5; none: all. With scale=mini, from mini runs")
    describe = command("describe", "tables:describe", "parameters of a table's rows, or of model=...")
    describe.add_argument("table", nargs="?")
    bench = command("bench", "bench:bench", "measure speed, memory and convergence on this machine")
    bench.add_argument("names", nargs="*", help="as core step; none: all")
    bench.add_argument("--publish", action="store_true", help="track the records and write results/benchmarks.md")
    submit = command("submit", "submit:submit", "a trained run's labels for a test set whose own are hidden")
    submit.add_argument("run", help="its id, or the beginning of it")
    submit.add_argument("file", help="official JSON lines of sentence pairs")
    submit.add_argument("--to", required=True, metavar="CSV", help="where to write pairID,gold_label")
    command("doctor", "doctor:doctor", "what this machine has, and which back ends are in use and why")
    transfer = command("transfer", "transfer:transfer", "what an encoder is worth on the tasks of SentEval")
    transfer.add_argument(
        "encoder", help="a run's id, average, average_max or sentence-transformers:NAME; also tasks=..."
    )
    hard = command("hard", "hard:hard", "which test pairs cannot be told by the hypothesis alone, published or derived")
    hard.add_argument("dataset", help="snli or multinli")
    phrases = command("parser", "parsers:parser", "train a parser for sentences without trees, or see what it says")
    phrases.add_argument("action", choices=("train", "parse"), help="train treebanks=sick,sst, or parse SENTENCE ...")
    phrases.add_argument("sentences", nargs="*", metavar="sentence")
    choices = command("choices", "tables:choices", "what a paper leaves open, and the settings that make each way")
    choices.add_argument("paper", help="as disan")
    data = command("data", "data:data", "official files: list, fetch with checksums, verify")
    data.add_argument("action", choices=("list", "fetch", "verify"))
    data.add_argument("names", nargs="*", help="as snli glove_6b; none: all")
    return top

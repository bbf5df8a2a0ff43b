"""The parser of the commands that show results, and of those that rebuild and publish them."""

from attest.cli.arguments.parser import NewCommand


def add_runs(command: NewCommand) -> None:
    """Add the commands that show tables, runs, and what is known of a table before it runs."""
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
    compare = command("compare", "runs:compare", "compare finished runs: settings, figures, predictions and curves")
    compare.add_argument("runs", nargs="*", metavar="run", help="ids of runs; or settings, e.g. experiment=disan/trec")
    describe = command("describe", "tables:describe", "count the parameters of a table's rows, or of a model")
    describe.add_argument(
        "table", nargs="?", help="a table, e.g. disan/table1; or settings of a model, e.g. model=disan"
    )
    choices = command("choices", "tables:choices", "list what a paper leaves open, with the settings for each reading")
    choices.add_argument("paper", help="a paper, e.g. disan")


def add_pages(command: NewCommand) -> None:
    """Add the commands that rebuild tables and figures from records, and publish them."""
    figures = command(
        "figures", "figures:figures", "draw the papers' figures and the charts of benchmarks from the tracked records"
    )
    figures.add_argument(
        "names", nargs="*", help="e.g. disan/figure5 or benchmarks/step (default: all); with scale=mini, from mini runs"
    )
    collate = command("collate", "tables:collate", "rebuild all tables from the tracked records")
    collate.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a table would change")
    publish = command("publish", "publish:publish", "track the local records behind a table or figure, and collate")
    publish.add_argument("name", help="a table, figure or page, e.g. disan/table1, disan/figure6, transfer or parsers")
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

"""The parser of the commands that use finished runs: their arguments and what --help says of them."""

from argparse import ArgumentParser

from attest.cli.arguments.parser import NewCommand


def add_models(command: NewCommand) -> None:
    """Add the commands that use a finished run on sentences, and take it elsewhere."""
    add_predictions(command)
    attend = command("attend", "attend:attend", "show the attention of a finished run to the words of sentences")
    add_run(attend)
    attend.add_argument("sentences", nargs="*", metavar="sentence", help="the sentences, each in quotes")
    attend.add_argument("--figure", help="take the sentences of a figure, e.g. disan/figure6")
    export = command("export", "export:export", "write a run as a folder for Sentence Transformers and model hubs")
    add_run(export, or_folder=True)
    export.add_argument("folder", help="the folder to write, which must be new or empty; with --as, the file")
    export.add_argument("--words", metavar="FILE", help="a file of sentences whose words get their vectors as well")
    export.add_argument(
        "--as",
        dest="naming",
        choices=("authors",),
        help="write a file of weights (.npz, .safetensors) with the authors' parameter names",
    )
    imports = command("import", "imports:import_weights", "import weights that the authors' code trained, as a new run")
    imports.add_argument("file", help="weights by the names of that code: .safetensors or .npz")
    imports.add_argument("--words", metavar="FILE", help="the word of each row of the file's word vectors, one a line")
    submit = command("submit", "submit:submit", "write a run's labels for a test set whose labels are not published")
    add_run(submit)
    submit.add_argument("file", help="official JSON lines of sentence pairs")
    submit.add_argument("--to", required=True, metavar="CSV", help="the file to write pairID,gold_label to")
    transfer = command("transfer", "transfer:transfer", "evaluate sentence vectors on the tasks of SentEval")
    transfer.add_argument(
        "encoder", help="the id or the folder of a run, average, average_max or sentence-transformers:NAME"
    )
    transfer.add_argument("-c", "--cfg", action="store_true", help="print the settings, checked and resolved, and stop")


def add_predictions(command: NewCommand) -> None:
    """Add the commands that write or measure what a run computes for the examples of a file."""
    vectors = command("encode", "encode:encode", "write the vectors that a run gives the sentences of a file")
    predict = command("predict", "encode:predict", "print the labels that a run gives sentences or pairs")
    evaluate = command("evaluate", "evaluate:evaluate", "measure a run on the labelled examples of a file")
    sentences = "a sentence a line (.txt), columns (.tsv) or JSON (.jsonl); or - for standard input"
    examples = "a file like those of the run's data set, columns (.tsv, .csv) or JSON (.jsonl); or - for standard input"
    for sub, file, formats in (
        (vectors, sentences, ("txt", "tsv", "jsonl")),
        (predict, sentences, ("txt", "tsv", "jsonl")),
        (evaluate, examples, ("tsv", "csv", "jsonl")),
    ):
        add_run(sub, or_folder=True)
        sub.add_argument("file", help=file)
        sub.add_argument("--format", choices=formats, help="the format, if the file's name does not say")
        sub.add_argument(
            "--precision", choices=("fp32", "bf16"), default="fp32", help="bf16 is faster and nearly as exact"
        )
    vectors.add_argument("--to", required=True, metavar="NPY", help="the file to write the vectors to")
    predict.add_argument("--to", metavar="TSV", help="the file to write the labels to (default: print them)")
    evaluate.add_argument(
        "--columns",
        metavar="ROLE=NAME,...",
        help="e.g. sentence1=premise,sentence2=hypothesis,label=gold; or numbers from 1",
    )
    evaluate.add_argument(
        "--labels", metavar="NAME=LABEL,...", help="other labels of the file, e.g. non-entailment=neutral,contradiction"
    )
    evaluate.add_argument(
        "--by", metavar="COLUMN", help="also print the metrics for each value of a column, e.g. genre"
    )
    evaluate.add_argument("--to", metavar="TSV", help="the file to write each example's label and prediction to")


def add_run(command: ArgumentParser, *, or_folder: bool = False) -> None:
    """Add the argument that names a finished run."""
    command.add_argument(
        "run", help="the id of a run, or the beginning of it" + ("; or the folder of a run" if or_folder else "")
    )

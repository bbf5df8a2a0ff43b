"""The parser of the commands that set up a machine, and explain settings."""

import argparse

from attest.cli.arguments.parser import NewCommand


def add_setup(command: NewCommand) -> None:
    """Add the commands that show this machine, settings, data, parsers and shells."""
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
    phrases.add_argument(
        "-c", "--cfg", action="store_true", help="with train: print the settings, checked and resolved, and stop"
    )
    example = command("new", "new:new", "write an example of an encoder, a data set or a table of your own")
    example.add_argument("kind", choices=("encoder", "dataset", "table"), help="what to write")
    example.add_argument(
        "name", help="e.g. my_encoder; written to the folder of --config-dir, else to the current folder"
    )
    data = command("data", "data:data", "list official files, fetch them with checksums, or verify them")
    data.add_argument("action", choices=("list", "fetch", "verify"), help="what to do with the files")
    data.add_argument("names", nargs="*", help="data sets and word vectors, e.g. snli glove_6b (default: all)")
    completion = command("completion", "completion:completion", "print the completion script of a shell")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help='for bash: eval "$(attest completion bash)"')
    completion.add_argument("--line", help=argparse.SUPPRESS)

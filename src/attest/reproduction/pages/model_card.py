"""The model card of an exported run, made from its record: a README.md with the head that model hubs read."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attest.config.components import COMPONENTS
from attest.config.locate import TRUSTED, is_in, own_code
from attest.config.settings import Dataset, Settings, Vectors
from attest.config.vector_files import NO_FILE
from attest.reproduction.pages.built_in_corpora import built_in_name, reads_built_in_corpus
from attest.reproduction.pages.markdown_parts import code_span, escape_markdown
from attest.reproduction.pages.terminal.run import format_metric, model_lines, setting_lines
from attest.runs.code_history import describe_commits
from attest.runs.records import Record
from attest.runs.run_card import RunContext

TAGS = ("sentence-similarity", "feature-extraction", "attest")
LIBRARY = "sentence-transformers"
INSTALL = """\
The model needs Attest, which comes from its own repository: `attest` on PyPI is another project. In a checkout of the
commit below, type `{command}`."""
USE = """\
With Sentence Transformers:

```py
from sentence_transformers import SentenceTransformer

model = SentenceTransformer("FOLDER", trust_remote_code=True)
vectors = model.encode(["A man runs.", "Two dogs sleep."])
```

Sentence Transformers asks for `trust_remote_code` before it imports a class of another package. This folder holds no
code: the class is `attest.inference.sentence_transformer.SentenceEncoder` of the installed package."""
USE_ATTEST = """\
With Attest alone:

```py
import attest

run = attest.load("FOLDER")
"""
OWN_CODE = "Put it into a folder, and name that folder by the variable `ATTEST_PATH` before loading the model."


def model_card(
    record: Record,
    settings: Settings,
    origin: RunContext,
    defaults: Mapping[str, Any],
    *,
    sides: int,
    pairs: bool,
    command: str = "",
) -> str:
    """Return the text of a model card.

    `defaults` are the settings that the command of the run has by default, `sides` is the number of sentences in an
    example, and `pairs` says whether the model is a matcher, which has no vectors of single sentences. `command` trains
    a run that belongs to no table; it is empty if it is not known.
    """
    head = {"library_name": "attest" if pairs else LIBRARY, "tags": [*(() if pairs else (LIBRARY, *TAGS[:2])), TAGS[2]]}
    if not pairs:
        head["pipeline_tag"] = TAGS[0]
    lines = ["---", *(f"{key}: {json.dumps(value)}" for key, value in head.items()), "---", ""]
    lines += [f"# {escape_markdown(title(record, settings))}", ""]
    lines += [use(sides, pairs=pairs), ""]
    lines += [own_code_text(own), ""] if (own := own_classes(settings)) else []
    for name, texts in sections(record, settings, origin, defaults, command):
        lines += [f"## {name}", "", *(f"- {text}" for text in texts), ""]
    return "\n".join(lines)


def title(record: Record, settings: Settings) -> str:
    """Return the class of the model, the data set or the file that its weights come from, and the id of the run."""
    imported = record.data.get("imported")
    source = f"from {imported['file']}" if imported else f"trained on {data_name(record, settings)}"
    return f"{str(settings.model['_target_']).rpartition('.')[2]} {source} ({record.id})"


def data_name(record: Record, settings: Settings) -> str:
    """Return the name of the data set of a run, or that of the built-in corpus in its place."""
    name = settings.dataset.name
    return built_in_name(name) if reads_built_in_corpus(record) else name


def use(sides: int, *, pairs: bool) -> str:
    """Return how Attest is installed, and how the folder is used in Python."""
    calls = f"predictions = run.predict({'pairs' if sides == 2 else 'sentences'})  # labels and probabilities\n```"
    install = INSTALL.format(command="pip install ." if pairs else f"pip install '.[{LIBRARY}]'")
    if pairs:
        return f"{install}\n\n{USE_ATTEST}{calls}"
    return f"{install}\n\n{USE}\n\n{USE_ATTEST}vectors = run.encode(sentences)\n{calls}"


def own_classes(settings: Settings) -> dict[str, str]:
    """Return the classes and functions of the user's own that loading the model needs: full name -> file."""
    named = [str(getattr(settings, name)["_target_"]) for name in COMPONENTS]
    own = [name for name in named if not is_in(name, TRUSTED)] + [name for name, _ in own_code(settings).values()]
    return {name: file_of(name.rpartition(".")[0]) for name in own}


def file_of(module: str) -> str:
    """Return the path of the file of a module below the folder that holds its top package, as pack/module.py."""
    depth = module.count(".") + 1
    path = Path(getattr(sys.modules.get(module), "__file__", None) or f"{module.replace('.', '/')}.py")
    return "/".join(path.parts[-depth - (path.stem == "__init__") :])


def own_code_text(own: Mapping[str, str]) -> str:
    """Return what a card says of code that neither this folder nor Attest holds."""
    listed = "\n".join(f"- {code_span(name)} in {code_span(file)}" for name, file in own.items())
    return f"The model also needs code that neither this folder nor Attest holds:\n\n{listed}\n\n{OWN_CODE}"


def sections(
    record: Record, settings: Settings, origin: RunContext, defaults: Mapping[str, Any], command: str
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the title of each section and its items, which are escaped."""
    yield "Data", [escape_markdown(text) for text in data_texts(record, settings)]
    figures = [f"{escape_markdown(name)}: {format_metric(value)}" for name, value in record.metrics.items()]
    yield "Figures", figures or ["none: these weights were not evaluated"]
    corpus = " on built-in corpora, whose figures say nothing about the paper" if reads_built_in_corpus(record) else ""
    mini = [f"scale=mini: a narrow model{corpus}"]
    other = ["not known: other code trained these weights"] if record.kind == "import" else []
    deviations = [*other, *(mini if settings.scale == "mini" else ()), *origin.deviations]
    yield "Deviations from the paper", [*map(escape_markdown, deviations)] or ["none that the record shows"]
    typed = origin.command if origin.cell else command
    unknown = "`attest import` with the settings below" if record.kind == "import" else "not known"
    commit = record.environment.get("commit") or "unknown"
    changed = ", with uncommitted changes" if record.uncommitted else ""
    parts = f" (of its parts: {describe_commits(record.commits)})" if record.commits else ""
    shown_command = f"command: {code_span(typed) if typed else unknown}"
    yield "Origin", [shown_command, f"commit of the code: {code_span(commit)}{changed}{parts}", f"run: `{record.id}`"]
    yield "Settings that differ from the defaults", [*map(code_span, setting_lines(record, defaults))] or ["none"]
    if others := [*map(code_span, model_lines(record, defaults))]:
        yield "Other settings of the model", others


def data_texts(record: Record, settings: Settings) -> Iterator[str]:
    """Yield the data set and the word vectors with their licences and references, and the numbers of examples."""
    dataset, vectors = settings.dataset, settings.vectors
    if imported := record.data.get("imported"):
        yield f"weights from {imported['file']}, by the names of {imported['code']}; the settings name these data:"
    if built_in := reads_built_in_corpus(record):
        yield data_name(record, settings)
    else:
        yield describe_source(dataset.name, dataset)
    no_file = "no file of word vectors: they began at random"
    yield no_file if vectors.file == NO_FILE else describe_source(f"word vectors {vectors.file}", vectors)
    for split, facts in record.data.get("splits", {}).items():
        count, official = facts.get("labelled"), dataset.expected.get(split)
        if count is not None:
            yield f"{split}: {count:,} examples" + ("" if official is None or built_in else f" of {official:,}")


def describe_source(name: str, source: Dataset | Vectors) -> str:
    """Return a data set or a file of word vectors with its reference and licence."""
    return f"{name}: {source.reference or 'no reference'}; licence: {source.licence or 'not stated'}"

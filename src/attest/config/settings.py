"""Every setting of a run, typed: what `conf/` may say.

Fields marked `private` do not change a run's figures (places, threads, names) and stay out of its identity.
Fields marked `budget` may be smaller than the paper's; a run that uses less is shown in the paper's row, with
the difference listed as a deviation. Any other difference makes it another experiment.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal
from typing import Protocol as Interface

from attest.config.schema import AtLeastOne, Positive, Range

PRIVATE = {"private": True}
BUDGET = {"budget": True}

TrainedPhrases = Literal["sentences", "all", "authors"]


@dataclass(frozen=True, kw_only=True)
class Archive:
    """Where an official file can be had: an archive, or one file alone."""

    url: str
    sha256: str
    size: Annotated[int, AtLeastOne]
    """In bytes."""
    path: str
    """Where it lies below the data folder."""
    folder: str = ""
    """The folder inside the archive that holds the files."""


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """Official files and what is in them; nothing about how they are used."""

    name: str
    format: Literal["nli", "sst", "sst_in_two", "sick", "trec", "lines", "tabbed", "mrpc", "sts", "stsb", "yelp", "pan"]
    files: Mapping[str, str | Mapping[str, str]] = field(metadata=PRIVATE)
    """Split -> path below the data folder; where each class has a file of its own, split -> class -> path; where pairs
    and scores have, split -> pairs and scores -> path. A set without a training set of its own is one split, 'all',
    to be cut into folds."""
    labels: Sequence[str]
    expected: Mapping[str, int] = field(metadata=PRIVATE)
    """Split -> the official number of labelled examples."""
    licence: str = field(metadata=PRIVATE)
    reference: str = field(metadata=PRIVATE)
    grades: Annotated[int, Range(2, 6)] = 5
    """Of scores, the highest 5: from 1, or with 6 from 0."""
    archive: Archive | None = field(default=None, metadata=PRIVATE)
    loose: Sequence[Archive] = field(default=(), metadata=PRIVATE)
    """Where there is no archive: files that are given out one by one, each at its own path."""
    hard: str = field(default="", metadata=PRIVATE)
    """Where there is one, the official file of the test pairs that a classifier of the hypothesis alone gets wrong."""
    parses: Sequence[str] = field(default=(), metadata=PRIVATE)
    """Files with trees of its sentences, where its own have none; read for text.tokens=parse alone."""
    mini_vectors: str = field(default="", metadata=PRIVATE)
    """The word vectors that scale=mini reads with the built-in corpus of this name; empty: those of SNLI's."""
    unavailable: str = field(default="", metadata=PRIVATE)
    """Why nobody can have this set any more, where that is so."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Every file once."""
        entries = [[entry] if isinstance(entry, str) else entry.values() for entry in self.files.values()]
        return tuple(dict.fromkeys(path for entry in entries for path in entry))


@dataclass(frozen=True, kw_only=True)
class Text:
    """From raw text to tokens, and which examples are long enough to be left out."""

    tokens: Literal["parse", "treebank", "whitespace"]
    """parse: the leaves of the corpus's own trees; treebank rules where it has none."""
    split_characters: str = ""
    """Tokens are split again at each of these characters, which become tokens; empty pieces stay."""
    strip_characters: str = ""
    """Characters taken off both ends of each token; what is left stays, also if it is empty."""
    lowercase: bool | Literal["first"] = False
    """All tokens, none, or the first of each sentence alone."""
    length_percentile: Annotated[float, Range(0, 100, open_low=True)] = 100.0
    """Training examples with a sentence longer than this percentile of sentence lengths are dropped."""
    token_limit: Annotated[int, AtLeastOne] | None = field(default=None, metadata=BUDGET)
    """Of each sentence only so many tokens are kept, the first ones; null: all. What is cut off is counted."""
    phrases: TrainedPhrases = "sentences"
    """Of a set of trees, what is trained on: whole sentences, every part of them (all), or every part with three
    further copies of each sentence and of each part that is not neutral (authors). Never for dev and test."""
    deleted: Sequence[str] = ()
    """Deleted from the text wherever it stands, inside words too, before there are tokens."""
    stop_words: Literal["kept", "removed"] = "kept"
    """Words that mean little by themselves: attest.data.text.stopwords."""
    lemmas: Literal["none", "rules"] = "none"
    """Whether words are brought to the form that a dictionary has: attest.data.text.lemmas."""
    first: str = ""
    """A token in front of every sentence, for words to align with that align with none."""
    last: str = ""
    """A token behind every sentence."""


@dataclass(frozen=True, kw_only=True)
class Phrases:
    """The source of a sentence's phrases and how they are cut, for models that attend within phrases."""

    source: Literal["none", "corpus", "learned", "stanza", "balanced", "right"] = field(
        default="none", metadata={"budget": ("corpus", "learned", "stanza")}
    )
    """The trees that sentences are divided by. corpus: the data set's own; learned: those of a parser that `attest
    parser train` trained; stanza: those of Stanza's parser; balanced: halves of halves; right: the first word and the
    rest, again and again."""
    parser_run: str | None = field(default=None, metadata=BUDGET)
    """With source=learned, the id of the parser's run, or its beginning; null: the parser that is trained with default
    settings."""
    levels: Annotated[int, Range(1, 8)] = 3
    """How many times a sentence is divided."""
    min_length: Annotated[int, Range(2)] = 4
    """The fewest words of a phrase that is divided further."""
    branching: Literal["binary", "nary"] = "binary"
    """binary: a node of more than two children is divided into the first child and the rest; nary: into all of
    them."""
    blocks: Literal["phrases", "equal"] = "phrases"
    """phrases: the phrases of the tree; equal: as many phrases on each level, but of equal length."""


@dataclass(frozen=True, kw_only=True)
class Vectors:
    """Pretrained word vectors and what happens to words that have none."""

    file: str = field(metadata=BUDGET)
    size: Annotated[int, AtLeastOne] = field(metadata=BUDGET)
    trained: Literal["training_words", "none"] = "training_words"
    """training_words: rows of words seen in training are trained, all other rows stay as they are."""
    unknown: Literal["uniform", "normal", "neighbours", "hashed"] = "uniform"
    """How training words without a vector start; all others without one are zero. neighbours: at the mean of the
    vectors around them in all splits, those of other splits too; normal where there are none. hashed: all words
    without one, of any text, share 128 vectors that are uniform and are not trained."""
    unknown_range: Annotated[float, Range(0)] = 0.05
    """Uniform in plus or minus this, or normal with this standard deviation."""
    unit_length: bool = False
    """Whether all vectors, random ones too, are scaled to length 1."""
    expected: Annotated[int, AtLeastOne] | None = field(default=None, metadata=PRIVATE)
    """Official number of rows."""
    licence: str = field(default="", metadata=PRIVATE)
    reference: str = field(default="", metadata=PRIVATE)
    archive: Archive | None = field(default=None, metadata=PRIVATE)


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """How long, looked at when, chosen by what."""

    name: str
    batch_size: Annotated[int, AtLeastOne]
    batches: Literal["unsorted", "by_length", "equal_lengths", "in_order"] = field(default="unsorted", metadata=BUDGET)
    """unsorted: as the authors of DiSAN drew them. by_length: examples of like length together. equal_lengths: pairs
    whose first sentences are equally long, and their second ones, as many as there are, up to `batch_size`: as code of
    DAM iterates, which has no masks. in_order: as the file has them in each epoch, an incomplete last batch left out,
    as the authors of SSA did."""
    batch_words: Annotated[int, AtLeastOne] | None = field(default=None, metadata=BUDGET)
    """Set, batches by length hold so many words instead of `batch_size` examples."""
    evaluation_batch_size: Annotated[int, AtLeastOne] = field(default=100, metadata=PRIVATE)
    steps: Annotated[int, AtLeastOne] | None = field(default=None, metadata=BUDGET)
    epochs: Annotated[float, Positive] | None = field(default=None, metadata=BUDGET)
    """One of `steps` and `epochs` is set; where both are, training ends with the first."""
    evaluate_every: Annotated[int, AtLeastOne] | None = field(default=None, metadata=BUDGET)
    """Steps between two looks at the dev set; null: once per epoch."""
    evaluate_from: Annotated[int, Range(0)] = field(default=0, metadata=BUDGET)
    """No look at the dev set before this step."""
    max_grad_norm: Annotated[float, Positive] | None = None
    """Gradient clipping: the largest 2-norm of all gradients together; null: no clipping."""
    lr_decay: Annotated[float, Range(0, 1, open_low=True)] = 1.0
    """The factor that multiplies the learning rate after each evaluation on the dev set."""
    lr_decay_on_plateau: Annotated[float, Range(0, 1, open_low=True)] = 1.0
    """A further factor, after an evaluation that does not improve on the best dev result."""
    min_lr: Annotated[float, Range(0)] = 0.0
    """The learning rate below which training ends."""
    fold: Annotated[int, Range(0)] | None = None
    """Which fold is the test set, of a set that has no splits; null is the first."""
    folds: Annotated[int, Range(2)] = 10
    drawn: Sequence[Annotated[int, AtLeastOne]] | None = field(default=None, metadata=BUDGET)
    """Of a set that has no splits, how many examples the seed draws for training, dev and test, in place of folds. A
    smaller set gives a tenth each to dev and test, if that is less, and the rest to training."""
    missing_dev: Literal["split_train", "test"] = "split_train"
    """The dev set of a data set that has none. split_train: training examples that the seed draws, which are then not
    trained on; test: the test set, as some authors did."""
    dev_fraction: Annotated[float, Range(0, 0.5, open_low=True)] = 0.1
    """The fraction of the training set that missing_dev=split_train holds out."""
    examples: Annotated[int, AtLeastOne] | None = None
    """How many examples of the training set the seed draws to train on, fewer ones being among more; null: all."""
    observe_test: bool = False
    """Whether the test set is read at every evaluation, as some authors did, or once at the end."""


@dataclass(frozen=True, kw_only=True)
class Trainer:
    """The machine's side of training."""

    precision: Literal["fp32", "bf16"] = field(default="fp32", metadata=BUDGET)
    accelerator: Literal["cpu", "gpu"] = field(default="cpu", metadata=PRIVATE)
    threads: Annotated[int, AtLeastOne] | None = field(default=None, metadata=PRIVATE)
    """null: as many as the machine has cores."""
    attention: Literal["auto", "native", "compiled", "reference"] = field(default="auto", metadata=PRIVATE)
    """Which implementation computes attention; `attest doctor` tells which one that is."""
    packed: bool = field(default=True, metadata=PRIVATE)
    """Whether batches hold words alone, or padding too."""
    checkpoint_seconds: Annotated[float, Range(0)] = field(default=60.0, metadata=PRIVATE)
    """A checkpoint is written when the last one is older than this, and at the end."""
    keep_last: bool = field(default=False, metadata=PRIVATE)
    """Whether a finished run keeps its last checkpoint, so that the same run with more steps goes on from there."""
    on_train: bool = field(default=True, metadata=PRIVATE)
    """Whether the end measures the training set, too, beside dev and test: of a short run, that is a third of it."""
    progress: bool = field(default=True, metadata=PRIVATE)


@dataclass(frozen=True, kw_only=True)
class Logger:
    """The mirror of the records on Weights & Biases."""

    kind: Literal["wandb", "none"] = "wandb"
    project: str = "attest"
    online: bool | None = None
    """null: as WANDB_MODE says; without it online where an API key is configured, else offline."""


@dataclass(frozen=True, kw_only=True)
class Paths:
    """Every place that is read from or written to."""

    home: str
    data: str
    cache: str
    runs: str
    records: str
    results: str
    wandb: str
    hydra: str


@dataclass(frozen=True, kw_only=True)
class Label:
    """For which row of which table a run was started; only for people to read."""

    table: str = ""
    row: str = ""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """One run."""

    seed: Annotated[int, Range(0)]
    scale: str
    task: Literal["classification", "relatedness"]
    model: Mapping[str, Any]
    head: Mapping[str, Any]
    optimizer: Mapping[str, Any]
    dataset: Dataset
    text: Text
    vectors: Vectors
    protocol: Protocol
    hidden_size: Annotated[int, AtLeastOne] = field(metadata=PRIVATE)
    """Shared by encoder and head, which interpolate it."""
    dropout: Annotated[float, Range(0, 1, open_high=True)] = field(metadata=PRIVATE)
    """Shared likewise; the papers print the keep probability, 1 - dropout."""
    phrases: Phrases = Phrases()
    trainer: Trainer = Trainer()
    logger: Logger = field(default=Logger(), metadata=PRIVATE)
    paths: Paths = field(metadata=PRIVATE)
    label: Label = field(default=Label(), metadata=PRIVATE)
    retry_failed: bool = field(default=False, metadata=PRIVATE)
    """Whether a run that failed earlier is made again."""
    packages: Sequence[str] = field(default=("attest", "torch.optim"), metadata=PRIVATE)
    """Packages that `_target_` may name."""


class HasPaths(Interface):
    """Settings with a scale and places: those of a run, or of a command that reads and writes files."""

    @property
    def scale(self) -> str: ...

    @property
    def paths(self) -> Paths: ...


class HasLogger(HasPaths, Interface):
    """Settings that say where a record is mirrored, too."""

    @property
    def logger(self) -> Logger: ...

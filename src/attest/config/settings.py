"""The schema of a run's settings: every key that `conf/` and overrides may set, with its type and range.

Fields marked `private` (places, threads, names) do not change a run's figures and are not part of its id.
Fields marked `budget` may differ from the paper's settings, mostly to save time: the run still counts for the paper's
row of a table, and the difference is listed as a deviation. Any other difference makes the run another experiment.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal
from typing import Protocol as Interface

from attest.config.schema import AtLeastOne, DottedName, Positive, Range, Synonyms

PRIVATE = {"private": True}
BUDGET = {"budget": True}
OwnCode = Annotated[str, DottedName()]
"""The full name of a class or a function in a folder of the user's own."""

TrainedPhrases = Literal["sentences", "all", "authors"]


@dataclass(frozen=True, kw_only=True)
class Archive:
    """A download of official files: an archive, or a single file."""

    url: str
    sha256: str
    """The SHA-256 checksum of the download, in hexadecimal."""
    size: Annotated[int, AtLeastOne]
    """The size of the download in bytes."""
    path: str
    """The path at which the download is stored, relative to the data folder."""
    folder: str = ""
    """The folder inside the archive that holds the files; empty if they are at its top."""


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """A data set: its official files and what they contain, but not how a run uses them."""

    name: str
    format: Literal[
        "nli", "sst", "sst_in_two", "sick", "trec", "lines", "tabbed", "mrpc", "sts", "stsb", "yelp", "pan",
        "tsv", "csv", "jsonl", "folders",
    ]  # fmt: skip
    """The file format, which selects the reader. tsv, csv, jsonl and folders are those of data sets of the user's
    own."""
    files: Mapping[str, str | Mapping[str, str]] = field(metadata=PRIVATE)
    """The files of each split: a path relative to the data folder or, if a split has several files, a mapping from
    each class (or from `pairs` and `scores`) to a path. For the format folders, it is a folder with a folder of text
    files for each class. A data set without official splits has the single split `all`, from which protocol.fold or
    protocol.drawn makes a training and a test set."""
    labels: Sequence[str]
    """The names of the classes or grades, in the order of their numbers."""
    columns: Mapping[str, str | int] = field(default_factory=dict)
    """The columns of a tsv, csv or jsonl file by their roles: sentence, or sentence1 and sentence2; label or score;
    split, if one file holds several splits; fold, if each row of the split `all` names its fold. A column is given by
    its name or, in a file without a line of names, by its number from 1."""
    expected: Mapping[str, int] = field(default_factory=dict, metadata=PRIVATE)
    """The official number of labelled examples of each split; empty if there is none."""
    licence: str = field(default="", metadata=PRIVATE)
    """The licence of the data set, for people to read."""
    reference: str = field(default="", metadata=PRIVATE)
    """The publication that introduced the data set."""
    experiment: str = field(default="", metadata=PRIVATE)
    """The experiment that a run on the data set has, unless the command names one; empty: the default one."""
    grades: Annotated[int, Range(2, 6)] = 5
    """The number of grades of a relatedness score, which end at 5: with 5 they are 1 to 5, with 6 they are 0 to 5."""
    archive: Archive | None = field(default=None, metadata=PRIVATE)
    """The archive that holds the files; null if there is none."""
    loose: Sequence[Archive] = field(default=(), metadata=PRIVATE)
    """The downloads of a data set that is published as single files instead of an archive."""
    hard: str = field(default="", metadata=PRIVATE)
    """The official file of the hard test pairs, which a classifier that reads only the hypothesis gets wrong; empty if
    there is none."""
    parses: Sequence[str] = field(default=(), metadata=PRIVATE)
    """Files with parse trees of the sentences, if the data set's own files have none. They are read only if
    text.tokens=parse."""
    mini_vectors: str = field(default="", metadata=PRIVATE)
    """The file of word vectors at scale=mini, for data sets whose built-in corpus does not share SNLI's vectors."""
    unavailable: str = field(default="", metadata=PRIVATE)
    """The reason why the data set can no longer be obtained; empty if it can."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all files, each of them once."""
        entries = [[entry] if isinstance(entry, str) else entry.values() for entry in self.files.values()]
        return tuple(dict.fromkeys(path for entry in entries for path in entry))


@dataclass(frozen=True, kw_only=True)
class Text:
    """The settings that turn raw text into tokens, and that leave out long examples."""

    tokens: OwnCode | Literal["parse", "treebank", "whitespace"]
    """The tokeniser. parse: the leaves of the corpus's own trees, or as with treebank if a sentence has no tree;
    treebank: the rules of the Penn Treebank; whitespace: the pieces between spaces; package.function: a function of the
    user's own from a sentence to a list of tokens."""
    split_characters: str = ""
    """The characters at which tokens are split further. Each becomes a token; empty pieces are kept."""
    strip_characters: str = ""
    """The characters that are removed from both ends of each token. A token that becomes empty is kept."""
    lowercase: bool | Literal["first"] = False
    """The tokens that are converted to lower case: all (true), none (false), or the first of each sentence (first)."""
    length_percentile: Annotated[float, Range(0, 100, open_low=True)] = 100.0
    """The percentile of sentence lengths in the training set above which training examples are left out; 100: none."""
    token_limit: Annotated[int, AtLeastOne] | None = field(default=None, metadata=BUDGET)
    """The number of tokens after which a sentence is cut off; null: never. The record counts what is cut off."""
    phrases: TrainedPhrases = "sentences"
    """The training examples taken from labelled trees. sentences: whole sentences; all: every labelled phrase too;
    authors: as all, with three more copies of each sentence and of each phrase that is not neutral, as the authors of
    DiSAN did. Dev and test sets always hold whole sentences."""
    deleted: Sequence[str] = ()
    """The strings that are deleted from the raw text, inside words too, before it is split into tokens."""
    stop_words: Literal["kept", "removed"] = "kept"
    """The treatment of stop words, which attest.data.text.stopwords lists: they are kept or removed."""
    lemmas: Literal["none", "rules"] = "none"
    """The lemmatiser, which reduces words to their dictionary forms. none: words stay as they are; rules: that of
    attest.data.text.lemmas."""
    first: str = ""
    """The token put before every sentence, to which a matcher can align words that match no other; empty: no token."""
    last: str = ""
    """The token put after every sentence; empty: no token."""


@dataclass(frozen=True, kw_only=True)
class Phrases:
    """The trees that divide sentences into phrases, and how, for models that attend within phrases."""

    source: OwnCode | Literal["none", "corpus", "learned", "stanza", "balanced", "right"] = field(
        default="none", metadata={"budget": ("corpus", "learned", "stanza")}
    )
    """The trees that divide sentences into phrases. none: no phrases; corpus: the data set's own trees; learned: trees
    of a parser that `attest parser train` trained; stanza: trees of Stanza's parser; balanced: trees that halve each
    phrase; right: trees that split off the first word of each phrase; package.Class: trees of a parser of the user's
    own, which derives from attest.syntax.parsers.Parser."""
    parser_run: str | None = field(default=None, metadata=BUDGET)
    """The id of the parser's run, or the beginning of the id, for source=learned; null: the parser that is trained
    with default settings."""
    levels: Annotated[int, Range(1, 8)] = 3
    """The number of times that phrases are divided, starting from the whole sentence."""
    min_length: Annotated[int, Range(2)] = 4
    """The number of words from which on a phrase is divided further."""
    branching: Literal["binary", "nary"] = "binary"
    """The division of a tree node that has more than two children. binary: into the first child and the rest; nary:
    into all children."""
    blocks: Literal["phrases", "equal"] = "phrases"
    """The spans used as phrases. phrases: those of the tree; equal: on each level as many spans of equal length."""


@dataclass(frozen=True, kw_only=True)
class Vectors:
    """The pretrained word vectors, and the treatment of words without one."""

    file: str = field(metadata=BUDGET)
    """The path of the vectors' file, relative to the data folder."""
    size: Annotated[int, AtLeastOne] = field(metadata=BUDGET)
    """The number of components of a vector."""
    trained: Literal["training_words", "none"] = "training_words"
    """The vectors that are trained. training_words: those of words in the training set; none: no vector."""
    unknown: Literal["uniform", "normal", "neighbours", "hashed"] = "uniform"
    """The initial vectors of training words that have no pretrained vector; such words of other splits get zeros.
    uniform, normal: random; neighbours: the mean of the vectors around the word in all splits, or normal if there are
    none, for words of other splits too; hashed: one of 128 shared random vectors (uniform), which are not trained, for
    such words of any text."""
    unknown_range: Annotated[float, Range(0)] = 0.05
    """The scale of random vectors: the largest absolute component if uniform, the standard deviation if normal."""
    unit_length: bool = False
    """True if all vectors, including random ones, are scaled to length 1."""
    expected: Annotated[int, AtLeastOne] | None = field(default=None, metadata=PRIVATE)
    """The official number of vectors in the file; null if there is none."""
    licence: str = field(default="", metadata=PRIVATE)
    """The licence of the vectors, for people to read."""
    reference: str = field(default="", metadata=PRIVATE)
    """The publication that introduced the vectors."""
    archive: Archive | None = field(default=None, metadata=PRIVATE)
    """The download that holds the file; null if there is none."""


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """The training protocol: batches, length, evaluations, learning-rate schedule and splits."""

    name: str
    """The name of the protocol, for people to read."""
    batch_size: Annotated[int, AtLeastOne]
    """The number of examples in a training batch."""
    batches: Literal["unsorted", "by_length", "equal_lengths", "in_order"] = field(default="unsorted", metadata=BUDGET)
    """The order in which examples are put into batches. unsorted: at random, as the authors of DiSAN did; by_length:
    examples of similar length together; equal_lengths: up to `batch_size` pairs whose first sentences all have the same
    length, as do their second ones, as in code of DAM without masks; in_order: as in the file, without an incomplete
    last batch, as the authors of SSA did."""
    batch_words: Annotated[int, AtLeastOne] | None = field(default=None, metadata=BUDGET)
    """The number of words in a batch if batches=by_length, in place of `batch_size`; null: `batch_size` counts."""
    evaluation_batch_size: Annotated[int, AtLeastOne] = field(default=100, metadata=PRIVATE)
    """The number of examples in a batch of an evaluation."""
    steps: Annotated[int, AtLeastOne] | None = field(default=None, metadata=BUDGET)
    """The number of training steps; null: the number that `epochs` takes."""
    epochs: Annotated[float, Positive] | None = field(default=None, metadata=BUDGET)
    """The number of passes over the training set, which need not be whole; null: as many as `steps` makes. At least one
    of `steps` and `epochs` is required; if both are set, the shorter one ends training."""
    evaluate_every: Annotated[int, AtLeastOne] | None = field(default=None, metadata=BUDGET)
    """The number of steps between evaluations on the dev set; null: one evaluation after each epoch."""
    evaluate_from: Annotated[int, Range(0)] = field(default=0, metadata=BUDGET)
    """The step before which the dev set is not evaluated."""
    max_grad_norm: Annotated[float, Positive] | None = None
    """The largest 2-norm of all gradients together, to which they are clipped; null: no clipping."""
    lr_decay: Annotated[float, Range(0, 1, open_low=True)] = 1.0
    """The factor that multiplies the learning rate after each evaluation on the dev set."""
    lr_decay_on_plateau: Annotated[float, Range(0, 1, open_low=True)] = 1.0
    """A further factor of the learning rate after an evaluation that does not improve on the best dev result."""
    min_lr: Annotated[float, Range(0)] = 0.0
    """The learning rate below which training ends."""
    fold: Annotated[int, Range(0)] | None = None
    """The number of the fold that is the test set, if the data set has no splits; null: the first. Folds count from 0,
    or have the numbers of the data set's column of folds."""
    folds: Annotated[int, Range(2)] = 10
    """The number of folds into which a data set without splits and without a column of folds is divided."""
    drawn: Sequence[Annotated[int, AtLeastOne]] | None = field(default=None, metadata=BUDGET)
    """The numbers of examples that the seed draws for training, dev and test from a data set without splits; null: it
    is divided into folds. If the data set is too small, dev and test get at most a tenth each, training the rest."""
    missing_dev: Literal["split_train", "test"] = "split_train"
    """The dev set if the data set has none. split_train: examples that the seed draws and holds out from the training
    set; test: the test set itself, as some authors did."""
    dev_fraction: Annotated[float, Range(0, 0.5, open_low=True)] = 0.1
    """The fraction of the training set that missing_dev=split_train holds out."""
    examples: Annotated[int, AtLeastOne] | None = None
    """The number of training examples that the seed draws; null: all. A smaller sample is part of every larger one."""
    observe_test: bool = False
    """True if the test set is measured at every evaluation, as some authors did, and not only at the end."""


@dataclass(frozen=True, kw_only=True)
class Trainer:
    """The settings of the machine that trains."""

    precision: Literal["auto", "fp32", "bf16"] = field(default="fp32", metadata=BUDGET)
    """The number format of the computation: 32-bit floats, or mixed precision with bfloat16. auto: bf16 on a device
    that has instructions for it, else fp32, as at scale=mini; composed settings hold the format that was chosen."""
    evaluation_precision: Literal["fp32", "training"] = field(default="fp32", metadata=BUDGET)
    """The number format of evaluations during training, which select the weights: fp32, or that of training. The
    figures of a record are computed from the selected weights, always in fp32."""
    accelerator: Annotated[
        Literal["auto", "cpu", "gpu", "mps"], Synonyms(cuda="gpu", nvidia="gpu", rocm="gpu", metal="mps")
    ] = field(default="auto", metadata=PRIVATE)
    """The device that trains. auto: a GPU if torch finds one, else the processor; mps: a GPU of Apple."""
    threads: Annotated[int, AtLeastOne] | None = field(default=None, metadata=PRIVATE)
    """The number of CPU threads; null: one for each core of the machine."""
    attention: Literal["auto", "native", "compiled", "reference"] = field(default="auto", metadata=PRIVATE)
    """The back end that computes attention. auto: the one that `attest doctor` names."""
    packed: bool = field(default=True, metadata=PRIVATE)
    """True if batches are packed, which means that they hold no padding between sentences."""
    checkpoint_seconds: Annotated[float, Range(0)] = field(default=60.0, metadata=PRIVATE)
    """The number of seconds between checkpoints; a further one is written at the end."""
    keep_last: bool = field(default=False, metadata=PRIVATE)
    """True if a finished run keeps its last checkpoint. A run with more steps continues from it if it would evaluate
    after the last step of the shorter run too (protocol.evaluate_every)."""
    on_train: bool = field(default=True, metadata=PRIVATE)
    """True if the final evaluation includes the training set, which takes a third of the time of a short run."""
    progress: bool = field(default=True, metadata=PRIVATE)
    """True if progress is shown on the terminal."""
    callbacks: Sequence[Mapping[str, Any]] = field(default=(), metadata=PRIVATE)
    """Further callbacks of Lightning: the class of each (`_target_`) and the arguments of its constructor."""
    profiler: Mapping[str, Any] | None = field(default=None, metadata=PRIVATE)
    """A profiler of Lightning: its class (`_target_`) and the arguments of its constructor; null: none."""


@dataclass(frozen=True, kw_only=True)
class Logger:
    """The mirrors of a run: a project on Weights & Biases (W&B), and files that other programs read."""

    wandb: bool = False
    """True if the run is mirrored on W&B."""
    csv: bool = False
    """True if its figures are written to runs/ID/csv, by Lightning's CSV logger."""
    tensorboard: bool = False
    """True if its figures are written to runs/ID/tensorboard, for TensorBoard."""
    project: str = "attest"
    """The name of the project on W&B."""
    entity: str | None = None
    """The user or team on W&B that owns the project; null: the default one of the API key."""
    group: str | None = None
    """The group of the run on W&B; null: the table that it belongs to, or its sweep."""
    job_type: str | None = None
    """The type of the run on W&B; null: the kind of its record, such as train."""
    tags: Sequence[str] = ()
    """Further tags of the run on W&B, besides its paper, dataset, scale, protocol, mask and optimizer."""
    notes: str | None = None
    """The notes of the run on W&B; null: its command."""
    online: bool | None = None
    """True if records are uploaded at once. If null, WANDB_MODE decides or, if unset, whether there is an API key."""
    artifacts: bool = False
    """True if W&B also gets the test predictions, as a table, and the best weights, as an artifact."""

    @property
    def has_mirror(self) -> bool:
        """True if there is any mirror."""
        return self.wandb or self.csv or self.tensorboard


@dataclass(frozen=True, kw_only=True)
class Paths:
    """The folders that are read from or written to."""

    home: str
    """The folder below which all others are by default: ATTEST_HOME, the checkout, or the user's data folder."""
    data: str
    """The folder of the official files: data sets and word vectors."""
    cache: str
    """The folder of prepared data, which can be deleted at any time."""
    runs: str
    """The folder of checkpoints and weights."""
    records: str
    """The folder of records."""
    results: str
    """The folder of tables and figures."""
    wandb: str
    """The folder in which Weights & Biases keeps its files."""
    hydra: str
    """The folder in which Hydra keeps its files."""


@dataclass(frozen=True, kw_only=True)
class Label:
    """The table and the row for which a run was started, for people to read."""

    table: str = ""
    row: str = ""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings of one run."""

    seed: Annotated[int, Range(0)]
    """The seed of everything random in the run."""
    scale: str
    """The name of the scale: mini for the built-in corpora, paper for the official files."""
    task: OwnCode | Literal["classification", "relatedness"]
    """The task: predicting a class, or a relatedness score; package.Class: a task of the user's own, which derives from
    attest.training.tasks.SentenceTask and predicts classes."""
    model: Mapping[str, Any]
    """The encoder or matcher: its class (`_target_`) and the arguments of its constructor."""
    head: Mapping[str, Any]
    """The head, which turns sentence vectors into predictions: its class and arguments."""
    optimizer: Mapping[str, Any]
    """The optimiser: its class and arguments."""
    dataset: Dataset
    text: Text
    vectors: Vectors
    protocol: Protocol
    hidden_size: Annotated[int, AtLeastOne] = field(metadata=PRIVATE)
    """The width of hidden layers, ${hidden_size} in `model` and `head`."""
    dropout: Annotated[float, Range(0, 1, open_high=True)] = field(metadata=PRIVATE)
    """The dropout probability, ${dropout} in `model` and `head`; the papers print 1 - dropout."""
    phrases: Phrases = Phrases()
    trainer: Trainer = Trainer()
    logger: Logger = field(default=Logger(), metadata=PRIVATE)
    paths: Paths = field(metadata=PRIVATE)
    label: Label = field(default=Label(), metadata=PRIVATE)
    retry_failed: bool = field(default=False, metadata=PRIVATE)
    """True if a run that failed earlier is started again."""
    retry_uncommitted: bool = field(default=False, metadata=PRIVATE)
    """True if a finished run whose code had uncommitted changes is repeated."""
    packages: Sequence[str] = field(default=("attest", "torch.optim"), metadata=PRIVATE)
    """The trusted packages: `_target_` may name only their classes."""


class HasPaths(Interface):
    """Settings with a scale and folders: those of a run, or of a command that reads and writes files."""

    @property
    def scale(self) -> str: ...

    @property
    def paths(self) -> Paths: ...


class HasLogger(HasPaths, Interface):
    """Settings that also say where records are mirrored."""

    @property
    def logger(self) -> Logger: ...

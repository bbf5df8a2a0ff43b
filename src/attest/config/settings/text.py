"""The settings of what a model reads: tokens, phrases and word vectors."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from attest.config.constraints import AtLeastOne, Range
from attest.config.settings.dataset import Archive
from attest.config.settings.field_metadata import MAY_DEVIATE, NOT_HASHED, OwnCode

TrainedPhrases = Literal["sentences", "all", "authors"]


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
    token_limit: Annotated[int, AtLeastOne] | None = field(default=None, metadata=MAY_DEVIATE)
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
        default="none", metadata={"may_deviate": ("corpus", "learned", "stanza")}
    )
    """The trees that divide sentences into phrases. none: no phrases; corpus: the data set's own trees; learned: trees
    of a parser that `attest parser train` trained; stanza: trees of Stanza's parser; balanced: trees that halve each
    phrase; right: trees that split off the first word of each phrase; package.Class: trees of a parser of the user's
    own, which derives from attest.syntax.parsers.Parser."""
    parser_run: str | None = field(default=None, metadata=MAY_DEVIATE)
    """The id of the parser's run, or the beginning of the id, for source=learned; null: the parser that is trained
    with default settings."""
    levels: Annotated[int, Range(1, 8)] = 3
    """The number of times that phrases are divided, starting from the whole sentence."""
    min_length: Annotated[int, Range(2)] = 4
    """The number of words from which on a phrase is divided further."""
    branching: Literal["binary", "nary"] = "binary"
    """The division of a tree node that has more than two children. binary: into the first child and the rest; nary:
    into all children, for trees of the data (source=corpus), since those of parsers are binary."""
    blocks: Literal["phrases", "equal"] = "phrases"
    """The spans used as phrases. phrases: those of the tree; equal: on each level as many spans of equal length."""


@dataclass(frozen=True, kw_only=True)
class Vectors:
    """The pretrained word vectors, and the treatment of words without one."""

    file: str = field(metadata=MAY_DEVIATE)
    """The path of the vectors' file, relative to the data folder; none: no file, all vectors begin at random."""
    size: Annotated[int, AtLeastOne] = field(metadata=MAY_DEVIATE)
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
    expected: Annotated[int, AtLeastOne] | None = field(default=None, metadata=NOT_HASHED)
    """The official number of vectors in the file; null if there is none."""
    licence: str = field(default="", metadata=NOT_HASHED)
    """The licence of the vectors, for people to read."""
    reference: str = field(default="", metadata=NOT_HASHED)
    """The publication that introduced the vectors."""
    archive: Archive | None = field(default=None, metadata=NOT_HASHED)
    """The download that holds the file; null if there is none."""
    mini_file: str = field(default="", metadata=NOT_HASHED)
    """The file at scale=mini; empty: that of the built-in corpus."""

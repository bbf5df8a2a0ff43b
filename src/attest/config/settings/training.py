"""The settings of training: its protocol, and the machine that trains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from attest.config.constraints import AtLeastOne, Positive, Range, Synonyms
from attest.config.settings.field_metadata import MAY_DEVIATE, NOT_HASHED, REPLICATE


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """The training protocol: batches, length, evaluations, learning-rate schedule and splits."""

    name: str
    """The name of the protocol. Ids hash it, so a run under another name is another experiment."""
    batch_size: Annotated[int, AtLeastOne]
    """The number of examples in a training batch."""
    batches: Literal["unsorted", "by_length", "equal_lengths", "in_order"] = field(
        default="unsorted", metadata=MAY_DEVIATE
    )
    """The order in which examples are put into batches. unsorted: at random, as the authors of DiSAN did; by_length:
    examples of similar length together; equal_lengths: up to `batch_size` pairs whose first sentences all have the same
    length, as do their second ones, as in code of DAM without masks; in_order: as in the file, without an incomplete
    last batch, as the authors of SSA did."""
    batch_words: Annotated[int, AtLeastOne] | None = field(default=None, metadata=MAY_DEVIATE)
    """The number of words in a batch if batches=by_length, in place of `batch_size`; null: `batch_size` counts."""
    evaluation_batch_size: Annotated[int, AtLeastOne] = field(default=100, metadata=NOT_HASHED)
    """The number of examples in a batch of an evaluation."""
    steps: Annotated[int, AtLeastOne] | None = field(default=None, metadata=MAY_DEVIATE)
    """The number of training steps; null: the number that `epochs` takes."""
    epochs: Annotated[float, Positive] | None = field(default=None, metadata=MAY_DEVIATE)
    """The number of passes over the training set, which need not be whole; null: as many as `steps` makes. At least one
    of `steps` and `epochs` is required; if both are set, the shorter one ends training."""
    evaluate_every: Annotated[int, AtLeastOne] | None = field(default=None, metadata=MAY_DEVIATE)
    """The number of steps between evaluations on the dev set; null: one evaluation after each epoch."""
    evaluate_from: Annotated[int, Range(0)] = field(default=0, metadata=MAY_DEVIATE)
    """The step before which the dev set is not evaluated."""
    max_grad_norm: Annotated[float, Positive] | None = None
    """The largest 2-norm of all gradients together, to which they are clipped; null: no clipping."""
    lr_decay: Annotated[float, Range(0, 1, open_low=True)] = 1.0
    """The factor that multiplies the learning rate after each evaluation on the dev set."""
    lr_decay_on_plateau: Annotated[float, Range(0, 1, open_low=True)] = 1.0
    """A further factor of the learning rate after an evaluation that does not improve on the best dev result."""
    min_lr: Annotated[float, Range(0)] = 0.0
    """The learning rate below which training ends."""
    fold: Annotated[int, Range(0)] | None = field(default=None, metadata=REPLICATE)
    """The number of the fold that is the test set, if the data set has no splits; null: the first. Folds count from 0,
    or have the numbers of the data set's column of folds."""
    folds: Annotated[int, Range(2)] = 10
    """The number of folds into which a data set without splits and without a column of folds is divided."""
    drawn: Sequence[Annotated[int, AtLeastOne]] | None = field(default=None, metadata=MAY_DEVIATE)
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

    precision: Literal["auto", "fp32", "bf16"] = field(default="fp32", metadata=MAY_DEVIATE)
    """The number format of the computation: 32-bit floats, or mixed precision with bfloat16. auto: bf16 on a
    processor that has instructions for it, else fp32, as at scale=mini; composed settings hold the format that was
    chosen."""
    evaluation_precision: Literal["fp32", "training"] = field(default="fp32", metadata=MAY_DEVIATE)
    """The number format of evaluations during training, which select the weights: fp32, or that of training. The
    figures of a record are computed from the selected weights, always in fp32."""
    accelerator: Annotated[
        Literal["auto", "cpu", "gpu", "mps"], Synonyms(cuda="gpu", nvidia="gpu", rocm="gpu", metal="mps")
    ] = field(default="auto", metadata=NOT_HASHED)
    """The device that trains. auto: a GPU if torch finds one, else the processor; mps: a GPU of Apple."""
    threads: Annotated[int, AtLeastOne] | None = field(default=None, metadata=NOT_HASHED)
    """The number of CPU threads; null: one for each core of the machine."""
    attention: Literal["auto", "native", "compiled", "reference"] = field(default="auto", metadata=NOT_HASHED)
    """The back end that computes attention. auto: the one that `attest doctor` names."""
    packed: bool = True
    """True if batches are packed, which means that they hold no padding between sentences. It changes figures as a seed
    does, because dropout then falls on other numbers."""
    checkpoint_seconds: Annotated[float, Range(0)] = field(default=60.0, metadata=NOT_HASHED)
    """The number of seconds between checkpoints; a further one is written at the end."""
    keep_last: bool = field(default=False, metadata=NOT_HASHED)
    """True if a finished run keeps its last checkpoint. A run with more steps continues from it if it would evaluate
    after the last step of the shorter run too (protocol.evaluate_every)."""
    on_train: bool = field(default=True, metadata=NOT_HASHED)
    """True if the final evaluation includes the training set, which takes a third of the time of a short run."""
    progress: bool = field(default=True, metadata=NOT_HASHED)
    """True if progress is shown on the terminal."""
    callbacks: Sequence[Mapping[str, Any]] = field(default=(), metadata=NOT_HASHED)
    """Further callbacks of Lightning: the class of each (`_target_`) and the arguments of its constructor."""
    profiler: Mapping[str, Any] | None = field(default=None, metadata=NOT_HASHED)
    """A profiler of Lightning: its class (`_target_`) and the arguments of its constructor; null: none."""

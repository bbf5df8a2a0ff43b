"""The training batches that a protocol names."""

from attest.config.settings import Protocol
from attest.data.batches.sorted_batches import BatchesByLength, BatchesOfEqualLengths
from attest.data.batches.training import BatchesInOrder, TrainingBatches, UnsortedBatches
from attest.data.splits.split import Split


def training_batches(split: Split, protocol: Protocol, seed: int) -> TrainingBatches:
    """Return the batches that the protocol asks for, with `stop` set to its number of steps."""
    if protocol.batches == "unsorted":
        batches: TrainingBatches = UnsortedBatches(split, protocol.batch_size, seed)
    elif protocol.batches == "in_order":
        batches = BatchesInOrder(split, protocol.batch_size)
    elif protocol.batches == "equal_lengths":
        batches = BatchesOfEqualLengths(split, protocol.batch_size, seed)
    else:
        batches = BatchesByLength(split, protocol.batch_size, seed, words=protocol.batch_words)
    ends = [] if protocol.steps is None else [protocol.steps]
    if protocol.epochs is not None:
        ends.append(batches.steps_for(protocol.epochs))
    batches.stop = min(ends)
    return batches

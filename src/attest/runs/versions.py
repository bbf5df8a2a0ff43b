"""Version numbers of what figures follow from, beside those of the model, head and optimiser classes.

Raise a number whenever the same settings and files would give other figures; runs made before then keep their ids.
"""

PREPARATION = 1
"""Reading official files into a corpus."""
PROTOCOL = 2
"""Training and evaluation under a protocol."""
TRANSFER = 1
"""Evaluation on the tasks of SentEval."""
BASELINE_ENCODER = 1
"""The vectors of encoders that average word vectors."""
ATTENTION = 2
"""The attention maps of a run and given sentences."""
SUBSET = 1
"""Which test pairs are hard."""
BENCHMARK = 1
"""What a benchmark measures."""

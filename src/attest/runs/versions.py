"""Version numbers of the code that figures depend on, besides those of the model, head and optimiser classes.

Increase a number when a change makes the same settings and files give other figures. New runs then get other ids, and
the records of earlier runs keep theirs.
"""

PREPARATION = 1
"""The version of reading official files into a corpus."""
PROTOCOL = 2
"""The version of training and evaluation under a protocol."""
TRANSFER = 1
"""The version of evaluation on the tasks of SentEval."""
BASELINE_ENCODER = 1
"""The version of encoders that average word vectors."""
ATTENTION = 2
"""The version of the attention maps of a run on given sentences."""
SUBSET = 1
"""The version of the selection of hard test pairs."""
PARSER_TEST = 1
"""The version of the test of a parser on the trees of a data set."""
BENCHMARK = 1
"""The version of the measurements of benchmarks."""

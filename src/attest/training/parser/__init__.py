"""Train a parser on treebanks, and record the result as a run."""

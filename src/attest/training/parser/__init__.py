"""Train a parser on treebanks: trees in, one record out."""

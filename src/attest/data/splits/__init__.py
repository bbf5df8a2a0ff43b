"""Splits: arrays of examples, and their division into train, dev and test sets or folds."""

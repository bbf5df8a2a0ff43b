"""Weights & Biases: the mirror of runs, uploads of what offline runs left, workspaces and reports."""

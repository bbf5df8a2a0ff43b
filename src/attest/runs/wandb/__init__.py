"""Weights & Biases: the mirror of runs, uploads of offline segments, workspaces and reports."""

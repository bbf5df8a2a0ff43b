"""Texts that only the terminal prints: runs, their progress, evaluations and numbers of parameters."""

"""Sweepers of Hydra that start several runs: the runs of a table, the trials of a search, or a grid of choices.

They are here because Hydra finds plugins in this namespace only. Hydra imports the namespace whenever it starts,
without modules whose names begin with _; imports that take long are therefore made when a sweep begins. The module of a
sweeper also stores its settings, as a choice of the group hydra/sweeper.
"""

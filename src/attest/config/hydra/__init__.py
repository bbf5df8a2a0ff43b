"""Composition by Hydra: the order of files, a cache, and its errors in plain words."""

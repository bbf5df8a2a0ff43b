"""Benchmarks of speed, memory and convergence: each is a YAML file, and its results are a record."""

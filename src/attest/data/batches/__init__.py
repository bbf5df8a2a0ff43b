"""Batches: which examples each holds, in which order, and their tensors."""

"""Inference with a finished run: vectors, labels and attention maps of new sentences."""

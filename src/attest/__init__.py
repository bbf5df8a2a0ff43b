"""Attest reproduces four papers on attention-based sentence encoders as experiments to run, check and extend."""

__version__ = "0.1.0"

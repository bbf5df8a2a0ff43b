"""Attest: papers on attention-based sentence encoders as experiments that anybody can run, check and extend."""

__version__ = "0.1.0"

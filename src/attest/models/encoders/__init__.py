"""Sentence encoders, one file per architecture: word vectors (B, T, D) and a mask (B, T) in, vectors (B, W) out."""

from attest.models.encoders.additive import Additive
from attest.models.encoders.base import Encoder
from attest.models.encoders.bilstm import BiLSTM, BiLSTMMax
from attest.models.encoders.convolution import CNNMax
from attest.models.encoders.disan import DiSAN
from attest.models.encoders.fast_disan import FastDiSAN
from attest.models.encoders.multi_head import MultiHead
from attest.models.encoders.psan import PSAN
from attest.models.encoders.source2token import SourceToToken
from attest.models.encoders.structured import StructuredSelfAttention

__all__ = [
    "PSAN",
    "Additive",
    "BiLSTM",
    "BiLSTMMax",
    "CNNMax",
    "DiSAN",
    "Encoder",
    "FastDiSAN",
    "MultiHead",
    "SourceToToken",
    "StructuredSelfAttention",
]

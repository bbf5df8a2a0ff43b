"""Sentence encoders, one file per architecture: (batch, time, features) and a mask in, (batch, width) out."""

from attest.encoders.additive import Additive
from attest.encoders.base import Encoder
from attest.encoders.bilstm import BiLSTM, BiLSTMMax
from attest.encoders.convolution import CNNMax
from attest.encoders.disan import DiSAN
from attest.encoders.fast_disan import FastDiSAN
from attest.encoders.multi_head import MultiHead
from attest.encoders.psan import PSAN
from attest.encoders.source2token import SourceToToken
from attest.encoders.structured import StructuredSelfAttention

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

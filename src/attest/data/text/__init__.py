"""Tokenisation and pretrained word vectors."""

"""Heads for matrix embeddings, the output of structured self-attention: Lin et al. 2017, Appendices A and B."""

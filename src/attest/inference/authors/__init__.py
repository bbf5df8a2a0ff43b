"""The names that public codes give the weights of the papers' models: one file for each code."""

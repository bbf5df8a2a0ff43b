"""The names that public implementations give the weights of the papers' models: one file for each code."""

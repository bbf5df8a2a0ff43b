"""Use a finished run: vectors, labels and attention maps of sentences that it has not seen."""

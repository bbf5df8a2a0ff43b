"""The figures of a paper, drawn again from records."""

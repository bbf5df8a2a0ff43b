"""The figures of the papers, drawn from our records."""

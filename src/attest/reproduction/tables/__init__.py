"""A table as a function of its specification and the records there are."""

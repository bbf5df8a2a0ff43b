"""Official files to typed raw examples. Reading only: what is done with the text is chosen elsewhere."""

from attest.corpora.example import Example
from attest.corpora.files import Source, find
from attest.corpora.nli import read_nli

READERS = {"nli": read_nli}
"""File format -> reader(source, labels), yielding every row of the file."""

__all__ = ["READERS", "Example", "Source", "find"]

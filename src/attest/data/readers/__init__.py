"""Official files to typed raw examples. Reading only: what is done with the text is chosen elsewhere."""

from collections.abc import Callable, Iterator, Sequence

from attest.data.files import Source, find_source
from attest.data.readers.example import Example
from attest.data.readers.lines import read_lines, read_tabbed
from attest.data.readers.mrpc import read_mrpc
from attest.data.readers.nli import read_nli
from attest.data.readers.pan import read_pan
from attest.data.readers.parses import Parses
from attest.data.readers.sick import read_sick
from attest.data.readers.sst import read_sst, read_sst_in_two
from attest.data.readers.sts import read_stsb
from attest.data.readers.trec import read_trec
from attest.data.readers.yelp import read_yelp

READERS: dict[str, Callable[[Source, Sequence[str]], Iterator[Example]]] = {
    "nli": read_nli,
    "sst": read_sst,
    "sst_in_two": read_sst_in_two,
    "sick": read_sick,
    "trec": read_trec,
    "lines": read_lines,
    "tabbed": read_tabbed,
    "mrpc": read_mrpc,
    "yelp": read_yelp,
    "pan": read_pan,
    "stsb": read_stsb,
}
"""File format -> reader(source, labels), yielding every row of the file; `labels` are the classes that may occur.
The format sts has two files for each set and no classes: attest.data.readers.sts reads it."""
ENCODINGS = {"trec": "latin-1", "lines": "latin-1"}
"""File format -> encoding, where it is not UTF-8."""
HEADS = {"sick": 1, "mrpc": 1}
"""File format -> lines in front of the first row."""
COMPANIONS = {"pan": "*.xml"}
"""File format -> pattern of the files that lie beside the one that is named, and belong to it."""

__all__ = ["COMPANIONS", "ENCODINGS", "HEADS", "READERS", "Example", "Parses", "Source", "find_source"]

"""Readers of official files, one for each format. They yield examples with the text unchanged."""

from collections.abc import Callable, Iterator, Sequence

from attest.data.files.find_files import find_source
from attest.data.files.source import Source
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
"""File format -> a function of a file and its classes, which yields every row of the file as an example.

The format sts, with two files for each set and no classes, is read by `attest.data.readers.sts.read_sts`; folders of
text files by `attest.data.files.text_folders.read_text_folder`; and files whose columns the settings name by
`attest.data.readers.columns.read_columns`."""
ENCODINGS = {"trec": "latin-1", "lines": "latin-1"}
"""File format -> its encoding, if that is not UTF-8."""
COMPANIONS = {"pan": "*.xml"}
"""File format -> the pattern of further files in the same folder that belong to the file."""

__all__ = ["COMPANIONS", "ENCODINGS", "READERS", "Example", "Parses", "Source", "find_source"]

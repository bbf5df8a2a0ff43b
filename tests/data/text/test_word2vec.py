"""word2vec's two formats, made here byte by byte."""

import lzma

import numpy as np
import pytest
from fuzz.word2vec import word2vec_binary

from attest.data.readers import find_source
from attest.data.text.vectors import read_vectors
from attest.errors import DataError

VECTORS = {"soup": [1.0, -2.5], "Café": [0.25, 4.0], "the": [0.0, 1.0]}


def binary(rows=VECTORS, **changes):
    return word2vec_binary(rows, **changes)


def read(tmp_path, content, name="a.bin", wanted=("soup", "café")):
    (tmp_path / name).write_bytes(content)
    return read_vectors(find_source(tmp_path, name.removesuffix(".xz")), wanted, 2)


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_binary_rows_with_and_without_line_ends(tmp_path, end):
    found = read(tmp_path, binary(end=end))
    assert {word: row.tolist() for word, row in found.vectors.items()} == {"soup": [1.0, -2.5], "café": [0.25, 4.0]}
    assert (found.rows, found.duplicates) == (3, 0)


def test_packed_files_and_files_of_many_pieces(tmp_path):
    rows = {f"word{number}": [float(number), 0.0] for number in range(100_000)}
    wanted = ("word0", "word54321", "word99999")
    found = read(tmp_path, lzma.compress(binary(rows), preset=0), "b.bin.xz", wanted)
    assert [found.vectors[word][0] for word in wanted] == [0.0, 54321.0, 99999.0]


@pytest.mark.parametrize("space", ["", " "])
def test_text_with_a_header(tmp_path, space):
    lines = ["3 2", *(f"{word} {one} {two}{space}" for word, (one, two) in VECTORS.items())]
    found = read(tmp_path, "".join(line + "\n" for line in lines).encode(), "a.txt")
    assert {word: row.tolist() for word, row in found.vectors.items()} == {"soup": [1.0, -2.5], "café": [0.25, 4.0]}
    assert found.rows == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (binary()[:-3], r"a.bin: byte 32: row 3 of 3 is incomplete"),
        (binary()[:10], "byte 4: row 1 of 3"),
        (binary(head="4 2\n"), "byte 45: row 4 of 4"),
        (binary(head="2 2\n"), "more than the 2 rows that its first line announces"),
        (binary(head="3 300\n"), "byte 0: the vectors have 300 numbers, but vectors.size is 2"),
        (binary(head="\uff13 2\n"), "byte 0: the file does not begin with the numbers of rows and columns"),
        (binary(head="+3 2\n"), "byte 0: the file does not begin with the numbers of rows and columns"),
        (binary(head=f"{'9' * 5000} 2\n"), "byte 0: the file does not begin with the numbers of rows and columns"),
        (binary() + b"\n\n\n\n.", "more than the 3 rows that its first line announces"),
        (b"soup 1 2\n", "byte 0: the file does not begin with the numbers of rows and columns"),
        (b"", "byte 0: the file does not begin"),
        (binary({"soup": [np.nan, 0.0]}), "byte 4: the vector of 'soup' holds a number that is not finite"),
        (b"1 2\n\xff\xfe " + bytes(8), "byte 4: the word of row 1 is not utf-8"),
    ],
)
def test_damaged_binary_files_name_the_byte(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"3 2\nsoup 1 2\n",
            "a.txt:2: the first line announces 3 rows, but there are 1; write 1 in the first line of your own file, or",
        ),
        (b"1 3\nsoup 1 2\n", "a.txt:1: the vectors have 3 numbers, but vectors.size is 2"),
    ],
)
def test_damaged_text_files_name_the_line(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, content, "a.txt")


def test_a_packed_file_that_was_cut_off_names_the_byte(tmp_path):
    with pytest.raises(DataError, match=r"byte [\d,]+: the file is damaged or incomplete"):
        read(tmp_path, lzma.compress(binary())[:-20], "a.bin.xz")

"""The formats of files of word vectors."""

from collections.abc import Sequence
from functools import partial

from fuzz import row_damages as rows
from fuzz.damages import Damage
from fuzz.format import Format, text
from fuzz.package_readers import read_vector_file
from fuzz.right_others import right_binary_vectors, right_text_vectors
from fuzz.word2vec import word2vec_binary

VECTORS = {"soup": [1.0, -2.5, 0.125], "Café": [0.25, 4.0, 0.0], "the": [0.0, 1.0, -1.0], "</s>": [3.0, 2.0, 1.0]}
WANTED = ["soup", "café", "</s>"]


def of_vectors(name: str, content: bytes, right, damages: Sequence[Damage]) -> Format:
    """Return a format with one file of word vectors."""
    return Format(
        {name: content}, partial(read_vector_file, name, WANTED), lambda files: right(files[name], WANTED), damages
    )


def vector_formats() -> dict[str, Format]:
    """Return the formats by name."""
    glove = [f"{word} {' '.join(map(str, row))}" for word, row in VECTORS.items()]
    return {
        "glove": of_vectors("a.txt", text(glove), right_text_vectors, rows.VECTOR_ROWS),
        "word2vec text": of_vectors(
            "a.txt", text(["4 3", *glove]), right_text_vectors, [*rows.VECTOR_ROWS, rows.header_wrong]
        ),
        "word2vec binary": of_vectors("a.bin", word2vec_binary(VECTORS), right_binary_vectors, rows.BINARY),
    }

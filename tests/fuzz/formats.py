"""The formats of official files: sound files of our own, the package's reader, a reader that is right, and damages."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fuzz import right_columns, right_lines, right_others
from fuzz import row_damages as rows
from fuzz.damages import ANY_BYTES, ANY_TEXT, ODD_TEXT, Damage
from fuzz.word2vec import word2vec_binary

from attest.config.settings import Archive
from attest.data.files import Source
from attest.data.find_files import find_source
from attest.data.mini import paraphrases, profiles, questions, relatedness, sentences
from attest.data.mini.write import snli_lines
from attest.data.readers import COMPANIONS, ENCODINGS, READERS, Parses
from attest.data.readers.columns import Columns, read_columns
from attest.data.readers.sts import read_sts
from attest.data.text.vectors import read_vectors

ARCHIVE = Archive(url="https://example.org/a.zip", sha256="0" * 64, size=1, path="a.zip", folder="inner")
VECTORS = {"soup": [1.0, -2.5, 0.125], "Café": [0.25, 4.0, 0.0], "the": [0.0, 1.0, -1.0], "</s>": [3.0, 2.0, 1.0]}
VERDICTS = [("fine", "good"), ("dull", "bad"), ("grand", "good")]
WANTED = ["soup", "café", "</s>"]
Rows = Sequence[object]


@dataclass(frozen=True)
class Format:
    """A format, with sound files."""

    files: Mapping[str, bytes]
    """File name -> sound content. A damaged file is any of them; the first is the one that is read."""
    read: Callable[[Path], Rows]
    """The package's reader of a folder with these files."""
    right: Callable[[Mapping[str, bytes]], Rows]
    """The right reader of these files."""
    damages: Sequence[Damage]

    def damages_of(self, name: str) -> list[Damage]:
        """Return the damages to a file, those of its rows and those of any text or of any bytes."""
        if name.endswith(".bin"):
            return [*self.damages, *ANY_BYTES]
        own = [rows.tag_changed, rows.defined_entity] if name.endswith(".xml") else [*self.damages]
        return [*own, *ANY_TEXT, *ODD_TEXT, *ANY_BYTES, *ANY_BYTES]


def source_in(folder: Path, name: str, kind: str) -> Source:
    """Return the file of a folder as the package finds it, whose stamp is taken first as `prepare` does."""
    encoding, companions = ENCODINGS.get(kind, "utf-8"), COMPANIONS.get(kind, "")
    source = find_source(folder, name, ARCHIVE, encoding=encoding, companions=companions)
    assert source.stamp
    return source


def plain_row(example) -> tuple[object, ...]:
    """Return all that an example says, but its place."""
    phrases = tuple((phrase.start, phrase.end, phrase.label) for phrase in example.phrases)
    return (
        example.row, example.label, example.sentences, example.parses, example.labelled_parses, example.genre,
        example.name, example.score, example.split, phrases,
    )  # fmt: skip


def with_labels(kind: str, labels: Sequence[str], name: str, folder: Path) -> Rows:
    return [plain_row(example) for example in READERS[kind](source_in(folder, name, kind), labels)]


def of_columns(
    kind: str, columns: Mapping[str, str | int], labels, content: bytes, damages: Sequence[Damage]
) -> Format:
    """Return a format whose columns the settings name."""
    file_columns = Columns(columns, 5, ("train", "test"))

    def read(folder: Path) -> Rows:
        examples = read_columns(kind, file_columns, source_in(folder, "rows", kind), labels)
        return [plain_row(example) for example in examples]

    return Format(
        {"rows": content}, read,
        lambda files: right_columns.right_columns(kind, files["rows"], columns, labels, file_columns.splits), damages,
    )  # fmt: skip


def read_score_files(folder: Path) -> Rows:
    pairs, scores = (source_in(folder, name, "sts") for name in ("pairs", "scores"))
    return [plain_row(example) for example in read_sts(pairs, scores)]


def read_parse_file(folder: Path) -> Rows:
    return list(Parses([source_in(folder, "parses", "")]).parse_of.items())


def read_vector_file(name: str, folder: Path) -> Rows:
    found = read_vectors(source_in(folder, name, ""), WANTED, 3)
    return [found.rows, *sorted((word, vector.tolist()) for word, vector in found.vectors.items())]


def text(lines, encoding: str = "utf-8") -> bytes:
    return "".join(line + "\n" for line in lines).encode(encoding)


def as_json(row: str) -> str:
    """Return a row of the csv file as a line of JSON, with the fields of the Yelp challenge."""
    stars, text = row[1:-1].split('","')
    text = json.loads('"' + text.replace('""', '"') + '"')
    return json.dumps({"review_id": "r", "stars": float(stars), "text": text})


def of_rows(kind, labels, content: bytes, right, damages: Sequence[Damage] = (), name: str = "rows") -> Format:
    """Return a format with one file, whose reader is READERS[kind]."""
    return Format(
        {name: content}, partial(with_labels, kind, labels, name), lambda files: right(files[name], labels), damages
    )


def formats() -> dict[str, Format]:
    """Return all formats, by name."""
    rng = random.Random(0)
    judgements, grades, classes = ("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), tuple("012345"), ("bad", "good")
    pairs = sentences.sick_pairs(rng, 9)
    splits = {"TRAIN": pairs[:3], "TRIAL": pairs[3:6], "TEST": pairs[6:]}
    reviews = list(profiles.yelp_lines(rng, 9))
    authors = {
        f"{name}.xml": text(profiles.author_lines(random.Random(name), age, 3)) for name, age in profiles.authors(3)
    }
    ages = ("18-24", "25-34", "35-49", "50-64", "65-xx")
    glove = [f"{word} {' '.join(map(str, row))}" for word, row in VECTORS.items()]
    binary = word2vec_binary(VECTORS)
    scored = [rows.on_columns(b"\t", rows.column_lost), rows.on_columns(b"\t", rows.column_more)]
    questions_of = (questions.draw_question(rng) for _ in range(9))

    def of_vectors(name: str, content: bytes, right, damages: Sequence[Damage]) -> Format:
        return Format(
            {name: content}, partial(read_vector_file, name), lambda files: right(files[name], WANTED), damages
        )

    graded = {"sentence1": "a", "sentence2": "b", "score": "how", "split": "set"}
    columns, stars = {"sentence": "text", "label": "verdict"}, {"sentence": "text", "label": "stars"}
    scores = [
        f"{split}\tA dog .\tA cat .\t{n}.5" for n, split in zip((1, 2, 3, 4) * 2, ("train", "test") * 4, strict=True)
    ]
    no_number = rows.on_columns(b"\t", rows.no_number)
    verdicts = [(f"It is{end} {word} .", verdict) for end in ("", ', say "we",', ",\n") for word, verdict in VERDICTS]
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in (verdict, text)) for text, verdict in verdicts]
    judged = [json.dumps({"text": text, "stars": 5 if verdict == "good" else 1.0}) for text, verdict in verdicts]
    return {
        "tsv": of_columns("tsv", graded, grades[1:], text(["set\ta\tb\thow", *scores]), [*scored, no_number]),
        "csv": of_columns("csv", columns, classes, text(["verdict,text", *quoted, "good,plain"]), [rows.quote_more]),
        "jsonl": of_columns("jsonl", stars, tuple("15"), text(judged), rows.REVIEW_ROWS),
        "nli": of_rows(
            "nli", ("entailment", "neutral", "contradiction"), text(snli_lines(rng, 8, rare=True)),
            right_lines.right_nli, [*rows.JSON_ROWS, rows.labelled_tree_alone, rows.empty_tree],
        ),
        "sst": of_rows("sst", tuple("abcde"), text(sentences.sst_lines(rng, 9)), right_lines.right_sst, rows.TREES),
        "sick": of_rows(
            "sick", judgements, text(relatedness.split_lines(pairs)), right_lines.right_sick, rows.GRADED_ROWS
        ),
        "sick in one file": of_rows(
            "sick", judgements, text(relatedness.sick_txt_lines(splits)), right_lines.right_sick, scored
        ),
        "trec": of_rows(
            "trec", ("ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"), text(questions_of, "latin-1"),
            right_lines.right_trec, [rows.unknown_kind],
        ),
        "lines": of_rows(
            "lines", ("bad",), text([*sentences.class_lines(rng, 9, sentences.CLASS_FILES[0][2])], "latin-1"),
            right_lines.right_class_lines,
        ),
        "tabbed": of_rows("tabbed", classes, text(sentences.sst2_lines(rng, 9)), right_lines.right_tabbed, scored),
        "mrpc": of_rows(
            "mrpc", classes, text(paraphrases.mrpc_lines(rng, 9)), right_lines.right_mrpc, rows.PAIR_ROWS
        ),
        "stsb": of_rows("stsb", grades, text(paraphrases.stsb_lines(pairs)), right_lines.right_stsb, scored),
        "sts": Format(
            {"pairs": text(paraphrases.sts_lines(pairs)), "scores": text(paraphrases.sts_scores(pairs))},
            read_score_files, lambda files: right_lines.right_sts(files["pairs"], files["scores"]), scored,
        ),
        "parses": Format(
            {"parses": text(relatedness.parse_lines(pairs))}, read_parse_file,
            lambda files: right_lines.right_parses(files["parses"]), [rows.bracket_lost, rows.bracket_more, *scored],
        ),
        "yelp": of_rows("yelp", tuple("12345"), text(reviews), right_others.right_yelp, rows.REVIEWS),
        "yelp json": of_rows(
            "yelp", tuple("12345"), text(map(as_json, reviews)), right_others.right_yelp, rows.REVIEW_ROWS
        ),
        "pan": Format(
            {"truth.txt": text(profiles.truth_lines(3)), **authors}, partial(with_labels, "pan", ages, "truth.txt"),
            lambda files: right_others.right_pan(files, ages), [rows.unknown_age, rows.another_author],
        ),
        "glove": of_vectors("a.txt", text(glove), right_others.right_text_vectors, rows.VECTOR_ROWS),
        "word2vec text": of_vectors(
            "a.txt", text(["4 3", *glove]), right_others.right_text_vectors, [*rows.VECTOR_ROWS, rows.header_wrong]
        ),
        "word2vec binary": of_vectors("a.bin", binary, right_others.right_binary_vectors, rows.BINARY),
    }  # fmt: skip

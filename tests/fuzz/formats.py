"""All formats of official files, with sound files of our own."""

import json
import random
from collections.abc import Sequence
from functools import partial

from fuzz import right_lines, right_others
from fuzz import row_damages as rows
from fuzz.column_formats import column_formats
from fuzz.damages import Damage
from fuzz.format import Format, text
from fuzz.package_readers import read_labelled_file, read_parse_file, read_score_files
from fuzz.vector_formats import vector_formats

from attest.data.mini import paraphrases, profiles, questions, relatedness, sentences
from attest.data.mini.write import snli_lines


def as_json(row: str) -> str:
    """Return a row of the csv file as a line of JSON, with the fields of the Yelp challenge."""
    stars, text = row[1:-1].split('","')
    text = json.loads('"' + text.replace('""', '"') + '"')
    return json.dumps({"review_id": "r", "stars": float(stars), "text": text})


def of_rows(kind, labels, content: bytes, right, damages: Sequence[Damage] = (), name: str = "rows") -> Format:
    """Return a format with one file, whose reader is READERS[kind]."""
    return Format(
        {name: content},
        partial(read_labelled_file, kind, labels, name),
        lambda files: right(files[name], labels),
        damages,
    )


def formats() -> dict[str, Format]:
    """Return all formats by name."""
    return {**column_formats(), **example_formats(random.Random(0)), **vector_formats()}


def example_formats(rng: random.Random) -> dict[str, Format]:
    """Return by name the formats of the papers' data sets, with sentences that `rng` draws."""
    judgements, grades, classes = ("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), tuple("012345"), ("bad", "good")
    pairs = sentences.sick_pairs(rng, 9)
    splits = {"TRAIN": pairs[:3], "TRIAL": pairs[3:6], "TEST": pairs[6:]}
    reviews = list(profiles.yelp_lines(rng, 9))
    authors = {
        f"{name}.xml": text(profiles.author_lines(random.Random(name), age, 3)) for name, age in profiles.authors(3)
    }
    ages = ("18-24", "25-34", "35-49", "50-64", "65-xx")
    question_lines = (questions.draw_question(rng) for _ in range(9))  # drawn when trec's file is made
    return {
        "nli": of_rows(
            "nli", ("entailment", "neutral", "contradiction"), text(snli_lines(rng, 8, rare=True)),
            right_lines.right_nli, [*rows.JSON_ROWS, rows.labelled_tree_alone, rows.empty_tree],
        ),
        "sst": of_rows("sst", tuple("abcde"), text(sentences.sst_lines(rng, 9)), right_lines.right_sst, rows.TREES),
        "sick": of_rows(
            "sick", judgements, text(relatedness.semeval_lines(pairs)), right_lines.right_sick, rows.GRADED_ROWS
        ),
        "sick in one file": of_rows(
            "sick", judgements, text(relatedness.sick_txt_lines(splits)), right_lines.right_sick, rows.COLUMNS
        ),
        "trec": of_rows(
            "trec", ("ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"), text(question_lines, "latin-1"),
            right_lines.right_trec, [rows.unknown_kind],
        ),
        "lines": of_rows(
            "lines", ("bad",), text([*sentences.class_lines(rng, 9, sentences.CLASS_FILES[0][2])], "latin-1"),
            right_lines.right_class_lines,
        ),
        "tabbed": of_rows(
            "tabbed", classes, text(sentences.sst2_lines(rng, 9)), right_lines.right_tabbed, rows.COLUMNS
        ),
        "mrpc": of_rows(
            "mrpc", classes, text(paraphrases.mrpc_lines(rng, 9)), right_lines.right_mrpc, rows.PAIR_ROWS
        ),
        "stsb": of_rows("stsb", grades, text(paraphrases.stsb_lines(pairs)), right_lines.right_stsb, rows.COLUMNS),
        "sts": Format(
            {"pairs": text(paraphrases.sts_lines(pairs)), "scores": text(paraphrases.sts_scores(pairs))},
            read_score_files, lambda files: right_lines.right_sts(files["pairs"], files["scores"]), rows.COLUMNS,
        ),
        "parses": Format(
            {"parses": text(relatedness.parse_lines(pairs))}, read_parse_file,
            lambda files: right_lines.right_parses(files["parses"]),
            [rows.bracket_lost, rows.bracket_more, *rows.COLUMNS],
        ),
        "yelp": of_rows("yelp", tuple("12345"), text(reviews), right_others.right_yelp, rows.REVIEWS),
        "yelp json": of_rows(
            "yelp", tuple("12345"), text(map(as_json, reviews)), right_others.right_yelp, rows.REVIEW_ROWS
        ),
        "pan": Format(
            {"truth.txt": text(profiles.truth_lines(3)), **authors},
            partial(read_labelled_file, "pan", ages, "truth.txt"),
            lambda files: right_others.right_pan(files, ages), [rows.unknown_age, rows.another_author],
        ),
    }  # fmt: skip

"""A part of `make fuzz`, with the same damages each time."""

import random
from collections import Counter

import pytest
from fuzz.__main__ import main
from fuzz.damaged import judged, run, said_by
from fuzz.damages import letters
from fuzz.formats import formats

FORMATS = formats()
DAMAGES = 40
ROUNDS = 1500


@pytest.mark.parametrize("name", FORMATS)
def test_a_damage_is_one_sentence_with_file_and_line_or_what_a_right_reader_reads(name, tmp_path):
    outcomes = Counter()
    for number in range(DAMAGES):
        outcome = run(name, FORMATS[name], random.Random(f"{name} {number}"), tmp_path)
        assert outcome.kind != "wrong", outcome.story
        outcomes[outcome.kind] += 1
    assert min(outcomes["refused"], outcomes["read"]) > DAMAGES / 20, outcomes


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("yelp", "rows"),
        ("yelp json", "rows"),
        ("pan", "author001.xml"),
        ("word2vec text", "a.txt"),
        ("word2vec binary", "a.bin"),
    ],
)
def test_lost_added_and_moved_letters(name, file, tmp_path):
    form = FORMATS[name]
    for other, content in form.files.items():
        (tmp_path / other).write_bytes(content)
    outcomes = Counter()
    for number in range(ROUNDS):
        rng, damaged = random.Random(number), form.files[file]
        for _ in range(rng.choice([1, 1, 2])):
            damaged = letters(rng, damaged)
        (tmp_path / file).write_bytes(damaged)
        outcome = judged(str(damaged), form, tmp_path, said_by(form, {**form.files, file: damaged}))
        assert outcome.kind != "wrong", outcome.story
        outcomes[outcome.kind] += 1
    assert min(outcomes["refused"], outcomes["read"]) > ROUNDS / 20, outcomes


def test_sound_files_are_read_right(tmp_path):
    for name, form in FORMATS.items():
        folder = tmp_path / name
        folder.mkdir()
        for file, content in form.files.items():
            (folder / file).write_bytes(content)
        assert judged(name, form, folder, form.right(form.files)).kind == "read"


def test_the_seed_is_printed_and_decides_all(capsys):
    printed = []
    for seed in (5, 5, 6):
        assert main(34, seed) == 0
        printed.append(capsys.readouterr().out)
    table = [text.partition("\n")[2].rpartition("\n0 of")[0] for text in printed]
    assert printed[0].startswith("34 damages, seed 5; to repeat: make fuzz SEED=5 COUNT=34\n")
    assert table[0] == table[1] != table[2]

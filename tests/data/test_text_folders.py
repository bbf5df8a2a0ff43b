"""Folders of text files, with a folder for each class."""

import os

import pytest

from attest.config.settings import Dataset
from attest.data.dataset import dataset_files, reader_of
from attest.errors import DataError, MissingFileError

REVIEWS = Dataset(name="own", format="folders", files={"train": "reviews"}, labels=("bad", "good"))


@pytest.fixture
def data(tmp_path):
    for name, text in {
        "bad/2.txt": "It is\ndull .\n",
        "bad/10.txt": "",
        "good/1.txt": "Café .",
        "good/.x": "x",
    }.items():
        (tmp_path / "reviews" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "reviews" / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_each_file_is_an_example(data):
    bad, good = dataset_files(REVIEWS, data)
    assert (bad.name, bad.split, bad.labels, good.name) == ("train.bad", "train", ("bad",), "train.good")
    first, second = reader_of(REVIEWS)(bad.source, bad.labels)
    assert (first.row, first.label, first.sentences, first.source.path.name) == (0, "bad", ("",), "10.txt")
    assert (second.row, second.sentences) == (1, ("It is\ndull .",))
    assert [example.sentences for example in reader_of(REVIEWS)(good.source, good.labels)] == [("Café .",)]


def test_the_stamp_and_the_hash_follow_every_file(data):
    def state():
        (bad, _) = dataset_files(REVIEWS, data)
        list(reader_of(REVIEWS)(bad.source, bad.labels))
        return bad.source.stamp, bad.source.sha256

    stamp, sha256 = state()
    assert state() == (stamp, sha256)
    os.utime(data / "reviews/bad/2.txt", ns=(1, 1))
    assert (state()[0] == stamp, state()[1] == sha256) == (False, True)
    (data / "reviews/bad/2.txt").write_text("It is\ndark .\n")
    assert state()[1] != sha256


def test_the_hash_is_known_once_every_file_was_read(data):
    (bad, _) = dataset_files(REVIEWS, data)
    examples = reader_of(REVIEWS)(bad.source, bad.labels)
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"reviews/bad: the hash is not known yet"):
            _ = bad.source.sha256
        next(examples)
    assert list(examples) == []
    assert len(bad.source.sha256) == 64


def test_damage_names_the_file_and_the_line(data):
    (data / "reviews/bad/2.txt").write_bytes(b"fine\n\xff\n")
    bad, _ = dataset_files(REVIEWS, data)
    with pytest.raises(DataError, match=r"bad/2.txt:2: byte 1 of the line is not utf-8"):
        list(reader_of(REVIEWS)(bad.source, bad.labels))


def test_folders_that_are_missing_or_have_no_label(data):
    with pytest.raises(MissingFileError, match=r"elsewhere/reviews: there is no such folder"):
        dataset_files(REVIEWS, data / "elsewhere")
    (data / "reviews/unsure").mkdir()
    with pytest.raises(DataError, match=r"reviews/unsure: no label of dataset.labels has this name"):
        dataset_files(REVIEWS, data)
    (data / "reviews/unsure").rename(data / "reviews/bad/sub")
    bad, _ = dataset_files(REVIEWS, data)
    with pytest.raises(DataError, match=r"bad/sub: not a file"):
        list(reader_of(REVIEWS)(bad.source, bad.labels))
    (data / "reviews/good/1.txt").unlink()
    (data / "reviews/good/.x").unlink()
    (data / "reviews/good").rmdir()
    with pytest.raises(DataError, match=r"reviews/good: there is no such folder; every label needs a folder"):
        dataset_files(REVIEWS, data)


def test_a_folder_of_the_users_own_is_looked_into(own_folder, data, tmp_path):
    (own_folder / "data").mkdir()
    (data / "reviews").rename(own_folder / "data/reviews")
    assert dataset_files(REVIEWS, tmp_path / "other")[0].source.path == own_folder / "data/reviews/bad"

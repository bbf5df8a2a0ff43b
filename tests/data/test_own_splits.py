"""Files of a data set of one's own, and the splits that they are."""

from dataclasses import replace

import pytest

from attest.config.compose import compose
from attest.data.dataset import SplitFile
from attest.data.fingerprint import order_identifies_files
from attest.data.prepare import prepare
from attest.data.splits.splitting import arrange_splits
from attest.errors import DataError, SettingsError


@pytest.fixture
def own(tmp_path, mini_data):
    """Return the settings of a data set with the given files for its splits."""
    for name in "abc":
        lines = [f"{('good', 'bad')[n % 2]},the soup {name} {n}" for n in range(30)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["verdict,text", *lines]))

    def make(**files):
        return compose([
            f"paths.data={mini_data}", "dataset=trec", "text=disan_trec", "dataset.labels=[bad,good]",
            "dataset.format=csv", "~dataset.files", "+dataset.columns={sentence: text, label: verdict}",
            f"+dataset.files={{{', '.join(f'{split}: {tmp_path}/{name}.csv' for split, name in files.items())}}}",
        ])  # fmt: skip

    return make


@pytest.mark.parametrize(
    ("text", "columns", "told"),
    [
        ("verdict,text\n", "", "the file holds no example below its line of column names; add rows to it"),
        ("", "", "the file holds no example below its line of column names; add rows to it"),
        ("verdict,text,part\ngood,soup,dev\n", "part", "no row has train in the column part; add such rows, or leave"),
    ],
)
def test_a_file_of_ones_own_without_an_example_says_what_to_add(own, tmp_path, text, columns, told):
    settings = own(train="a", dev="b")
    (tmp_path / "a.csv").write_text(text)
    if columns:
        named = {**settings.dataset.columns, "split": columns}
        settings = replace(settings, dataset=replace(settings.dataset, columns=named))
    with pytest.raises(DataError, match=f"a.csv: {told}"):
        prepare(settings)


def test_the_same_files_as_other_splits_are_other_data(own):
    """The id of a run holds the fingerprint, so that a corrected data set is trained again."""
    made = [
        own(train="a", test="b", heldout="c"),
        own(train="a", dev="b", test="c"),
        own(train="a", test="b", more="c"),
    ]
    prints = [prepare(settings).fingerprint for settings in made]
    assert len(set(prints)) == 3


def test_the_same_files_as_other_classes_are_other_data(mini_data):
    """Also where a file has one class, and files of classes were mixed up."""
    prints = []
    for first, second in (("neg", "pos"), ("pos", "neg")):
        files = f"{{all: {{negative: cr/custrev.{first}, positive: cr/custrev.{second}}}}}"
        swapped = f"{{all: {{positive: cr/custrev.{first}, negative: cr/custrev.{second}}}}}"
        for text in (files, swapped):
            settings = [f"paths.data={mini_data}", "dataset=cr", "text=disan_sentences", "~dataset.files"]
            prints.append(prepare(compose([*settings, f"+dataset.files={text}"])).fingerprint)
    assert len(set(prints)) == 4


@pytest.mark.parametrize("name", ["cr", "mpqa", "trec", "sick", "sst2", "multinli", "snli", "yelp"])
def test_files_of_shipped_data_sets_are_known_by_their_order(name):
    """So the fingerprints of their records stay."""
    dataset = compose([f"dataset={name}"]).dataset
    assert order_identifies_files(dataset, [SplitFile(split, split, None, ()) for split in dataset.files])


def test_other_splits_of_a_shipped_data_set_are_other_data():
    dataset = compose(["dataset=multinli", "~dataset.files", "+dataset.files={train: a, dev: b, test: c, more: d}"])
    assert not order_identifies_files(
        dataset.dataset, [SplitFile(name, name, None, ()) for name in dataset.dataset.files]
    )


def test_a_pool_is_the_training_text_whatever_the_order_of_files(own):
    first, second = (prepare(own(**files)) for files in ({"all": "a", "more": "b"}, {"more": "b", "all": "a"}))
    assert list(first.splits) == list(second.splits) == ["all", "more"]
    assert first.words == second.words
    assert first.words[2 : 2 + first.training_words] == ["the", "soup", "a", *map(str, range(30))]


@pytest.mark.parametrize(("name", "ours"), [("validation", "dev"), ("val", "dev"), ("training", "train")])
def test_other_names_of_standard_splits_are_refused(own, name, ours):
    files = {"train": "a", "test": "b", name: "c"}
    if ours == "train":
        del files["train"]
    with pytest.raises(SettingsError, match=f"dataset.files.{name}: write {ours}; the standard splits are train, dev"):
        prepare(own(**files))


def test_a_class_is_listed_once(own):
    settings = own(train="a", test="b")
    twice = replace(settings, dataset=replace(settings.dataset, labels=("bad", "good", "bad")))
    with pytest.raises(SettingsError, match=r"dataset.labels: bad twice; give each class once"):
        prepare(twice)
    single = replace(settings, dataset=replace(settings.dataset, labels=("bad",)))
    with pytest.raises(SettingsError, match=r"dataset.labels: 1 given, but a classifier needs two classes or more"):
        prepare(single)


def test_vectors_of_other_words_are_noticed_in_each_run(own, tmp_path, caplog):
    (tmp_path / "other.txt").write_text("".join(f"zyx{n} {' '.join(['0.5'] * 24)}\n" for n in range(3)))
    settings = own(train="a", test="b")
    settings = replace(settings, vectors=replace(settings.vectors, file=str(tmp_path / "other.txt"), size=24))
    for _ in range(2):  # the second run reads the cache
        caplog.clear()
        prepare(settings)
        assert "no word of the training set of trec has a vector there, so all vectors begin at random" in caplog.text


def test_few_vectors_are_noticed(own, tmp_path, caplog):
    (tmp_path / "few.txt").write_text("".join(f"{word} {' '.join(['0.5'] * 24)}\n" for word in ("the", "nothing")))
    settings = own(train="a", test="b")
    prepare(replace(settings, vectors=replace(settings.vectors, file=str(tmp_path / "few.txt"), size=24)))
    expected = "only 1 of the 33 words of the training set of trec have a vector there, which make up 25% of its text"
    assert expected in caplog.text


@pytest.mark.parametrize(
    ("files", "missing"), [({"train": "a"}, "test"), ({"train": "a", "tset": "b"}, "test"), ({"test": "a"}, "train")]
)
def test_training_needs_train_and_test(own, files, missing):
    settings = own(**files)
    with pytest.raises(
        SettingsError, match=f"dataset.files.{missing}: missing; the data set has only {', '.join(files)}"
    ):
        arrange_splits(prepare(settings), settings.protocol, 1)

"""What is known of a file of word vectors follows the file, also where a setting exchanges the file alone."""

import pytest
from write_file import write_file

from attest.config.compose import compose, compose_unchecked, recompose
from attest.config.flat import flatten
from attest.errors import SettingsError


def vectors_of(*overrides):
    return compose_unchecked(["scale=paper", *overrides]).vectors


def test_an_official_file_brings_its_own_description():
    by_file, by_choice = vectors_of("vectors.file=glove/glove.840B.300d.txt"), vectors_of("vectors=glove_840b")
    assert by_file == by_choice
    assert by_file.expected == 2_196_017


def test_nothing_is_known_of_a_file_of_the_users_own():
    own = vectors_of("vectors.file=mine.txt")
    assert (own.expected, own.licence, own.reference, own.archive) == (None, "", "", None)


def test_what_is_typed_of_a_file_stays():
    own = vectors_of("vectors.file=mine.txt", "vectors.expected=400000", "vectors.licence='PDDL 1.0'")
    assert (own.expected, own.licence, own.archive) == (400_000, "PDDL 1.0", None)
    assert vectors_of("vectors=glove_6b", "vectors.archive=null").archive is None


def test_a_choice_of_the_users_own_describes_its_file(own_folder):
    text = "file: mine.txt\nsize: 300\nexpected: ${seed}\nlicence: CC0\n"
    write_file(own_folder / "conf/vectors/mine.yaml", text)
    assert (vectors_of("vectors=mine", "seed=7").expected, vectors_of("vectors.file=mine.txt").licence) == (7, "CC0")


def test_a_file_that_a_variable_names_keeps_the_description_of_its_choice(own_folder):
    text = "file: ${oc.env:VECTORS,a.txt}\nsize: 300\nexpected: 400000\nlicence: PDDL 1.0\n"
    write_file(own_folder / "conf/vectors/mine.yaml", text)
    mine = vectors_of("vectors=mine")
    assert (mine.file, mine.expected, mine.licence) == ("a.txt", 400_000, "PDDL 1.0")


def test_a_broken_choice_that_is_not_chosen_stops_nothing(own_folder):
    write_file(own_folder / "conf/vectors/broken.yaml", "file: [\n")
    assert vectors_of("vectors.file=glove/glove.840B.300d.txt").expected == 2_196_017
    with pytest.raises(SettingsError, match=r"broken\.yaml:2: not readable as YAML"):
        vectors_of("vectors=broken")


def test_a_finished_run_does_not_name_the_download_of_other_vectors():
    settings = recompose(flatten(compose(["scale=paper", "vectors.file=mine.txt", "vectors.size=7"])))
    assert (settings.vectors.file, settings.vectors.size, settings.vectors.archive) == ("mine.txt", 7, None)


def test_the_error_of_a_missing_file_does_not_advise_another_one(cli, tmp_path):
    error = cli.error("train", "scale=paper", "vectors.file=mine.txt", f"paths.data={tmp_path}", "logger=none", code=1)
    assert "mine.txt" in error
    assert "glove" not in error

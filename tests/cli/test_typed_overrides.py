"""Which arguments are overrides, and which are words for argparse."""

import pytest

from attest.cli.arguments.typed_overrides import split_arguments


@pytest.mark.parametrize("place", range(1, 5))
@pytest.mark.parametrize("flag", [["--config-dir", "mine"], ["-cd", "mine"], ["--config-dir=mine"]])
def test_the_folder_may_stand_anywhere_behind_the_command(place, flag):
    words = ["data", "list", "snli", "scale=paper", "sst"]
    wanted = ["data", *flag, "list", "snli", "sst"]
    assert split_arguments([*words[:place], *flag, *words[place:]]) == (wanted, ["scale=paper"])


@pytest.mark.parametrize("flag", ["-cd", "--config-dir", "--to", "--words", "--figure"])
def test_the_value_of_a_flag_is_no_setting(flag):
    words, overrides = split_arguments(["encode", "RUN", "a.txt", flag, "a=b", "scale=mini", f"{flag}=c=d"])
    assert overrides == ["scale=mini"]
    assert "a=b" in words


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["attend", "RUN", "x=y holds"], "attest attend: x: unknown setting. Write -- in front of sentences "
         "that contain =, as in attest attend RUN -- 'x=y holds'"),
        (["attend", "RUN", "2+2=4"], "as in attest attend RUN -- 2+2=4"),
        (["attend", "RUN", "sed=a b"], "attest attend: sed: unknown setting. Did you mean seed? Write -- in front"),
        (["parser", "parse", "x=y holds"], "as in attest parser parse -- 'x=y holds'"),
    ],
)  # fmt: skip
def test_the_error_about_a_sentence_that_looks_like_a_setting_says_what_to_type(arguments, message, cli):
    assert message in cli.error(*arguments)


def test_settings_and_sentences_behind_two_dashes_are_no_such_error():
    typed, sentence = ["paths.data=/my data", "+model.x=a b", "seed=3"], ["--", "x=y holds"]
    assert split_arguments(["attend", "RUN", *typed, *sentence]) == (["attend", "RUN", *sentence], typed)
    assert split_arguments(["parser", "train", "treebanks=a, b"])[1] == ["treebanks=a, b"]


def test_rows_to_add_are_joined_and_quoted():
    words, overrides = split_arguments(["reproduce", "disan/table2", "with=model=a b='c'", "seeds=2", "with=model=d"])
    assert (words, overrides) == (["reproduce", "disan/table2"], ["seeds=2", r"with='model=a b=\'c\',model=d'"])


def test_behind_two_dashes_stands_no_setting(cli):
    error = cli.error("attend", "000000000000", "paths.results=/nowhere", "--", "E=mc2 is famous", code=1)
    assert "000000000000: no run has this id" in error

"""The line at the start of a run."""

import pytest

from attest.cli.start_line import describe_budget, start_line
from attest.config.compose import compose_unchecked


def line(*overrides):
    return start_line("DiSAN seed=1", compose_unchecked(overrides), overrides)


def test_the_line_names_scale_data_and_budget_and_what_the_scale_replaced():
    assert line() == (
        "DiSAN seed=1: scale=mini, built-in corpus snli, 1,200 steps in batches of 64 examples; scale=mini overrides "
        "experiment=disan/snli: hidden_size 300 -> 24, dropout 0.25 -> 0.1, optimizer.lr 0.5 -> 5, "
        "protocol.steps 400000 -> 1200"
    )
    assert line("scale=paper", "paths.data=/here", "experiment=disan/trec") == (
        "DiSAN seed=1: scale=paper, trec in /here, 100,000 steps in batches of 64 examples"
    )


def test_a_class_that_gets_no_size_from_the_scale_is_named(own_folder):
    text = "class Sized:\n    def __init__(self, input_size: int, {}: int = 300) -> None:\n        pass\n"
    (own_folder / "own_dim.py").write_text(text.format("dim"))
    (own_folder / "own_hidden.py").write_text(text.format("hidden_size"))
    told = "; Sized is not given hidden_size, so its size is that of its own settings or defaults"
    assert line("model=s2t", "model._target_=own_dim.Sized").endswith(told)
    assert told not in line("model=s2t", "model._target_=own_hidden.Sized")
    assert told not in line("model=s2t", "model._target_=own_dim.Sized", "model.dim=${hidden_size}")
    assert told not in line("model=s2t", "model._target_=own_dim.Sized", "scale=paper")


@pytest.mark.parametrize(
    ("overrides", "text"),
    [
        (["protocol.epochs=2.5"], "1,200 steps or 2.5 epochs in batches of 64 examples"),
        (["protocol.steps=1562500"], "1,562,500 steps in batches of 64 examples"),
        (["protocol.steps=null", "protocol.epochs=3"], "3 epochs in batches of 64 examples"),
        (
            ["protocol.batch_words=500", "protocol.examples=20000"],
            "1,200 steps in batches of 500 words drawn from 20,000",
        ),
    ],
)
def test_the_budget_is_steps_epochs_batches_and_a_sample(overrides, text):
    assert describe_budget(compose_unchecked(overrides).protocol) == text


def test_official_files_that_a_run_at_scale_mini_does_not_read_are_named(home, mini_data):
    hint = "; the official files of snli are in"
    assert hint not in line()
    (home / "data").symlink_to(mini_data)
    assert line().endswith(f"{hint} {home}/data, and scale=paper trains on them")
    assert hint not in line("scale=paper")
    assert hint not in line(f"paths.data={mini_data}")


def test_long_examples_of_a_data_set_of_ones_own_are_counted(own_folder):
    (own_folder / "conf/dataset").mkdir(parents=True)
    (own_folder / "data").mkdir()
    (own_folder / "data/a.tsv").write_text("a\tb\nx\ty\n")
    text = "name: own_long\nformat: tsv\nfiles: {train: a.tsv}\ncolumns: {sentence: a, label: b}\nlabels: [y]\n"
    (own_folder / "conf/dataset/own_long.yaml").write_text(text)
    facts = {
        "train": {"too_long": 15, "used": 1486, "length_limit": 33, "cut": {"examples": 3}},
        "test": {"too_long": 0, "used": 9, "length_limit": None},
    }
    typed = ["dataset=own_long", "text.token_limit=400"]
    settings = compose_unchecked(typed)
    assert start_line("x", settings, typed, facts).endswith(
        "; text.length_percentile=97 leaves out 15 of 1,501 examples of train, those with over 33 tokens; "
        "text.token_limit=400 cuts 3 examples of train"
    )
    assert "leaves out" not in start_line("x", compose_unchecked([]), [], facts)

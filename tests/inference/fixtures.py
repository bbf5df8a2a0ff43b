"""The fixtures of the tests of finished runs: one that is opened again, and data with a word that it has not met."""

import shutil

import numpy as np
import pytest

from attest.data.prepare import prepare
from attest.data.splits.splitting import arrange_splits

QUICK = ("protocol.steps=10", "protocol.evaluate_every=10", "trainer.on_train=false")


@pytest.fixture
def finished(home, settings_with, train_once):
    """A function that returns the record of a short run of some settings, which is trained once for a test module."""
    from attest.training import run as training  # imported late: pytest loads this file for every test

    def make(*overrides):
        return train_once(home, " ".join(overrides), lambda: training.run(settings_with(*QUICK, *overrides)))

    return make


@pytest.fixture
def opened(finished, mini_data):
    """A function that opens a short run of some settings."""
    from attest.inference.opening import open_run

    def make(*overrides):
        return open_run(finished(*overrides).id[:8], [f"paths.data={mini_data}"])

    return make


@pytest.fixture
def richer_data(mini_data, tmp_path):
    """The built-in corpora with a vector for a word that stands in none of them."""
    folder = tmp_path / "richer"
    shutil.copytree(mini_data, folder)
    with (folder / "glove/glove.mini.24d.txt").open("a") as file:
        file.write("quixotic " + " ".join(["0.5"] * 24) + "\n")
    return folder


def splits_of(run):
    """The splits that a run was trained and evaluated on."""
    return arrange_splits(prepare(run.settings), run.settings.protocol, run.settings.seed).splits


def sentences_of(run, split, number):
    """Return sentences of the corpus as a user types them, with spaces between words."""
    ragged = splits_of(run)[split].sentences[0]
    tokens = [ragged.padded_tokens(np.array([i]))[0].tolist() for i in range(number)]
    return [" ".join(run.words_by_row[token] for token in sentence) for sentence in tokens]

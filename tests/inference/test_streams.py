"""Windows of a file that are computed at the same time give what one after another gives."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from attest.data.files.source import Source
from attest.inference import streams
from attest.inference.sentence_files import sentence_file


class Run:
    """A run whose vectors are the lengths of sentences, with an encoder that keeps them between two steps."""

    def __init__(self, levels=0, others=None):
        self.task = SimpleNamespace(encoder=SimpleNamespace(levels=levels))
        self.copies = [] if others is None else others

    def duplicate(self):
        self.copies.append(twin := Run(others=self.copies))
        return twin

    def encode(self, rows):
        self.kept = [len(row.sentences[0]) for row in rows]
        torch.randn(50, 50).exp().sum()  # lets other threads run in between
        return np.array(self.kept)


@pytest.mark.parametrize(("levels", "copies"), [(0, 2), (3, 0)])
def test_each_window_at_once_has_modules_of_its_own(tmp_path, monkeypatch, levels, copies):
    monkeypatch.setattr(streams, "WINDOW", 5)
    (tmp_path / "a.txt").write_text("".join("a" * (1 + number * 7 % 11) + "\n" for number in range(63)))
    file, run, before = sentence_file(Source(tmp_path / "a.txt"), None, 1), Run(levels), torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        parts = dict(streams.results(run, file, 63, Run.encode))
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
    assert list(parts) == [*range(5, 63, 5), 63]
    assert np.concatenate(list(parts.values())).tolist() == [1 + number * 7 % 11 for number in range(63)]
    assert len(run.copies) == copies


def test_an_error_in_a_window_ends_all_of_them(tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "WINDOW", 2)
    (tmp_path / "a.txt").write_text("a\n" * 100)

    def compute(run, rows):
        computed.append(rows)
        raise ValueError("wrong")

    computed = []
    with pytest.raises(ValueError, match="wrong"):
        dict(streams.results(Run(), sentence_file(Source(tmp_path / "a.txt"), None, 1), 100, compute))
    assert len(computed) <= 2 * streams.MOST_AT_ONCE


@pytest.mark.parametrize("name", ["a.txt", "a.TXT", "a.txt.xz"])
def test_the_ending_of_a_name_gives_its_format(tmp_path, name):
    assert sentence_file(Source(tmp_path / name), None, 1).form == "txt"

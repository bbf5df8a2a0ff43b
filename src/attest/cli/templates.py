"""The files that `attest new` writes: the shortest example of each kind that works, and a test of it.

$name stands for the name that the user chose, and $Name for the name of the class.
"""

from collections.abc import Mapping

ENCODER = '''"""An encoder of your own. `attest train --config-dir . model=$name` trains it."""

import torch
from torch import Tensor

from attest.models import Encoder, Layout


class $Name(Encoder):
    """The mean of the word vectors, and a layer on it. The parameters of the constructor are the settings."""

    def __init__(self, input_size: int, hidden_size: int = 300) -> None:
        super().__init__()
        self.input_size, self.width = input_size, hidden_size
        self.layer = torch.nn.Linear(input_size, hidden_size, bias=False)

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """Return the vectors (sentences, width) of the rows (words, features) of a layout."""
        mean_BD = layout.grid(x_ND).sum(1) / layout.length_B.clamp(min=1)[:, None]
        return torch.relu(self.layer(mean_BD))
'''

MODEL = """# Settings of the model; $${hidden_size} is the size that the experiment has.
_target_: $name.$Name
hidden_size: $${hidden_size}
"""

TEST_ENCODER = '''"""The contract of encoders: width, zeros for a sentence without words, no influence of padding."""

import torch
from $name import $Name


def test_padding_has_no_influence():
    encoder, x = $Name(5, hidden_size=3), torch.randn(2, 4, 5)
    mask = torch.tensor([[True, True, False, False], [False, False, False, False]])
    vectors = encoder(x, mask)
    assert vectors.shape == (2, encoder.width)
    assert not vectors[1].any()
    assert torch.allclose(vectors[:1], encoder(x[:1, :2], mask[:1, :2]))
'''

DATASET = """# Reviews of one sentence. Files are looked for in data/ beside conf/, and in the data folder.
name: $name
format: tsv  # or csv, jsonl, folders
files: {train: $name/train.tsv, test: $name/test.tsv}  # or {all: FILE}: folds are made of it
columns: {sentence: text, label: verdict}  # pairs: sentence1 and sentence2
labels: [bad, good]
licence: CC0 1.0
experiment: disan/sentences  # the text, the head and the protocol of a run, unless the command names others
"""

ROWS = """text	verdict
The soup was cold .	bad
A warm and friendly place .	good
We waited for an hour .	bad
The best bread in town .	good
"""

TEST_DATASET = '''"""Every row of the data set is read, with its label."""

from pathlib import Path

from attest.config.compose import compose_unchecked
from attest.data.dataset import official_files, read_examples


def test_every_row_is_read(monkeypatch):
    monkeypatch.setenv("ATTEST_PATH", str(Path(__file__).parent))
    settings = compose_unchecked(["dataset=$name"])
    for file in official_files(settings):
        examples = list(read_examples(settings, file))
        assert len(examples) == len(file.source.path.read_text().splitlines()) - 1
        assert {example.label for example in examples} == {"bad", "good"}
'''

TABLE = """# The rows of a paper's table that `keep` names, and rows of your own under the same protocol and seeds.
extends: disan/table2
keep: [s2t, disan]
title: Source2token self-attention with another activation
rows:
  $name: {title: s2t with ReLU, set: [model=s2t, model.activation=relu]}
comparisons:
  - {first: $name, second: s2t, column: test, text: "Does the activation matter?", printed: false}
"""

TEST_TABLE = '''"""The table can be read, and every row of it composes."""

from pathlib import Path

from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import cells


def test_every_row_composes(monkeypatch):
    monkeypatch.setenv("ATTEST_PATH", str(Path(__file__).parent))
    assert [cell.row for cell in cells(load_table("own/$name"), "mini")] == ["s2t", "disan", "$name"]
'''

FILES: Mapping[str, Mapping[str, str]] = {
    "encoder": {"$name.py": ENCODER, "conf/model/$name.yaml": MODEL, "test_$name.py": TEST_ENCODER},
    "dataset": {
        "conf/dataset/$name.yaml": DATASET,
        "data/$name/train.tsv": ROWS,
        "data/$name/test.tsv": ROWS,
        "test_$name.py": TEST_DATASET,
    },
    "table": {"reproduce/own/$name.yaml": TABLE, "test_$name.py": TEST_TABLE},
}
"""Kind -> the content of each of its files, by the path below the user's own folder."""
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "encoder": ("train $folder model=$name", "reproduce $folder disan/table2 with=model=$name"),
    "dataset": ("train $folder model=s2t dataset=$name",),
    "table": ("reproduce $folder own/$name",),
}
"""Kind -> the commands that use its files."""

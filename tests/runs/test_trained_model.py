"""The file of a finished run's model, which may come from elsewhere."""

import pytest

from attest.errors import StorageError
from attest.runs.trained_model import CONTENT_KEY, MODEL_FILE, read_model
from attest.system.safetensors import write_tensors


@pytest.mark.parametrize("text", ["[" * 100_000, "{half", "[]"], ids=["too deep", "half", "a list"])
def test_a_text_that_holds_no_model_is_one_sentence(tmp_path, text):
    write_tensors(tmp_path / MODEL_FILE, {}, {CONTENT_KEY: text})
    with pytest.raises(StorageError, match="model.safetensors: damaged .*; delete it"):
        read_model(tmp_path / MODEL_FILE)

"""Files of weights: damaged ones, and those of another model, are named with what to do."""

import pytest
import torch

from attest.errors import StorageError
from attest.system.weights import load_weights


@pytest.mark.parametrize("damage", ["truncated", "empty", "of another model"])
def test_a_damaged_file_of_weights_is_one_sentence(damage, tmp_path):
    path, module = tmp_path / "best-10.pt", torch.nn.Linear(20, 30)
    torch.save({"weight": torch.zeros(2)} if damage == "of another model" else module.state_dict(), path)
    if damage != "of another model":
        path.write_bytes(path.read_bytes()[: 1000 * (damage == "truncated")])
    with pytest.raises(StorageError, match=f"^{path}: damaged, or no weights of this model .*; delete it$"):
        load_weights(module, path)

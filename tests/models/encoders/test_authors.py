"""Our encoders beside the authors' own TensorFlow code with the same weights.

oracles/disan_authors.npz holds outputs and gradients of taoshen58/DiSAN (fdb5b97) and, for multi-head, of
taoshen58/BiBloSA (ec67cbd), run once under TensorFlow 2.21 on random weights and inputs, without dropout:
3 sentences of 7, 4 and 1 words, 5 features. The loss is sum(tanh(output * probe)).

oracles/fast_disan_authors.npz was made in the same way with Fast-DiSA/fast_disa.py of taoshen58/DiSAN: two heads of
3 features, settings as its README advises for a single layer, with ELU; then the same file's source2token.
"""

import numpy as np
import pytest
import torch
from places import ORACLES

from attest.models.encoders import Additive, DiSAN, FastDiSAN, MultiHead, SourceToToken

CASES = {
    "disan_authors.npz": {
        "disan": lambda: DiSAN(5, 5),
        "diag": lambda: DiSAN(5, 5, directions=("diagonal", "diagonal")),
        "s2t": lambda: SourceToToken(5),
        "additive": lambda: Additive(5),
        "mha": lambda: MultiHead(5, 5, heads=2),
    },
    "fast_disan_authors.npz": {
        "sigmoid": lambda: FastDiSAN(5, 3),
        "exp": lambda: FastDiSAN(5, 3, pair_weight="exp"),
    },
}


@pytest.mark.parametrize(("file", "case"), [(file, case) for file, cases in CASES.items() for case in cases])
def test_values_and_gradients_agree(file, case):
    with np.load(ORACLES / file) as arrays:
        oracle = {name: torch.from_numpy(arrays[name]) for name in arrays.files}

    def part(kind: str) -> dict[str, torch.Tensor]:
        prefix = f"{case}/{kind}/"
        return {name.removeprefix(prefix): value for name, value in oracle.items() if name.startswith(prefix)}

    encoder = CASES[file][case]()
    encoder.load_state_dict(part("state"))  # strict: no weight of ours without one of theirs
    x = oracle["x"].clone().requires_grad_()
    output = encoder(x, oracle["mask"])
    (output * oracle[f"{case}/probe"]).tanh().sum().backward()
    torch.testing.assert_close(output, oracle[f"{case}/output"], rtol=0, atol=1e-6)
    gradients = part("gradient")
    torch.testing.assert_close(x.grad, gradients.pop("x"), rtol=1e-5, atol=2e-6)
    for name, parameter in encoder.named_parameters():
        torch.testing.assert_close(parameter.grad, gradients[name], rtol=1e-5, atol=2e-6, msg=name)

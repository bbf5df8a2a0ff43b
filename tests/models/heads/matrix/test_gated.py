"""The gated encoder of Appendix B, by hand and against plain loops."""

import torch

from attest.models.heads.matrix.gated import GatedEncoder


def test_the_gated_encoder_by_hand():
    # Two rows of one number: W_fh = (2, 3), W_fp = (5, 7); rows (1, 2) of h and (1, -1) of p: 2 x 5 and 6 x -7.
    gate = GatedEncoder(2, 1)
    gate.hypothesis.data = torch.tensor([[[2.0]], [[3.0]]])
    gate.premise.data = torch.tensor([[[5.0]], [[7.0]]])
    premise, hypothesis = torch.tensor([[[1.0], [-1.0]]]), torch.tensor([[[1.0], [2.0]]])
    assert gate(premise, hypothesis).tolist() == [[[10.0], [-42.0]]]


def test_the_gated_encoder_is_the_plain_loop():
    gate, premise, hypothesis = GatedEncoder(3, 5), torch.randn(2, 3, 5), torch.randn(2, 3, 5)
    rows = [(hypothesis[:, i] @ gate.hypothesis[i]) * (premise[:, i] @ gate.premise[i]) for i in range(3)]
    torch.testing.assert_close(gate(premise, hypothesis), torch.stack(rows, dim=1))

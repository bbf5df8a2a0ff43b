"""The clipping of gradients."""

import torch
from gpu.watch import Watch

from attest.training.optim.gradients import clip_grad_norm


def test_gradients_are_clipped_by_one_operation():
    parameters = [torch.nn.Parameter(torch.ones(3, 2)) for _ in range(40)]
    for parameter in parameters:
        parameter.grad = torch.randn(3, 2)
    before = [parameter.grad.clone() for parameter in parameters]
    with Watch("cpu") as watch:
        norm = clip_grad_norm(parameters, 5.0)
    assert [name for name in watch.names if name in ("_foreach_mul_", "mul_", "clamp")] == [
        "clamp",
        "_foreach_mul_",
    ]
    factor = (5.0 / (norm + 1e-6)).clamp(max=1.0)
    assert factor < 1
    assert all(parameter.grad.equal(old * factor) for parameter, old in zip(parameters, before, strict=True))
    assert clip_grad_norm([torch.nn.Parameter(torch.ones(1))], 5.0) == 0  # no gradient yet

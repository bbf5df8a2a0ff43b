"""Memory that a step needs: what is kept for the backward pass, and the peak of a process."""

import torch
from marks import glibc
from torch import nn

from attest.benchmarks.encoder_memory import IMPLEMENTATIONS, peak_and_saved, saved_bytes
from attest.benchmarks.subprocesses import run_in_new_process


def test_each_piece_of_memory_is_counted_once():
    x = torch.randn(8, 4, requires_grad=True)
    y = x * 1.0

    def once():
        (y.sigmoid() + y[:4].exp().sum() + y.square()).sum()

    assert saved_bytes(once, []) == 4 * (32 + 16 + 32)  # the results of sigmoid and exp, and y


def test_weights_are_there_anyway_transposed_too():
    linear, x = nn.Linear(3, 7), torch.randn(5, 3, requires_grad=True)
    assert saved_bytes(lambda: linear(x).sum(), []) == 4 * (15 + 21)
    assert saved_bytes(lambda: linear(x).sum(), linear.parameters()) == 4 * 15


@glibc
def test_the_peak_is_never_below_what_is_saved():
    for implementation in IMPLEMENTATIONS:
        peak, saved = run_in_new_process(peak_and_saved, "PSAN", implementation, 16, 20, 64)
        assert peak > saved > 0

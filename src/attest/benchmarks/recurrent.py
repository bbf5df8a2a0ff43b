"""Time of a bidirectional LSTM, forward and backward: torch's on padded sentences, the kernel on packed words.

Legend: S sentences, T words of the longest, N words of all, D features.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from attest.benchmarks.timing import matrix_product_rates, result_row, time_in_turns
from attest.models.attention import Layout
from attest.models.encoders import BiLSTMMax
from attest.models.kernels import backends
from attest.system.devices import NumberFormat, computed_in

BACKENDS: Mapping[str, backends.Backend] = {"padded": "reference", "packed": "native"}
"""The form of the sentences in a variant -> the back end that computes it."""


def measure(*, cases: Sequence[Sequence[int]], features: int, rounds: int) -> list[dict[str, Any]]:
    """Return the seconds of a step for each case, and lower bounds from the rate of matrix products.

    A case is (sentences, shortest, longest): the number of sentences, and the words of the shortest and the longest
    one. The lengths between are evenly spaced.
    """
    per_second, rows = matrix_product_rates(), []
    for sentences, shortest, longest in cases:
        lengths_S = torch.linspace(shortest, longest, sentences).round().long()[torch.randperm(sentences)]
        case = f"{sentences} of {shortest} to {longest} words"
        variants = {
            f"{form} {name}": make_step(lengths_S, features, backend, number_format=name)
            for name in per_second
            for form, backend in BACKENDS.items()
        }
        seconds = time_in_turns(variants, rounds)
        rows += [result_row(case, name, values) for name, values in seconds.items()]
        # There are two matrices of D x 4D in each direction, multiplied once forward and twice backward.
        operations = 2 * 2 * 3 * 2 * 4 * features**2 * int(lengths_S.sum())
        rows += [result_row(case, f"floor {name}", [operations / number]) for name, number in per_second.items()]
    backends.use("auto")
    return rows


def make_step(
    lengths_S: torch.Tensor, features: int, backend: backends.Backend, *, number_format: NumberFormat
) -> Callable[[], None]:
    """Return a function that runs the LSTM and its gradients on random words of sentences of these lengths."""
    encoder = BiLSTMMax(features, features)
    layout = Layout(
        torch.arange(int(lengths_S.max())) < lengths_S[:, None],
        packed=True,
        multiple=64 if number_format == "bf16" else 1,
    )
    x_ND = torch.randn(len(layout.place_N), features, requires_grad=True)
    gradient_ND = torch.randn(len(layout.place_N), 2 * features)
    learnt = [parameter for parameter in encoder.parameters() if parameter.requires_grad]

    def run_step() -> None:
        backends.use(backend)
        with computed_in(number_format):
            states_ND = encoder.encode_words(x_ND, layout)
        torch.autograd.grad(states_ND, [x_ND, *learnt], gradient_ND.to(states_ND.dtype))

    return run_step

"""The state of torch that a whole process shares: deterministic mode, TF32, threads and random numbers."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def restored_torch_state() -> Iterator[None]:
    """Restore torch's state at the end of the context, for the code that continues in this process after a run.

    Of the generators of GPUs, it restores those that were in use before the context.
    """
    deterministic, threads = torch.are_deterministic_algorithms_enabled(), torch.get_num_threads()
    tf32 = torch.backends.cudnn.allow_tf32
    filled = torch.utils.deterministic.fill_uninitialized_memory  # type: ignore[attr-defined]
    generators = [torch.default_generator, *(torch.cuda.default_generators if torch.cuda.is_initialized() else ())]
    states = [generator.get_state() for generator in generators]
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(deterministic)
        torch.utils.deterministic.fill_uninitialized_memory = filled  # type: ignore[attr-defined]
        torch.backends.cudnn.allow_tf32 = tf32
        torch.set_num_threads(threads)
        for generator, state in zip(generators, states, strict=True):
            generator.set_state(state)

"""Random numbers: every purpose and every step of a run has a stream of its own.

Because the stream of a step does not depend on the steps before it, a run that goes on from a checkpoint draws
what it would have drawn anyway.
"""

import numpy as np


def seed_for(seed: int, purpose: str, step: int = 0) -> int:
    """A seed for torch's generators. Seed 0 is a seed like any other."""
    state = np.random.SeedSequence([seed, *purpose.encode(), step]).generate_state(1, np.uint64)
    return int(state[0] >> np.uint64(1))

"""Seeds of random numbers: each purpose and each step of a run has its own seed.

The seed of a step does not depend on the steps before it, so a run that resumes from a checkpoint draws the same
numbers as a run without a break.
"""

import numpy as np


def seed_for(seed: int, purpose: str, step: int = 0) -> int:
    """Return a seed for torch's generators, derived from the seed of the run, the purpose and the step."""
    state = np.random.SeedSequence([seed, *purpose.encode(), step]).generate_state(1, np.uint64)
    return int(state[0] >> np.uint64(1))

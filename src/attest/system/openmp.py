"""The way in which the threads of a CPU wait for each other (OMP_WAIT_POLICY), chosen before torch is loaded.

By default an OpenMP thread that waits keeps its core busy, which is fastest on a quiet machine. Where another program
needs that core, both suffer: with one of two cores taken, a training step of DiSAN took 413 ms instead of 114, and 238
ms with threads that sleep while they wait. On a quiet machine sleeping costs 16% (132 ms). Waiting changes no figure,
unlike another number of threads.
"""

import os
from collections.abc import Sequence

POLICY = "OMP_WAIT_POLICY"
OWN_CHOICES = (POLICY, "GOMP_SPINCOUNT", "KMP_BLOCKTIME")
"""The variables with which users choose for themselves."""
BUSY_SHARE = 0.5
"""The share of the cores that other programs use on a machine that counts as busy."""


def choose_wait_policy(arguments: Sequence[str]) -> None:
    """Let threads sleep while they wait if other programs, or other runs of a joblib launch, need the cores.

    These are the threads of this process and of those that it starts. The `arguments` of the command name a launcher.
    """
    if not any(name in os.environ for name in OWN_CHOICES) and (is_busy() or "hydra/launcher=joblib" in arguments):
        os.environ[POLICY] = "PASSIVE"


def is_busy() -> bool:
    """Return whether programs have used at least BUSY_SHARE of the cores in the last minute."""
    try:
        return os.getloadavg()[0] >= BUSY_SHARE * (os.cpu_count() or 1)
    except OSError:
        return False

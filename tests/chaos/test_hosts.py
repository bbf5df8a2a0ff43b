"""Two hosts on a failing disk: one run, made once, with nothing lost. SCHEDULES=1000 plays as many schedules."""

import os
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from chaos.hosts import World

SCHEDULES = int(os.environ.get("SCHEDULES", "40"))


def play(seed: int) -> World:
    """Play the schedule of a seed in a folder of its own, in memory where that is possible."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(dir=memory if os.access(memory, os.W_OK) else None))
    try:
        world = World(folder, seed)
        world.play()
        if not world.violations:
            world.check()
        return world
    finally:
        shutil.rmtree(folder)


def test_two_hosts_never_make_a_run_twice_and_lose_nothing():
    counts: Counter[str] = Counter()
    for seed in range(SCHEDULES):
        world = play(seed)
        assert not world.violations, f"schedule {seed}: {world.violations}"
        counts += Counter(world.counts)
    assert all(counts[name] > 0 for name in ("lost", "stopped", "killed", "errors")), counts

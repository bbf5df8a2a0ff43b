"""make schedules: two simulated hosts on a failing disk, many times. python tests/chaos/schedules.py [COUNT] [SEED]"""

import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from chaos.hosts import World

MEMORY = Path("/dev/shm")


def play(seed: int) -> World:
    """Play the schedule of a seed in a folder of its own, in memory where that is possible."""
    folder = Path(tempfile.mkdtemp(dir=MEMORY if os.access(MEMORY, os.W_OK) else None))
    try:
        world = World(folder, seed)
        world.play()
        if not world.violations:
            world.check()
        return world
    finally:
        shutil.rmtree(folder)


def main(count: int, first: int) -> int:
    """Play the schedules of `count` seeds, print what happened in them, and return the exit code."""
    counts: Counter[str] = Counter()
    wrong = 0
    began = time.process_time()
    for seed in range(first, first + count):
        world = play(seed)
        counts += Counter(world.counts)
        if world.violations:
            wrong += 1
            print(f"schedule {seed}: {'; '.join(world.violations)}", flush=True)
    happened = ", ".join(f"{number:,} {name}" for name, number in sorted(counts.items()))
    seconds = time.process_time() - began
    print(f"{count:,} schedules from seed {first}, {seconds:.0f} s of processor time: {wrong} wrong ({happened})")
    return 1 if wrong else 0


if __name__ == "__main__":
    arguments = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(arguments + [1000, 0][len(arguments) :])))

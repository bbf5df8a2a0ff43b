"""make chaos: a hundred kills, and what survived them. python tests/chaos [KILLS] [SEED]"""

import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from chaos.sweep import RUNS, Sweep

IN_A_ROW = 5
"""Kills before a sweep is allowed to finish."""


def main(kills: int, seed: int) -> int:
    rng, survived, seconds_to_finish, began = random.Random(seed), 0, [], time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        whole = Sweep(Path(folder) / "undisturbed")
        moments, seconds = whole.finish()
        expected = whole.metrics()
        print(f"undisturbed: {len(expected)} of {RUNS} runs in {seconds:.1f} s, {moments} writes to be killed at")
        for number in range(1, kills + 1):
            if number % IN_A_ROW == 1:
                sweep = Sweep(Path(folder) / str(number))
            when = sweep.kill(rng, moments, seconds)
            known = sweep.metrics()
            fine = all(known[identity] == expected[identity] for identity in known)
            outcome = f"{len(known)} of {RUNS} runs done"
            if number % IN_A_ROW == 0 or number == kills:
                _, took = sweep.finish()
                seconds_to_finish.append(took)
                left = sweep.leftovers()
                fine = fine and sweep.metrics() == expected and not left
                outcome += f", finished {'equal' if fine else 'DIFFERENT'} in {took:.1f} s {left or ''}"
            survived += fine
            print(f"kill {number:3} at {when:<18} {outcome if fine else 'LOST: ' + outcome}", flush=True)
    minutes = (time.perf_counter() - began) / 60
    print(f"survived {survived} of {kills} kills (seed {seed}, {minutes:.1f} minutes)")
    print(f"going on to the end took {max(seconds_to_finish):.1f} s at most; from scratch it takes {seconds:.1f} s")
    return 0 if survived == kills else 1


if __name__ == "__main__":
    arguments = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(arguments + [100, 0][len(arguments) :])))

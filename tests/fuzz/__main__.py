"""make fuzz: damage small official files of every format, and print what came out wrong.

python tests/fuzz [COUNT] [SEED]; without a seed, a new one is drawn.
"""

import random
import secrets
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.damaged import Outcome, run
from fuzz.formats import formats

COUNT = 20_000
MOST_STORIES = 20
"""The most wrong outcomes that are printed in full."""


def main(count: int, seed: int) -> int:
    print(f"{count:,} damages, seed {seed}; to repeat: make fuzz SEED={seed} COUNT={count}", flush=True)
    kinds, began = formats(), time.perf_counter()
    outcomes: Counter[tuple[str, str]] = Counter()
    wrong: list[Outcome] = []
    with tempfile.TemporaryDirectory() as home:
        for number in range(count):
            name = list(kinds)[number % len(kinds)]
            outcome = run(name, kinds[name], random.Random(f"{seed} {number}"), Path(home))
            outcomes[name, outcome.kind] += 1
            if outcome.kind == "wrong":
                wrong.append(outcome)
                if len(wrong) <= MOST_STORIES:
                    print(f"damage {number}: {outcome.story!a}", flush=True)
    print(f"{'format':20}{'refused':>10}{'read':>10}{'wrong':>10}")
    for name in kinds:
        print(f"{name:20}" + "".join(f"{outcomes[name, kind]:10,}" for kind in ("refused", "read", "wrong")))
    minutes = (time.perf_counter() - began) / 60
    print(f"{len(wrong):,} of {count:,} damages came out wrong (seed {seed}, {minutes:.1f} minutes)")
    return 1 if wrong else 0


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word]
    count, seed = (*map(int, words), *[COUNT, secrets.randbelow(10**6)][len(words) :])
    sys.exit(main(count, seed))

"""Whether the fast way learns what the plain way learns: whole runs with the same seeds, in a place of their own."""

import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from attest.configuration import compose, provide_data
from attest.errors import DataError
from attest.preparation import prepare
from attest.training import run

VARIANTS = {
    "plain": ["trainer.attention=reference", "trainer.packed=false"],
    "fp32": [],
    "fp32, by length": ["protocol.batches=by_length"],
    "bf16": ["trainer.precision=bf16"],
}


def measure(*, cases: Mapping[str, Sequence[str]], seeds: int) -> list[dict[str, Any]]:
    """Accuracy on the dev set at each evaluation, of each seed. What there is no data for is left out, aloud."""
    rows = []
    for case, settings in cases.items():
        try:
            composed = compose(settings)
            provide_data(composed)
            prepare(composed)
        except DataError as error:
            print(f"{case}: left out: {error}", file=sys.stderr)
            continue
        for variant, overrides in VARIANTS.items():
            for seed in range(1, seeds + 1):
                with tempfile.TemporaryDirectory() as home:
                    quiet = ["logger=none", "trainer.progress=false", f"seed={seed}"]
                    places = [f"paths.{name}={home}/{name}" for name in ("runs", "records")]
                    composed = compose([*settings, *overrides, *quiet, *places])
                    record = run(composed)
                print(f"{case}, {variant}, seed {seed}: {record.metrics['dev/accuracy']:.2f}", file=sys.stderr)
                rows.append(
                    {
                        "case": case,
                        "variant": variant,
                        "unit": "%",
                        "seed": seed,
                        "steps": [entry["step"] for entry in record.curve],
                        "values": [entry["dev/accuracy"] for entry in record.curve],
                        "losses": [entry["dev/loss"] for entry in record.curve],
                    }
                )
    return rows

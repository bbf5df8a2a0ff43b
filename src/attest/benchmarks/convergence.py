"""Convergence of whole runs with fast attention, in fp32 and bf16, compared with attention in plain PyTorch."""

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, get_context
from typing import Any

from attest.benchmarks.timing import number_formats
from attest.config.compose import compose
from attest.data.mini.provide import provide_data
from attest.data.prepare import prepare
from attest.errors import DataError
from attest.training.run import run

VARIANTS = {
    "plain": ["trainer.attention=reference", "trainer.packed=false"],
    "fp32": [],
    "fp32, by length": ["protocol.batches=by_length"],
    "bf16": ["trainer.precision=bf16"],
}
"""A variant -> its overrides. All variants but `plain` use the C++ kernels and packed batches."""


def measure(*, cases: Mapping[str, Sequence[str]], seeds: int) -> list[dict[str, Any]]:
    """Train a run for each case, variant and seed, and return its row: the dev accuracy at each evaluation.

    `cases` maps a name to overrides. A case whose data are missing is left out with a message, and so is bf16 if this
    processor has no instructions for it.
    """
    variants = dict(VARIANTS)
    if "bf16" not in number_formats():
        del variants["bf16"]
        print("bf16: left out: this processor has no instructions for it", file=sys.stderr)
    present = {case: settings for case, settings in cases.items() if prepare_case(case, settings)}
    jobs = [
        (case, [*settings, *overrides, f"seed={seed}"], variant, seed)
        for case, settings in present.items()
        for variant, overrides in variants.items()
        for seed in range(1, seeds + 1)
    ]
    # Each run has one thread, because nothing is timed here and small models gain nothing from more.
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(os.cpu_count(), get_context("forkserver")) as pool,
    ):
        futures = [pool.submit(train_case, folder, *job) for job in jobs]
        try:
            return [future.result() for future in futures]
        except BaseException:
            for process in active_children():
                process.kill()  # else the pool would train all other runs to their ends
            raise


def prepare_case(case: str, overrides: Sequence[str]) -> bool:
    """Prepare the data of a case, given by its overrides; print a message and return False if they are missing."""
    composed = compose(overrides)
    try:
        provide_data(composed)
        prepare(composed)
    except DataError as error:
        print(f"{case}: left out: {error}", file=sys.stderr)
        return False
    return True


def train_case(folder: str, case: str, overrides: Sequence[str], variant: str, seed: int) -> dict[str, Any]:
    """Train a run with the overrides, in a temporary folder below the given one.

    Return its row, with the step, dev accuracy and dev loss of each evaluation.
    """
    with tempfile.TemporaryDirectory(dir=folder) as home:
        path_overrides = [f"paths.{name}={home}/{name}" for name in ("runs", "results")]
        quiet = ["logger=none", "trainer.progress=false", "trainer.threads=1"]
        record = run(compose([*overrides, *quiet, *path_overrides]))
    print(f"{case}, {variant}, seed {seed}: {record.metrics['dev/accuracy']:.2f}", file=sys.stderr)
    return {
        "case": case,
        "variant": variant,
        "unit": "%",
        "seed": seed,
        "steps": [entry["step"] for entry in record.curve],
        "values": [entry["dev/accuracy"] for entry in record.curve],
        "losses": [entry["dev/loss"] for entry in record.curve],
    }

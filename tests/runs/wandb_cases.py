"""Runs that are mirrored on Weights & Biases without a training: their cards, curves and records."""

from contextlib import contextmanager

from runs.made_records import made_record

from attest.runs.run_card import RunCard, RunContext, run_card
from attest.runs.wandb.mirror import mirror_run

CARD = RunCard(id="abc", name="disan seed=1", group="disan/table1", job_type="train", tags=("scale=mini",), notes="c",
               config={"optimizer": {"lr": 0.5}, "cell": {}})  # fmt: skip


def entry(step):
    """Return the evaluation of a step, whose accuracy on dev is the number of the step."""
    return {"step": step, "epoch": step / 10, "train/loss": 1.0, "dev/accuracy": float(step)}


def record(identity="abc", steps=(2, 4), **changes):
    """Return the record of a finished run with evaluations of these steps."""
    facts = {"settings": {"scale": "mini"}, "metrics": {"test/accuracy": 81.5, "dev/accuracy": 2.0}, "kind": "transfer",
             "selected": {"step": 2, "rule": "best"}, "curve": [entry(step) for step in steps]}  # fmt: skip
    return made_record(identity, **{**facts, **changes})


def mirror(settings, steps, end=False):
    """Mirror the evaluations of these steps of a run, and its end if asked."""
    with mirror_run(settings, CARD) as observer:
        for step in steps:
            observer.evaluated(entry(step))
        if end:
            observer.finished(record())


@contextmanager
def observe(settings, record, steps):
    """Mirror a run as `attest train` does."""
    with mirror_run(settings, run_card(record, RunContext(command="attest train"))) as observer:
        yield (observer,)

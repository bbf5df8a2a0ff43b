"""The ranking of a search's trials by their dev results. No test result is read here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from attest.config.shell_command import shell_command
from attest.errors import escape_unprintable
from attest.reproduction.search.space import RandomSearch, Trial
from attest.runs.progress import format_duration
from attest.runs.records import Record
from attest.training.tasks import task_class

SEEDS = "seed=1,2,3,4,5"


@dataclass(frozen=True)
class TrialOutcome:
    """A trial that has ended: its record and duration."""

    trial: Trial
    record: Record
    """The record of the run, finished or failed."""
    process_seconds: float
    """The seconds that the trial took in this process: almost 0 if its run had been finished before."""

    @property
    def done(self) -> bool:
        return self.record.status == "done"

    @property
    def seconds(self) -> float:
        """The seconds of the whole run, summed over interruptions; for a failed run, those in this process."""
        return self.process_seconds if self.record.cost is None else self.record.cost.wall_seconds

    @property
    def measure(self) -> str:
        return task_class(self.trial.settings.task).measure

    @property
    def dev(self) -> float:
        return self.record.metrics[f"dev/{self.measure}"]


def best_first(outcomes: Sequence[TrialOutcome]) -> list[TrialOutcome]:
    """Return the finished trials, best on dev first; among equals, the earlier trial comes first."""
    return sorted(
        (outcome for outcome in outcomes if outcome.done), key=lambda outcome: (-outcome.dev, outcome.trial.number)
    )


def progress_line(outcomes: Sequence[TrialOutcome], seconds_left: float) -> str:
    """Return a line with the result of the last trial, the best result so far, and the time that is left."""
    last, ranked = outcomes[-1], best_first(outcomes)
    reached = f"dev {last.measure} {last.dev:.4g}" if last.done else f"failed: {escape_unprintable(last.record.reason)}"
    best = f", best {ranked[0].dev:.4g} ({ranked[0].trial.name})" if ranked else ""
    spent = format_duration(sum(outcome.seconds for outcome in outcomes))
    return f"{last.trial.name}: {reached}{best}; {spent} of training, about {format_duration(seconds_left)} left"


def ranking(search: RandomSearch, outcomes: Sequence[TrialOutcome]) -> str:
    """Return the ranking that `attest tune` prints at its end, as text."""
    return "\n".join(ranking_lines(search, outcomes))


def ranking_lines(search: RandomSearch, outcomes: Sequence[TrialOutcome]) -> Iterator[str]:
    """Yield the lines of the ranking: totals, finished trials, failed trials, and the command for the best."""
    ranked, failed = best_first(outcomes), [outcome for outcome in outcomes if not outcome.done]
    spent = format_duration(sum(outcome.seconds for outcome in outcomes))
    yield f"{search.name}: {len(ranked)} finished, {len(failed)} failed, {spent} of training"
    yield f"{search.title}; ranges from {search.source}"
    if ranked:
        yield f"{'dev':>8}  {'trial':>5}  {'took':>8}  {'run':<12}  drawn (by dev {ranked[0].measure}, test unseen)"
    for outcome in ranked:
        took, drawn = format_duration(outcome.seconds), " ".join(outcome.trial.drawn)
        yield f"{outcome.dev:>8.4f}  {outcome.trial.number:>5}  {took:>8}  {outcome.record.id:<12}  {drawn}"
    for outcome in failed:
        drawn = " ".join(outcome.trial.drawn)
        yield f"{'failed':>8}  {outcome.trial.number:>5}  {'':>8}  {outcome.record.id:<12}  {drawn}"
        yield f"{'':>10}{escape_unprintable(outcome.record.reason)}"
    if ranked:
        yield f"The best with five seeds:\n{repeat_command(ranked[0].trial)}"


def repeat_command(trial: Trial) -> str:
    """Return the command that repeats a trial with five seeds."""
    kept = [text for text in trial.overrides if not text.startswith(("seed=", "label."))]
    scale = [] if any(text.startswith("scale=") for text in kept) else [f"scale={trial.settings.scale}"]
    return shell_command("train", "-m", *kept, *scale, SEEDS)

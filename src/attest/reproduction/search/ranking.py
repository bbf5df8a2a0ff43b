"""What came of the trials of a search, by dev alone: nothing here looks at a test set."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from attest.reproduction.search.space import RandomSearch, Trial
from attest.runs.progress import clock
from attest.runs.records import Record
from attest.training.tasks import TASKS

SEEDS = "seed=1,2,3,4,5"


@dataclass(frozen=True)
class Outcome:
    """One trial that is over."""

    trial: Trial
    record: Record
    """Of its run, finished or failed."""
    sitting_seconds: float
    """What it took just now: little, if its run was finished before."""

    @property
    def done(self) -> bool:
        return self.record.status == "done"

    @property
    def seconds(self) -> float:
        """Of training, over all sittings; a failed run has left no count but this sitting's."""
        return self.sitting_seconds if self.record.cost is None else self.record.cost.wall_seconds

    @property
    def measure(self) -> str:
        return TASKS[self.trial.settings.task].measure

    @property
    def dev(self) -> float:
        return self.record.metrics[f"dev/{self.measure}"]


def best_first(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The finished trials; of equals the earlier."""
    return sorted((each for each in outcomes if each.done), key=lambda each: (-each.dev, each.trial.number))


def standing(outcomes: Sequence[Outcome], seconds_left: float) -> str:
    """One line: what the last trial reached, the best so far, and how long the rest may take."""
    last, ranked = outcomes[-1], best_first(outcomes)
    reached = f"dev {last.measure} {last.dev:.4g}" if last.done else f"failed: {last.record.reason}"
    best = f", best {ranked[0].dev:.4g} ({ranked[0].trial.name})" if ranked else ""
    spent = clock(sum(each.seconds for each in outcomes))
    return f"{last.trial.name}: {reached}{best}; {spent} of training, about {clock(seconds_left)} left"


def ranking(search: RandomSearch, outcomes: Sequence[Outcome]) -> str:
    return "\n".join(lines(search, outcomes))


def lines(search: RandomSearch, outcomes: Sequence[Outcome]) -> Iterator[str]:
    ranked, failed = best_first(outcomes), [each for each in outcomes if not each.done]
    spent = clock(sum(each.seconds for each in outcomes))
    yield f"{search.name}: {len(ranked)} finished, {len(failed)} failed, {spent} of training"
    yield f"{search.title}; ranges from {search.source}"
    if ranked:
        yield f"{'dev':>8}  {'trial':>5}  {'took':>8}  {'run':<12}  drawn (by dev {ranked[0].measure}, test unseen)"
    for each in ranked:
        took, drawn = clock(each.seconds), " ".join(each.trial.drawn)
        yield f"{each.dev:>8.4f}  {each.trial.number:>5}  {took:>8}  {each.record.id:<12}  {drawn}"
    for each in failed:
        yield f"{'failed':>8}  {each.trial.number:>5}  {'':>8}  {each.record.id:<12}  {' '.join(each.trial.drawn)}"
        yield f"{'':>10}{each.record.reason}"
    if ranked:
        yield f"The best with five seeds:\n{command(ranked[0].trial)}"


def command(trial: Trial) -> str:
    """What runs the settings of a trial with seeds of its own."""
    kept = [text for text in trial.overrides if not text.startswith(("seed=", "label."))]
    scale = [] if any(text.startswith("scale=") for text in kept) else [f"scale={trial.settings.scale}"]
    return " ".join(["attest train -m", *kept, *scale, SEEDS])

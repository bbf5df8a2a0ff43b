"""The sweeper of random searches: it runs trials until their budget is used up."""

from dataclasses import dataclass

from hydra.core.config_store import ConfigStore
from hydra.core.utils import JobReturn
from omegaconf import MISSING

from attest.errors import SettingsError
from hydra_plugins.attest_sweepers._base import JobSettings, OwnSweeper


class SearchSweeper(OwnSweeper):
    """The sweeper that runs trials of a random search until a number of trials or minutes is reached.

    It is chosen by hydra/sweeper=search hydra.sweeper.search=dam/ngram.
    """

    def __init__(
        self,
        search: str,
        runs: int | None,
        minutes: float | None,
        at_once: int,
        **job_settings: object,  # JobSettings, which the jobs read
    ) -> None:
        self.search = search
        self.budget = {"runs": runs, "minutes": minutes, "at_once": at_once}

    def sweep(self, arguments: list[str]) -> list[JobReturn]:
        from attest.config.schema import from_plain
        from attest.reproduction.search.budget import Budget
        from attest.reproduction.search.space import load_search
        from hydra_plugins.attest_sweepers._searching import search_all

        budget = from_plain(Budget, self.budget)
        if budget.runs is None and budget.minutes is None:
            raise SettingsError("hydra.sweeper: no budget; type hydra.sweeper.runs=20 or hydra.sweeper.minutes=30")
        assert self.launcher is not None
        return search_all(self.launcher, load_search(self.search), arguments, budget)


@dataclass
class SearchSettings(JobSettings):
    """The settings of SearchSweeper, below hydra.sweeper."""

    _target_: str = "hydra_plugins.attest_sweepers.search.SearchSweeper"
    search: str = MISSING
    """The name of the search, as dam/ngram."""
    runs: int | None = None
    """The number of trials."""
    minutes: float | None = None
    """The minutes of training, of all trials together, after which no further trial begins."""
    at_once: int = 1
    """The number of trials that are launched together."""


ConfigStore.instance().store(group="hydra/sweeper", name="search", node=SearchSettings, provider="attest")

"""The base of the sweepers, which keeps the launcher of Hydra, and the settings that a sweeper sets for each job."""

from dataclasses import dataclass

from hydra.core.plugins import Plugins
from hydra.plugins.launcher import Launcher
from hydra.plugins.sweeper import Sweeper
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig, OmegaConf


class OwnSweeper(Sweeper):
    """The base of the sweepers here, which keeps Hydra's launcher."""

    launcher: Launcher | None = None

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        OmegaConf.set_readonly(config.hydra, False)
        self.launcher = Plugins.instance().instantiate_launcher(
            hydra_context=hydra_context, task_function=task_function, config=config
        )


@dataclass
class JobSettings:
    """The settings that name a job of a sweep, which the sweeper sets for each job."""

    launch: str = ""
    """The name of the folder of the launch."""
    job: int = 0
    """The number of the job in its launch."""

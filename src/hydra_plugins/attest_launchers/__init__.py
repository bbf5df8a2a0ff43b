"""The launchers for SLURM, which submits a table or a sweep as one array of jobs, for Ray, and for joblib.

They extend Hydra's launchers for submitit, Ray and joblib. Hydra imports this module whenever a program starts it, so
the work is in modules that are imported when a sweep begins. Each of the extras `slurm`, `ray` and `joblib` brings its
launcher. Those for Ray and joblib are stored in a group of their own, from which compositions of Attest take them in
place of Hydra's (attest.config.hydra.defaults_order): other programs keep Hydra's, whatever the order of the plugins.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from hydra.core.config_store import ConfigStore
from hydra.core.utils import JobReturn
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig

from attest.config.hydra.scope import LAUNCHERS


def store(name: str, settings: Any) -> None:
    """Store the settings of a launcher that has a name of Hydra's."""
    ConfigStore.instance().store(group=LAUNCHERS, name=name, node=settings, provider="attest")


with suppress(ImportError):
    from hydra_plugins.hydra_submitit_launcher.submitit_launcher import SlurmLauncher as SubmititLauncher

    class SlurmLauncher(SubmititLauncher):
        """The launcher of hydra/launcher=slurm: an array of jobs, each requeued until its run is done."""

        def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
            from hydra_plugins.attest_launchers._unsupported import refuse_unsupported

            refuse_unsupported(config)
            super().setup(hydra_context=hydra_context, task_function=task_function, config=config)

        def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
            from hydra_plugins.attest_launchers._array import launch_array

            return launch_array(self, job_overrides)

        @property
        def queued_jobs(self) -> Any:
            """A function that returns the ids of the jobs in the queue of SLURM."""
            from attest.system.slurm import SlurmQueue

            return SlurmQueue().jobs

        def __call__(self, *arguments: Any) -> JobReturn:
            from hydra_plugins.attest_launchers._job import run_job

            return run_job(super().__call__, *arguments)


with suppress(ImportError):
    from hydra_plugins.hydra_ray_launcher.ray_launcher import (  # pyright: ignore[reportMissingImports]
        RayLauncher as HydrasRayLauncher,
    )

    class RayLauncher(HydrasRayLauncher):
        """The launcher of hydra/launcher=ray: processes of Ray train the runs, here or on the machines of a cluster."""

        def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
            from hydra_plugins.attest_launchers._ray import running_ray

            with running_ray(self.ray_cfg.init):
                return super().launch(job_overrides, initial_job_idx)

        def queued_jobs(self) -> None:
            """Return None: Ray does not tell which jobs wait. Its jobs print nothing themselves, so the command prints
            their progress."""

    store(
        "ray",
        {
            "_target_": "hydra_plugins.attest_launchers.RayLauncher",
            "ray": {"init": {"address": None, "num_cpus": None, "num_gpus": None}, "remote": {"num_cpus": 1}},
        },
    )

with suppress(ImportError):
    from hydra_plugins.hydra_joblib_launcher.config import JobLibLauncherConf
    from hydra_plugins.hydra_joblib_launcher.joblib_launcher import JoblibLauncher as HydrasJoblibLauncher

    class JoblibLauncher(HydrasJoblibLauncher):
        """The launcher of hydra/launcher=joblib: processes that end with their command, also if it is killed."""

        def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
            from attest.system.parent import end_with_parent

            self.joblib |= {"initializer": end_with_parent, "initargs": (os.getpid(),)}
            return super().launch(job_overrides, initial_job_idx)

    store("joblib", JobLibLauncherConf(_target_="hydra_plugins.attest_launchers.JoblibLauncher"))

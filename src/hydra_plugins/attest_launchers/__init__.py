"""The launcher that hands a table or a sweep to SLURM as one array of jobs, on top of submitit's launcher.

Hydra imports this module whenever it starts, so the work is in modules that are imported when a sweep begins. Without
the extra `slurm` there is no launcher here, and conf/hydra/launcher/slurm.yaml names what is missing.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from hydra.core.utils import JobReturn

with suppress(ImportError):
    from hydra_plugins.hydra_submitit_launcher.submitit_launcher import SlurmLauncher as SubmititLauncher

    class SlurmLauncher(SubmititLauncher):
        """The launcher of hydra/launcher=slurm: an array of jobs, each handed in again until its run is done."""

        def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
            from hydra_plugins.attest_launchers._array import launch_array

            return launch_array(self, job_overrides)

        @property
        def queue(self) -> Any:
            """The queue that the jobs are handed to."""
            from hydra_plugins.attest_launchers._queue import SlurmQueue

            return SlurmQueue()

        def __call__(self, *arguments: Any) -> JobReturn:
            from hydra_plugins.attest_launchers._job import run_job

            return run_job(super().__call__, *arguments)

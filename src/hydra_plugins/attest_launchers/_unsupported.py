"""Settings of Hydra's submitit launcher that hydra/launcher=slurm inherits but does not support."""

from collections.abc import Mapping

from hydra_plugins.hydra_submitit_launcher.config import SlurmQueueConf
from omegaconf import DictConfig, OmegaConf

from attest.config.overrides import key_of
from attest.errors import SettingsError

UNSUPPORTED: Mapping[str, str] = {
    "submitit_folder": "`attest status` looks for the files of jobs in the folder of runs, which paths.runs=... moves",
    "max_num_timeout": "a job that reaches its time limit is requeued until its run is done",
}
"""The names of the settings, and what the launcher does instead."""


def refuse_unsupported(config: DictConfig) -> None:
    """Raise SettingsError for an unsupported setting that a command or a file of the user's own has set.

    `config` is that of the command, with the node `hydra`.
    """
    settings = OmegaConf.to_container(config.hydra.launcher)  # not resolved: the default of a folder is an expression
    defaults = OmegaConf.to_container(OmegaConf.structured(SlurmQueueConf))
    assert isinstance(settings, dict)
    assert isinstance(defaults, dict)
    typed = set(map(key_of, config.hydra.overrides.hydra))
    for name, reason in UNSUPPORTED.items():
        key = f"hydra.launcher.{name}"
        if settings[name] != defaults[name] or key in typed:
            raise SettingsError(f"{key}={settings[name]}: hydra/launcher=slurm has no such setting, because {reason}; "
                                "leave it out")  # fmt: skip

"""attest train: the only module that starts Hydra."""

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.types import TaskFunction
from omegaconf import DictConfig, OmegaConf

from attest.config.compose import check, compose, explained
from attest.config.paths import shipped
from attest.config.schema import plain
from attest.config.settings import Settings
from attest.data.mini.provide import provide_data
from attest.data.split import SPLITS
from attest.errors import AttestError
from attest.runs.identity import name_of
from attest.runs.observers import Watcher


def train(parsed: argparse.Namespace, overrides: list[str]) -> None:
    if parsed.cfg:
        print(OmegaConf.to_yaml(OmegaConf.create(plain(compose(overrides)))))
    elif parsed.multirun:
        start_hydra(["-m", *overrides])
    else:
        compose(overrides)  # whatever is wrong with them is said before Hydra starts, in one sentence
        start_hydra(overrides)


def job(config: DictConfig, hidden: Sequence[str] = ()) -> str:
    """One run, in this process or in a launcher's; returns its id. Nobody is shown the figures of `hidden` splits."""
    from attest.cli.parsers import provide_parser
    from attest.training.run import run
    from attest.training.tasks import TASKS

    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    logging.getLogger("attest").setLevel(logging.INFO)
    settings = check(config)
    provide_data(settings)
    provide_parser(settings)
    record = run(settings, partial(watch, hidden=hidden))
    measure = TASKS[settings.task].measure
    shown = [name for name in SPLITS if name not in hidden and f"{name}/{measure}" in record.metrics]
    figures = "  ".join(f"{name} {record.metrics[f'{name}/{measure}']:.4g}" for name in shown)
    print(f"{name_of(settings)}: {measure} {figures}  run {record.id}", file=sys.stderr, flush=True)
    return record.id


def start_hydra(arguments: Sequence[str], job: TaskFunction = job) -> None:
    """One Hydra application: a run, or a sweep with the launcher and sweeper that the overrides choose."""
    sys.argv = ["attest", *arguments]
    application = hydra.main(version_base="1.3", config_path=str(shipped("conf")), config_name="config")
    failed: list[AttestError] = []

    def alone(config: DictConfig) -> None:
        """Keeps the error of a single run from Hydra, which would say more than is to be said."""
        try:
            job(config)
        except AttestError as error:
            failed.append(error)

    with explained(arguments):
        application(job if "-m" in arguments else alone)()
    if failed:
        raise failed[0]


@contextmanager
def watch(settings: Settings, identity: str, steps: int, hidden: Sequence[str] = ()) -> Iterator[Sequence[Watcher]]:
    """The terminal and W&B, as the settings have it."""
    with ExitStack() as stack:
        watchers: list[Watcher] = []
        if settings.trainer.progress:
            from attest.runs.progress import progress

            alone = HydraConfig.get().launcher._target_.endswith(".BasicLauncher")
            watchers.append(stack.enter_context(progress(name_of(settings), steps, alone=alone)))
        if settings.logger.kind == "wandb":
            from attest.runs.wandb_mirror import mirror

            watchers.append(stack.enter_context(mirror(settings, identity, hidden)))
        yield watchers

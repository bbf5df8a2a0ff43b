"""The job of `attest train` and of a sweep: one run, trained in this process or in one that a launcher started."""

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf

from attest.cli.job_report import JobReport, reported_job
from attest.cli.start_line import start_line
from attest.config.compose import parse_and_check
from attest.config.hydra.cache import SEARCH_PATH
from attest.config.hydra.error_locations import locate_errors_in_own_files
from attest.config.overrides import key_of, root_of
from attest.config.settings import Settings
from attest.config.shell_command import shell_command
from attest.data.mini.provide import provide_data
from attest.data.splits.split import SPLITS
from attest.reproduction.run_context import context_in_table, context_of_command, is_named
from attest.reproduction.tables.membership import check_label, labelled_cell
from attest.runs.finished_run import FinishedRun
from attest.runs.mirrors import open_mirrors
from attest.runs.names import run_name
from attest.runs.notes.command import CommandNote, write_command
from attest.runs.observers import Observer, Observers
from attest.runs.records import Record
from attest.runs.run_card import NAME_LENGTH, RunContext, run_card
from attest.system.gpu_choice import take_own_gpu


def job(config: DictConfig, hidden: Sequence[str] = ()) -> FinishedRun:
    """Train one run, print its main metric on each split except `hidden`, and return its figure on dev and its id.

    Hydra calls this function in this process, or in a process that a launcher started.
    """
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    logging.getLogger("attest").setLevel(logging.INFO)
    with reported_job(config) as report:
        take_own_gpu()
        record, figures, dev = train_one(config, hidden, report)
        report.write("done", record.id, figures=figures, dev=dev)
    return FinishedRun(dev, record.id)


def train_one(config: DictConfig, hidden: Sequence[str], report: JobReport) -> tuple[Record, str, float | None]:
    """Train one run, print its main metric on each split except `hidden`; return its record, what is printed, and its
    figure on dev."""
    from attest.cli.commands.parsers import provide_parser
    from attest.data.inputs import check_inputs
    from attest.training.inputs import lacks_default_parser, training_inputs
    from attest.training.run import run
    from attest.training.tasks import task_class

    with locate_errors_in_own_files(job_overrides()):
        settings = parse_and_check(config, job_overrides())
        check_label(settings.label)
        provide_data(settings)
        if lacks_default_parser(settings):  # training it takes long, so all other inputs are looked for before
            check_inputs(training_inputs(settings))
            provide_parser(settings)
        swept = swept_overrides()
        record = run(settings, partial(observe, report, overrides=job_overrides(), swept=swept, hidden=hidden))
    if not report.run and settings.logger.has_mirror and "logger" in map(root_of, job_overrides()):
        advice = f"`attest wandb push {record.id}` sends its record to W&B"
        print(f"{record.id}: finished earlier, so nothing is logged now; {advice}", file=sys.stderr)
    measure = task_class(settings.task).measure
    splits = [name for name in SPLITS if name not in hidden and f"{name}/{measure}" in record.metrics]
    figures = "  ".join(f"{name} {record.metrics[f'{name}/{measure}']:.4g}" for name in splits)
    print(
        f"{run_name(settings, swept, record.data)}: {measure} {figures}  run {record.id}", file=sys.stderr, flush=True
    )
    return record, f"{measure} {figures}", record.metrics.get(f"dev/{measure}")


def job_overrides() -> list[str]:
    """Return the overrides of the running job, with the one that adds folders of the user's own, if there is one."""
    overrides = HydraConfig.get().overrides
    return [*(text for text in overrides.hydra if key_of(text) == SEARCH_PATH), *overrides.task]


def swept_overrides() -> list[str]:
    """Return those overrides of the running job that differ between the jobs of its sweep; none of a single run."""
    config = HydraConfig.get()
    swept = swept_keys()
    return [text for text in config.overrides.task if key_of(text) in swept]


def swept_keys() -> list[str]:
    """Return the keys that the sweep of the running job varies; none of a single run."""
    return list(OmegaConf.select(HydraConfig.get().sweeper, "swept") or ())


@contextmanager
def observe(
    report: JobReport,
    settings: Settings,
    record: Record,
    steps: int,
    *,
    overrides: Sequence[str],
    swept: Sequence[str] = (),
    hidden: Sequence[str] = (),
) -> Iterator[Observers]:
    """Print the line at the start of a run, note the command of one that no launch has, and yield its observers.

    Observers are what the settings ask for: the terminal and mirrors.
    """
    report.write("running", record.id)
    name = run_name(settings, swept, record.data)
    print(start_line(name, settings, overrides, record.data["splits"]), file=sys.stderr, flush=True)
    with ExitStack() as stack:
        observers: list[Observer] = []
        if settings.trainer.progress:
            from attest.runs.progress import observe_progress

            alone = HydraConfig.get().launcher._target_.endswith(".BasicLauncher")
            observers.append(stack.enter_context(observe_progress(name, steps, alone=alone)))
        if settings.logger.has_mirror:
            card = run_card(record, origin(record, overrides))
            observers += stack.enter_context(open_mirrors(settings, card, hidden))
        if report.folder is None:  # the jobs of a launch are known by it
            note = CommandNote(name=name, command=shell_command("train", *overrides))
            write_command(Path(settings.paths.runs) / record.id, note)
        yield observers


def origin(record: Record, overrides: Sequence[str]) -> RunContext:
    """Return the origin of a run that starts: its cell if it belongs to a table, else the overrides of its command."""
    cell = labelled_cell(record)
    if cell is not None:
        return context_in_table(record, record.label.table, cell)
    return context_of_command(record, overrides, sweep_name(overrides))


def sweep_name(overrides: Sequence[str]) -> str | None:
    """Return a name of the sweep that the running job is part of, or None for a single run.

    It names the search, or the keys that a grid varies and the overrides that all its jobs share.
    """
    sweeper = HydraConfig.get().sweeper
    if search := OmegaConf.select(sweeper, "search"):
        return f"search {search}"
    swept = swept_keys()
    if not swept:
        return None
    shared = [text for text in overrides if key_of(text) not in swept and is_named(text)]
    return " ".join(["sweep of", ", ".join(swept), *(["with", *shared] if shared else [])])[:NAME_LENGTH]

"""attest transfer: evaluate sentence vectors on the tasks of SentEval."""

import argparse
import shlex
import sys
from pathlib import Path

from attest.cli.encoder_runs import check_run_settings, encoder_of_run, open_encoder_run, with_chosen_parser
from attest.cli.external_encoders import (
    BASELINES,
    check_external_settings,
    encoder_inputs,
    external_encoder,
    is_external,
)
from attest.cli.settings_yaml import print_settings
from attest.cli.transfer_report import print_outcome, report_lines, start_line
from attest.config.compose import compose_command
from attest.data.inputs import check_inputs
from attest.data.mini.provide import provide_data
from attest.runs.mirrors import mirror_record
from attest.runs.progress import observe_work
from attest.runs.records import Record
from attest.runs.run_card import RunContext, run_card
from attest.transfer.inputs import transfer_inputs
from attest.transfer.run import run
from attest.transfer.settings import TransferCommand
from attest.transfer.task_data import read_tasks
from attest.transfer.tasks import check_tasks


def transfer(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Evaluate an encoder on tasks of SentEval, and print its figures; with --cfg print the settings and stop."""
    name, trained = parsed.encoder, None
    if is_external(name):
        check_external_settings(overrides)
    else:
        check_run_settings(overrides)
        trained = open_encoder_run(name, overrides)
    scale = [] if trained is None else [f"scale={trained.settings.scale}"]
    settings = compose_command(TransferCommand, "transfer", [*scale, *overrides])
    if parsed.cfg:
        check_tasks(settings.tasks)
        print_settings(settings)
        return
    provide_data(settings)
    data = Path(settings.paths.data)
    check_inputs([*transfer_inputs(settings.tasks, settings, data), *encoder_inputs(name, settings)])
    vectors = settings.vectors.file if name in BASELINES else ""
    print(start_line(name, settings, vectors), file=sys.stderr, flush=True)
    opened = None if trained is None else with_chosen_parser(trained, settings, overrides)
    sets = read_tasks(settings.tasks, data)
    if opened is None:
        encoder = external_encoder(name, settings, sets)
    else:
        encoder = encoder_of_run(opened[0], sets, settings.precision, opened[1])

    def mirror(record: Record) -> None:
        origin = RunContext(command=shlex.join(["attest", "transfer", name, *overrides]), group=record.kind)
        mirror_record(settings, run_card(record, origin, encoder.name), record)

    record = run(
        encoder,
        sets,
        settings,
        settings.paths,
        observe=observe_work,
        on_outcome=print_outcome,
        on_record=mirror,
        scale=settings.scale,
    )
    print("\n".join(report_lines(record, settings)))

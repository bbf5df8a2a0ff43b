"""attest status: the progress of launched jobs, and of runs that were started alone."""

import argparse
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from attest.config.compose import compose_unchecked
from attest.config.shell_command import shell_command
from attest.reproduction.pages.terminal.launches import (
    continuation_lines,
    format_time,
    heading,
    job_table,
    lone_run_table,
)
from attest.reproduction.pages.text_table import for_output
from attest.reproduction.specs.files import check_file_name
from attest.reproduction.specs.table import table_names
from attest.runs.job_views import JobView, job_views
from attest.runs.launches import Launch, all_launches
from attest.runs.unlaunched_runs import unlaunched_runs
from attest.system.slurm import SlurmQueue


def status(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the jobs of each launch that has not ended, or of the latest one of a table, and runs without a launch.

    Print the command that continues an interrupted launch or run.
    """
    runs = Path(compose_unchecked(overrides).paths.runs)
    found = list(all_launches(runs))
    queue = queued_jobs(found)
    launches = [(launch, job_views(launch, queue if launch.cluster_ids else None)) for launch in found]
    shown = list(selected(launches, parsed.name, queue))
    launched = {view.run_id for _, views in shown for view in views}
    alone = [] if parsed.name else [view for view in unlaunched_runs(runs) if view.run_id not in launched]
    if parsed.name and not shown and parsed.name not in table_names():
        titles = sorted({launch.title for launch, _ in launches})
        check_file_name(parsed.name, {*titles, *table_names()}, "no such table, and no such sweep was launched here")
    blocks = [launch_block(launch, views, queue) for launch, views in shown]
    if alone:
        blocks.append(f"Runs of single commands\n\n{for_output(lone_run_table(alone))}")
        if lines := continuation_lines(alone):
            blocks.append("\n".join(lines))
    print("\n\n".join(blocks) or nothing_launched(parsed.name, overrides))


def nothing_launched(table: str | None, overrides: Sequence[str]) -> str:
    """Return the sentence for a table, or for all, of which nothing runs or waits, and what to type."""
    if table is None:
        return "nothing runs or waits here; `attest runs` lists finished runs"
    listed = shell_command("runs", f"table={table}", *overrides)
    return f"nothing of {table} was launched here; `{listed}` lists its runs, `attest reproduce {table}` starts it"


def selected(
    launches: Sequence[tuple[Launch, Sequence[JobView]]], name: str | None, queue: Collection[str] | None
) -> Iterator[tuple[Launch, Sequence[JobView]]]:
    """Yield the latest launch of a table and all others that run, or without a name every launch that has not ended.

    A launch whose jobs were all stopped with its command counts as ended, unless it is the latest. The latest launch
    is shown unless all its jobs are done. `queue` is that of `queued_jobs`.
    """
    for place, (launch, views) in enumerate(item for item in launches if name in (None, item[0].title)):
        active = any(
            view.status == "running" or (view.status == "waiting" and is_alive(launch, queue)) for view in views
        )
        if active or (place == 0 and (name or not all(view.status == "done" for view in views))):
            yield launch, views


def launch_block(launch: Launch, views: Sequence[JobView], queue: Collection[str] | None) -> str:
    """Return the heading of a launch, how to continue one that was interrupted, and the table of its jobs."""
    lines = [heading(launch, views), *launch_continuation(launch, views, queue)]
    return "\n".join([*lines, "", for_output(job_table(views))])


def launch_continuation(launch: Launch, views: Sequence[JobView], queue: Collection[str] | None) -> Iterator[str]:
    """Yield the lines that say when the runs of an interrupted launch last wrote, and which command continues it.

    Yield nothing if all jobs have ended or may still end, or if the command is unknown. A command with characters that
    would change what a terminal shows counts as unknown.
    """
    waits_in_vain = not is_alive(launch, queue)
    if any(view.status == "stopped" or (view.status == "waiting" and waits_in_vain) for view in views):
        if written := max(view.written for view in views):
            yield f"Last wrote: {format_time(written)} (UTC)"
        if launch.command and launch.command.isprintable():
            yield f"To continue, type:  {launch.command}"


def is_alive(launch: Launch, queue: Collection[str] | None) -> bool:
    """Return whether the jobs of a launch that have not begun will begin: its queue or its command still has them."""
    if queue is None or not launch.cluster_ids:
        return launch.command_is_alive
    return any(identity in queue for identity in launch.cluster_ids.values())


def queued_jobs(launches: Sequence[Launch]) -> frozenset[str] | None:
    """Return the ids of this user's jobs in the queue of the cluster; None if no launch has one or it is silent."""
    if not any(launch.cluster_ids for launch in launches):
        return None
    return SlurmQueue().jobs()

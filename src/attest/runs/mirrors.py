"""The mirrors of a run that its settings ask for: Weights & Biases, CSV files, TensorBoard."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal

from attest.config.settings import HasLogger
from attest.runs.observers import Observers
from attest.runs.records import Record
from attest.runs.run_card import RunCard

FILES: tuple[Literal["csv", "tensorboard"], ...] = ("csv", "tensorboard")


@contextmanager
def open_mirrors(settings: HasLogger, card: RunCard, hidden: Sequence[str] = ()) -> Iterator[Observers]:
    """Yield the mirrors of a run, without the final metrics of the `hidden` splits; loading them takes long."""
    with ExitStack() as stack:
        mirrors = []
        for kind in FILES:
            if getattr(settings.logger, kind):
                from attest.runs.lightning_mirror import mirror_to_files

                folder = Path(settings.paths.runs) / card.id
                mirrors.append(stack.enter_context(mirror_to_files(kind, folder, card, hidden)))
        if settings.logger.wandb:
            from attest.runs.wandb.mirror import mirror_run

            mirrors.append(stack.enter_context(mirror_run(settings, card, hidden)))
        yield mirrors


def mirror_record(settings: HasLogger, card: RunCard, record: Record) -> None:
    """Send a finished record to the mirrors that the settings ask for."""
    with open_mirrors(settings, card) as mirrors:
        for mirror in mirrors:
            mirror.finished(record)

"""The settings of where a run is written: folders, mirrors, and the table that it was started for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from typing import Protocol as Interface

from attest.config.constraints import FolderName

Folder = Annotated[str, FolderName()]
"""The path of a folder."""


@dataclass(frozen=True, kw_only=True)
class Logger:
    """The mirrors of a run: a project on Weights & Biases (W&B), and files that other programs read."""

    wandb: bool = False
    """True if the run is mirrored on W&B."""
    csv: bool = False
    """True if its figures are written to runs/ID/csv, by Lightning's CSV logger."""
    tensorboard: bool = False
    """True if its figures are written to runs/ID/tensorboard, for TensorBoard."""
    project: str = "attest"
    """The name of the project on W&B."""
    entity: str | None = None
    """The user or team on W&B that owns the project; null: the default one of the API key."""
    group: str | None = None
    """The group of the run on W&B; null: the table that it belongs to, or its sweep."""
    job_type: str | None = None
    """The type of the run on W&B; null: the kind of its record, such as train."""
    tags: Sequence[str] = ()
    """Further tags of the run on W&B, besides its paper, dataset, scale, protocol, mask and optimizer."""
    notes: str | None = None
    """The notes of the run on W&B; null: its command."""
    online: bool | None = None
    """True if records are uploaded at once. If null, WANDB_MODE decides or, if unset, whether there is an API key."""
    artifacts: bool = False
    """True if W&B also gets the test predictions, as a table, and the best weights, as an artifact."""

    @property
    def has_mirror(self) -> bool:
        """True if there is any mirror."""
        return self.wandb or self.csv or self.tensorboard


@dataclass(frozen=True, kw_only=True)
class Paths:
    """The folders that are read from or written to."""

    home: Folder
    """The folder below which all others are by default: ATTEST_HOME, the checkout, or the user's data folder."""
    data: Folder
    """The folder of the official files: data sets and word vectors."""
    cache: Folder
    """The folder of prepared data, which can be deleted at any time."""
    runs: Folder
    """The folder of checkpoints and weights."""
    results: Folder
    """The folder of records, tables and figures."""
    wandb: Folder
    """The folder in which Weights & Biases keeps its files."""
    hydra: Folder
    """The folder in which Hydra keeps its files."""

    @property
    def records(self) -> str:
        """The folder of records."""
        return f"{self.results}/records"


@dataclass(frozen=True, kw_only=True)
class Label:
    """The table and the row for which a run was started, for people to read."""

    table: str = ""
    """The name of the table; empty: none."""
    row: str = ""
    """The row of the table; empty: none."""


class HasPaths(Interface):
    """Settings with a scale and folders: those of a run, or of a command that reads and writes files."""

    @property
    def scale(self) -> str: ...

    @property
    def paths(self) -> Paths: ...


class HasLogger(HasPaths, Interface):
    """Settings that also say where records are mirrored."""

    @property
    def logger(self) -> Logger: ...

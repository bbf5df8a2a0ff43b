"""Tracked records keep their names and their cells: what an id or a cell hashes today, it hashes tomorrow."""

import functools
import inspect
import json
import re
from pathlib import Path

import pytest
import torch
from golden_files import golden_text
from places import ROOT

from attest.config.build import build_model
from attest.config.compose import compose
from attest.config.flat import to_plain
from attest.config.flat import unflatten as with_settings_of_machine
from attest.config.paths import shipped_folder
from attest.config.schema import from_plain
from attest.config.settings import Settings
from attest.config.yaml_files import read_yaml
from attest.models.word_vectors import WordVectors
from attest.reproduction.specs.table import load_table, table_names
from attest.reproduction.tables.cells import cells
from attest.runs.identity import digest, run_id
from attest.runs.records import Record
from attest.runs.store import Store
from attest.training.schedule import Schedule

RECORDS = list(Store(ROOT / "results" / "records"))
CELLS = Path(__file__).with_name("cells.json")


@functools.cache
def composed(scale: str, dataset: str, vectors: str) -> Settings:
    return compose([f"scale={scale}", f"dataset={dataset}", *([f"vectors={vectors}"] if vectors else [])])


@functools.cache
def vectors_named() -> dict[str, str]:
    return {read_yaml(path)["file"]: path.stem for path in sorted((shipped_folder("conf") / "vectors").glob("*.yaml"))}


def id_of_training(record: Record) -> str:
    flat = record.settings
    here = composed(flat["scale"], flat["dataset.name"], vectors_named().get(flat["vectors.file"], ""))
    return run_id(from_plain(Settings, with_settings_of_machine(flat, here)), record.fingerprint)


def id_of(record: Record) -> str:
    settings, versions, fingerprint = to_plain(record.settings), to_plain(record.versions), record.data["fingerprint"]
    match record.kind:
        case "train":
            return id_of_training(record)
        case "parser" | "parser_test":
            return digest([settings, versions, fingerprint])
        case "subset":
            return digest([settings, versions["subset"], fingerprint])
        case "transfer":
            return digest([settings, versions["transfer"], record.data["encoder"], fingerprint])
        case "attention":
            texts = [sentence["text"] for sentence in record.data["sentences"]]
            return digest([record.parents[0], texts, versions["attention"]])
        case "bench":
            where = record.environment
            machine = [where["processor"], where["cores"], where["threads"], where["packages"]["torch"]]
            return digest([settings, versions["benchmark"], machine])


@pytest.mark.parametrize("kind", sorted({record.kind for record in RECORDS}))
def test_the_id_of_every_record_follows_from_what_it_holds(kind):
    wrong = {record.id: id_of(record) for record in RECORDS if record.kind == kind and id_of(record) != record.id}
    assert not wrong, f"{len(wrong)} {kind} records have other ids now, such as {next(iter(wrong.items()))}"


def weights_of(settings: Settings) -> str:
    """A digest of the name and shape of every weight: files of weights from before open as long as it stays."""
    with torch.device("meta"):
        encoder, head = build_model(settings, settings.vectors.size)
    named = [
        (f"{part}.{name}", list(value.shape))
        for part, module in (("encoder", encoder), ("head", head))
        for name, value in module.state_dict().items()
    ]
    return digest(sorted(named))


def test_cells_keep_their_ids_and_their_weights_their_names():
    """A cell that is new adds a line to cells.json; one that changes loses its records."""
    found = {
        f"{table} {cell.row} {cell.panel.name} {cell.variant}".strip(): f"{cell.id} {weights_of(cell.settings)}"
        for table in table_names()
        for cell in cells(load_table(table), "paper")
    }
    golden = json.loads(golden_text(CELLS, lambda: json.dumps(found, indent=0, sort_keys=True) + "\n"))
    lost = {name: (identity, found.get(name)) for name, identity in golden.items() if found.get(name) != identity}
    assert not lost, f"{len(lost)} cells have other ids now, such as {next(iter(lost.items()))}"
    assert found.keys() == golden.keys(), f"add to {CELLS.name}: {sorted(found.keys() - golden.keys())}"


def test_checkpoints_keep_the_names_that_they_are_read_by():
    """Lightning finds the state of a callback by the name of its class."""
    times = {"step_seconds", "wall_seconds", "steps_in_sum", "ended_at"}
    state = {"best_step", "best_value", "curve", "devices", "code_parts", *times}
    assert Schedule.__qualname__ == "Schedule"
    assert set(re.findall(r'^            "(\w+)":', inspect.getsource(Schedule.state_dict), re.MULTILINE)) == state
    words = WordVectors(torch.zeros(4, 2), 1, trainable=True, unknown_range=0.1, sparse=False)
    assert set(words.state_dict()) == {"trained", "fixed"}

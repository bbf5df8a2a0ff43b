import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest
from runs.made_records import made_record

from attest.config.flat import to_plain
from attest.errors import LeaseLostError, RecordError, StorageError
from attest.runs import store as store_module
from attest.runs.known_stores import all_records
from attest.runs.records import Cost, Record
from attest.runs.store import Store, find_record
from attest.system import files
from attest.system.leases import lease, lease_file


def record(identity: str = "abc", **changes) -> Record:
    cost = Cost(step_seconds=1.0, epoch_seconds=2.0, full_epoch_seconds=3.0, wall_seconds=4.0, peak_bytes=5)
    facts = {"settings": {"seed": 0}, "versions": {"model": 1}, "metrics": {"test/accuracy": 50.0}, "cost": cost}
    return made_record(identity, **{**facts, **changes})


def test_a_record_survives_the_disk(tmp_path):
    store = Store(tmp_path / "records")
    predictions = {"rows": np.arange(3), "predictions": np.zeros(3, np.int16)}
    store.put(record(), predictions)
    assert store.get("abc") == record()
    assert list(store) == [record()]
    assert store.arrays("abc")["rows"].tolist() == [0, 1, 2]
    assert sorted(path.name for path in store.folder.iterdir()) == ["abc.json", "abc.npz"]
    assert store.get("xyz") is None


def test_no_record_stands_beside_the_predictions_of_another_training(tmp_path, monkeypatch):
    """A full disk or a kill between the two files of a repetition left the record of the earlier training."""
    store = Store(tmp_path)
    store.put(record(), {"rows": np.arange(3)})

    def fail(path, data):
        raise StorageError("no space")

    with monkeypatch.context() as patch:
        patch.setattr(store_module, "write_json", fail)
        with pytest.raises(StorageError):
            store.put(record(), {"rows": np.arange(4)})
    assert store.get("abc") is None
    store.put(record(), {"rows": np.arange(4)})
    assert store.get("abc") == record()


@pytest.mark.parametrize("disks", [1, 2])
def test_a_record_is_removed_only_under_the_lease_that_is_held(disks, tmp_path, monkeypatch):
    store, folder = Store(tmp_path / "records"), tmp_path / "runs/abc"
    store.put(record())
    store.remove("another")
    if disks == 2:
        replace = os.replace

        def between_disks(source, target):
            if store.folder == Path(source).parent != Path(target).parent:
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
            replace(source, target)

        monkeypatch.setattr(files.os, "replace", between_disks)
    with lease(lease_file(folder)) as mine:
        mine.path.unlink()
        with pytest.raises(LeaseLostError):
            store.remove("abc")
        assert store.get("abc") == record()
    with lease(lease_file(folder)):
        store.remove("abc")
    assert store.get("abc") is None


def test_stores_are_merged_by_copying(tmp_path):
    for name in ("a", "b"):
        Store(tmp_path / name).put(record(name))
    (tmp_path / "b/b.json").rename(tmp_path / "a/b.json")
    assert [found.id for found in Store(tmp_path / "a")] == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not a readable record"),
        (json.dumps({**to_plain(record()), "metrcs": {}}), "metrcs: unknown setting. Did you mean metrics"),
        (json.dumps({**to_plain(record()), "status": "fine"}), "'fine' is not one of running, done, failed"),
        (json.dumps({**to_plain(record()), "schema": 99}), "newer version of Attest"),
        (json.dumps({"schema": 99, "of": "another day"}), "newer version of Attest"),
        (json.dumps(to_plain(record("xyz"))), "holds the record of run xyz"),
        ("[" * 100_000, "not a readable record .*remove it to run"),
        (json.dumps(to_plain(record("../../x"))), r"not a readable record .id: expected letters and digits, got '../"),
        (json.dumps(to_plain(record(status="running"))), "status: 'running' is not one of done, failed"),
        (
            json.dumps(to_plain(record(selected={"step": "../../../evil", "rule": "best"}))),
            r"not a readable record .selected.step: expected a whole number, got '../../../evil'",
        ),
    ],
)
def test_a_damaged_record_is_named(tmp_path, content, message):
    (tmp_path / "abc.json").write_text(content)
    with pytest.raises(RecordError, match=message):
        Store(tmp_path).get("abc")


def test_predictions_hold_no_objects(tmp_path):
    np.savez(tmp_path / "abc.npz", rows=np.array([{}], dtype=object))
    with pytest.raises(RecordError, match="allow_pickle"):
        Store(tmp_path).arrays("abc")


def test_damaged_predictions_are_named(tmp_path):
    Store(tmp_path).put(record(), {"rows": np.arange(100)})
    whole = (tmp_path / "abc.npz").read_bytes()
    for content in (whole[:-30], whole[:60], b"", b"no archive"):
        (tmp_path / "abc.npz").write_bytes(content)
        with pytest.raises(RecordError, match=r"abc.npz: not readable .* remove it and its record"):
            Store(tmp_path).arrays("abc")


def test_a_finished_run_counts_before_a_failed_one_of_an_earlier_store(tmp_path):
    local, tracked = Store(tmp_path / "local"), Store(tmp_path / "tracked")
    local.put(record(status="failed", error="broken"))
    tracked.put(record())
    assert [found.status for found in all_records([local, tracked])] == ["done"]
    assert find_record("abc", [local, tracked]).status == "done"
    assert find_record("abc", [tracked, local]).status == "done"


@pytest.mark.parametrize(("number", "shown"), [(3, "a0, a1, a2"), (9, "a0, a1, a2, a3, a4 and 4 more")])
def test_an_ambiguous_beginning_of_an_id_names_a_few_ids(number, shown, tmp_path):
    store = Store(tmp_path)
    for last in range(number):
        store.put(record(f"a{last}"))
    with pytest.raises(RecordError, match=rf"a: {number} ids begin with this \({shown}\); type more characters"):
        find_record("a", [store])


def test_an_empty_id_is_that_of_no_record(tmp_path):
    store = Store(tmp_path)
    store.put(record())
    with pytest.raises(RecordError, match="'': no run has this id; type an id that `attest runs` lists"):
        find_record("", [store])

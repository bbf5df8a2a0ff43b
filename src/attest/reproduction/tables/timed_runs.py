"""The runs of a row whose times may be averaged: those on a CPU or, if there are none, those on GPUs."""

from collections.abc import Sequence

from attest.runs.records import Record


def used_gpu(record: Record) -> bool:
    """Return whether a run was trained on a GPU, also if only in part."""
    gpu = record.environment.get("gpu")
    return gpu is not None and any(used.get("name") == gpu for used in record.devices)


def runs_with_times(records: Sequence[Record]) -> Sequence[Record]:
    """Return the runs on a CPU, or all of them if each was trained on a GPU."""
    return [record for record in records if not used_gpu(record)] or records


def gpus_used(records: Sequence[Record]) -> list[str]:
    """Return the names of the GPUs that the runs were trained on, each once."""
    return list(dict.fromkeys(str(record.environment["gpu"]) for record in records if used_gpu(record)))

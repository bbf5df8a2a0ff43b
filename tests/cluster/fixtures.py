"""The fixtures of the tests on a SLURM of one node, each test module with one of its own."""

import pytest
from cluster import slurm as own_slurm
from homes import with_corpora


@pytest.fixture(scope="module")
def cluster():
    if reason := own_slurm.missing():
        pytest.skip(f"there is no SLURM to test with: {reason}")
    with own_slurm.running_slurm() as slurm:
        yield slurm


@pytest.fixture(scope="module")
def places(tmp_path_factory, mini_data):
    """Return a function that makes a home, in which the built-in corpora are made already."""
    base = tmp_path_factory.mktemp("cluster")
    return lambda name: with_corpora(base / name, mini_data)

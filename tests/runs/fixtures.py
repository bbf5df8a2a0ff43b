"""The fixtures of the tests of Weights & Biases: an account on a server of this machine."""

import pytest


@pytest.fixture
def server(home, monkeypatch):
    """A server that stands in for W&B's, and an API key for it; what it is sent can be read from it."""
    from runs.fake_wandb import fake_account  # imported late: pytest loads this file for every test

    with fake_account(monkeypatch) as running:
        yield running

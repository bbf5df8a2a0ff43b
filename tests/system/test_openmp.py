"""Threads sleep while they wait where other programs, or our other runs, need the cores."""

import os

import pytest

from attest.system import openmp


@pytest.fixture(autouse=True)
def variables(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(os, "environ", environment := {"PATH": "/bin"})
    return environment


def with_load(monkeypatch, load):
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))


@pytest.mark.parametrize(
    ("load", "arguments", "policy"),
    [
        (0.3, ["train"], None),
        (2.0, ["train"], "PASSIVE"),
        (0.3, ["reproduce", "disan/table1", "hydra/launcher=joblib"], "PASSIVE"),
    ],
)
def test_a_busy_machine_gets_threads_that_sleep(load, arguments, policy, variables, monkeypatch):
    with_load(monkeypatch, load)
    openmp.choose_wait_policy(arguments)
    assert variables.get("OMP_WAIT_POLICY") == policy


@pytest.mark.parametrize("name", ["OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"])
def test_a_choice_of_the_user_stays(name, variables, monkeypatch):
    with_load(monkeypatch, 9.0)
    variables[name] = "1"
    openmp.choose_wait_policy(["train"])
    assert {key: value for key, value in variables.items() if key in openmp.OWN_CHOICES} == {name: "1"}


def test_a_system_that_does_not_know_its_load_counts_as_quiet(monkeypatch):
    def unknown():
        raise OSError

    monkeypatch.setattr(os, "getloadavg", unknown)
    assert not openmp.is_busy()


def test_the_command_line_chooses_before_torch_is_loaded(monkeypatch, cli):
    chosen = []
    monkeypatch.undo()
    monkeypatch.setattr("attest.cli.choose_wait_policy", chosen.append)
    cli.output("data", "list", "snli")
    assert chosen == [["data", "list", "snli"]]

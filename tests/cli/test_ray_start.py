"""A Ray that does not start ends in one sentence; tests/cluster has those of a Ray that does."""

import sys
from importlib import import_module
from types import SimpleNamespace

import pytest
from omegaconf import OmegaConf

from attest.errors import MachineError


def test_a_ray_that_does_not_start_is_named(monkeypatch):
    starts = []

    def give_up(**options):
        starts.append(options.get("address"))
        raise Exception("The current node timed out\n during startup.")  # of this very class

    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(init=give_up, shutdown=lambda: None))
    for name in ("RAY_USAGE_STATS_ENABLED", "RAY_worker_niceness", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"):
        monkeypatch.setenv(name, "0")
    module = import_module("hydra_plugins.attest_launchers._ray")
    del sys.modules[module.__name__]  # it holds the Ray of this test
    with (
        pytest.raises(MachineError, match=r"Ray did not start \(The current node timed out during startup\.\); repeat"),
        module.running_ray(OmegaConf.create({"address": None})),
    ):
        pass
    assert starts == ["local", "local"], "it is started once more, since a busy machine is slow"
    with (
        pytest.raises(
            MachineError, match=r"cannot join Ray at host:1 \(The current .* with RAY_AUTH_MODE=token in front"
        ),
        module.running_ray(OmegaConf.create({"address": "host:1"})),
    ):
        pass
    assert starts[2:] == ["host:1"]

"""Tables and sweeps through Ray, which the command starts and stops on this machine: `make test-cluster`.

Ray's launcher needs older packages than the tests, so it is in an environment of its own: `make .venv-ray`.
"""

import os
import signal
import subprocess
import sys
from importlib.util import find_spec

import pytest
from cluster.listening import free_ports, listening_addresses, wait_until_listening
from cluster.tables import QUICK, records_in, run_here, slowly, variables
from commands import wait_until_begun
from homes import with_corpora
from places import ROOT

BESIDE = ROOT / ".venv-ray/bin/python"

HERE = find_spec("ray") is not None
if not HERE and not BESIDE.is_file():
    pytest.skip("there is no Ray to test with: type make .venv-ray", allow_module_level=True)

PYTHON = sys.executable if HERE else str(BESIDE)
RAY = ("hydra/launcher=ray", "hydra.launcher.ray.init.num_cpus=2")


def test_a_table_has_the_records_of_the_basic_launcher(tmp_path, mini_data):
    table = ("reproduce", "disan/table1", "rows=s2t,disan", "seeds=1", *QUICK)
    records = run_here(with_corpora(tmp_path / "ray", mini_data), *table, *RAY, python=PYTHON)
    assert len(records) == 2
    assert records == run_here(with_corpora(tmp_path / "basic", mini_data), *table)


def test_a_ray_that_runs_is_joined_with_its_token(tmp_path, mini_data):
    token = tmp_path / "token"
    token.write_text("0123456789abcdef" * 4)
    asks = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token)}
    home = with_corpora(tmp_path / "home", mini_data)
    table = ("reproduce", "disan/table1", "rows=s2t", "seeds=1", *QUICK)
    (port,) = free_ports(1)
    there = ("hydra/launcher=ray", f"hydra.launcher.ray.init.address=127.0.0.2:{port}")
    started = subprocess.Popen(
        [PYTHON, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--disable-usage-stats", "--num-cpus=1",
         "--include-dashboard=false", "--node-ip-address=127.0.0.2", f"--port={port}"],
        env={**variables(home), **asks}, stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        wait_until_listening("127.0.0.2", port)
        assert len(run_here(home, *table, *there, python=PYTHON, **asks)) == 1
    finally:
        os.killpg(started.pid, signal.SIGTERM)
        started.wait(60)


def test_ctrl_c_saves_the_runs_that_have_begun_and_ray_ends(tmp_path, mini_data):
    home = with_corpora(tmp_path / "home", mini_data)
    arguments = ("train", "-m", "model=s2t", "seed=1,2,3", "protocol.steps=1000", *QUICK[1:], *slowly(0.1), *RAY)
    process = subprocess.Popen(
        [PYTHON, "-m", "attest.cli", *arguments], cwd=ROOT, env=variables(home), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        wait_until_begun(home, 2)
        assert listening_addresses(home) == {"127.0.0.1"}, "nothing of a Ray of our own can be reached from elsewhere"
        os.killpg(process.pid, signal.SIGINT)
        printed, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130, printed
    assert "Traceback" not in printed
    assert "stopped: 2 runs saved at their last steps, 1 run not begun." in printed
    assert "3 runs: 1 waiting, 2 stopped" in printed
    assert len(list(home.glob("runs/*/last.ckpt"))) == 2
    assert not records_in(home)

"""Where SLURM is installed, a run trains as it does elsewhere. Warnings are errors in tests, those of Lightning too."""

import shutil

import pytest

from attest.training import run


@pytest.mark.parametrize("variables", [{}, {"SLURM_NTASKS": "2", "SLURM_JOB_NAME": "mine", "SLURM_JOB_ID": "7"}])
def test_a_run_on_a_cluster_needs_no_srun(variables, settings_with, tmp_path, monkeypatch):
    srun = tmp_path / "srun"
    srun.write_text("#!/bin/sh\nexit 1\n")
    srun.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert shutil.which("srun") == str(srun)
    assert run.run(settings_with("protocol.steps=1", "model=s2t", "trainer.on_train=false")).status == "done"

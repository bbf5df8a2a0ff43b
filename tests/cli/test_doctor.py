"""attest doctor, as a user types it."""

import os

import pytest
from commands import run as attest


def test_doctor_says_which_back_end_is_in_use_and_why():
    done = attest("doctor", "trainer.attention=reference")
    assert done.returncode == 0, done.stderr
    assert "attention  reference: chosen by trainer.attention (trainer.attention=reference)" in done.stdout
    chosen = ("gpu, since torch finds one", "cpu, since torch finds no GPU")
    assert any(f"device     {text}" in done.stdout for text in chosen)
    apple = attest("doctor", "trainer.accelerator=mps", "trainer.precision=auto", "scale=paper")
    assert "device     mps, as trainer.accelerator=mps says" in apple.stdout
    assert "precision  fp32; the mps has no instructions for bf16" in apple.stdout
    without = attest("doctor", CXX="/nowhere/g++", XDG_CACHE_HOME=os.environ["ATTEST_HOME"])
    assert "attention  reference: /nowhere/g++ cannot be run" in without.stdout


@pytest.mark.parametrize(
    ("written", "variables", "settings", "text"),
    [
        ("disabled", {}, [], "W&B: off, by `wandb disabled`; type wandb enabled (logger=wandb)"),
        ("disabled", {"WANDB_MODE": "disabled"}, [], "W&B: off, by WANDB_MODE (logger=wandb)"),
        ("online", {"WANDB_MODE": "disabled"}, [], "W&B: off, by WANDB_MODE (logger=wandb)"),
        ("disabled", {"WANDB_MODE": "offline"}, [], "W&B: runs are kept offline (logger=wandb)"),
        ("disabled", {}, ["logger.online=true"], "W&B: runs are uploaded once there is an API key; type wandb login"),
        ("offline", {}, ["logger=none"], "none (logger=none)"),
    ],
)
def test_doctor_says_what_becomes_of_runs_on_w_and_b(written, variables, settings, text, tmp_path):
    (tmp_path / "wandb").mkdir()
    (tmp_path / "wandb/settings").write_text(f"[default]\nmode = {written}\n")  # as `wandb disabled` writes it
    done = attest("doctor", "logger=wandb", *settings, cwd=tmp_path, **variables)
    assert done.returncode == 0, done.stderr
    assert f"loggers    {text}" in done.stdout

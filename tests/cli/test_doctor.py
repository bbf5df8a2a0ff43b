"""attest doctor, as a user types it."""

import os

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

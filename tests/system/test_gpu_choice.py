"""Each process of a machine takes a GPU of its own."""

import os

import pytest
import torch
from commands import call

from attest.system import gpu_choice

GPUS = 3


@pytest.fixture(autouse=True)
def nothing_held(monkeypatch):
    monkeypatch.setattr(gpu_choice, "_held", held := [])
    monkeypatch.setenv(gpu_choice.VISIBLE, "")
    yield
    for file in held:
        file.close()


def take(folder):
    os.environ.pop(gpu_choice.VISIBLE, None)  # that of this test, if it started the process
    torch.cuda.device_count = lambda: GPUS
    return gpu_choice.take_own_gpu(gpu_choice.Path(folder))


def test_processes_take_different_gpus_and_share_them_when_all_are_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: GPUS)
    assert gpu_choice.take_own_gpu(tmp_path) == "0"
    assert gpu_choice.take_own_gpu(tmp_path) is None, "it has one"
    assert os.environ[gpu_choice.VISIBLE] == "0"
    assert call(take, str(tmp_path)) == "1"
    assert call(take, str(tmp_path)) == "1", "the process before has ended"
    assert [gpu_choice.lock_least_used("012", tmp_path) for _ in range(2)] == ["1", "2"]
    assert call(take, str(tmp_path)) == "0", "all are taken once"
    assert gpu_choice.lock_least_used("34", tmp_path) == "3", "those that other processes see do not count"
    assert gpu_choice.lock_least_used("01", tmp_path) == "0"


def test_only_the_gpus_that_are_visible_are_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setenv(gpu_choice.VISIBLE, "5,7")
    assert gpu_choice.take_own_gpu(tmp_path) == "5"
    monkeypatch.setenv(gpu_choice.VISIBLE, "5,7")
    monkeypatch.setattr(gpu_choice, "_held", others := [])
    assert gpu_choice.take_own_gpu(tmp_path) == "7"
    others[0].close()


@pytest.mark.parametrize("number", [0, 1])
def test_a_single_gpu_is_no_choice(number, tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: number)
    assert gpu_choice.take_own_gpu(tmp_path) is None
    assert os.environ[gpu_choice.VISIBLE] == ""
    assert list(tmp_path.iterdir()) == []

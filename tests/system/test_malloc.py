"""Freed memory: kept and reused by a process that trains, returned to the system where a peak is measured."""

import subprocess
import sys

from marks import glibc

from attest.system import malloc

FAULTS = """
import resource, torch
from attest.system import malloc

def fresh_pages(megabytes):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    torch.empty(megabytes * 2**18).fill_(1.0)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

sizes = 200, 100, 150
for prepare in (lambda: None, malloc.keep_freed_memory, malloc.release_freed_memory):
    prepare()
    for megabytes in sizes * 12:
        fresh_pages(megabytes)
    print(min(sum(map(fresh_pages, sizes)) for _ in range(5)))  # the system may take pages back in between
"""
"""A program that prints how many pages the system gives at least for tensors like those that it has freed before: at
first, while freed memory is kept, and when it is released again."""


@glibc
def test_large_tensors_are_new_pages_each_time_unless_memory_is_kept():
    done = subprocess.run([sys.executable, "-c", FAULTS], capture_output=True, text=True, check=True)
    at_first, kept, released = map(int, done.stdout.split())
    assert at_first > 200
    assert kept < 20
    assert released > 200


def test_where_there_is_no_glibc_nothing_changes(monkeypatch):
    asked = []
    monkeypatch.setattr(malloc.ctypes, "CDLL", lambda name: asked.append(name) or object())
    malloc.keep_freed_memory()
    malloc.release_freed_memory()
    assert asked == [None] * 6  # each setting was tried, and none was there

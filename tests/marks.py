"""Marks of tests that only some machines can run."""

import platform
import sys

import pytest

from attest.models.kernels import library

needs_kernels = pytest.mark.skipif(library.compiler() is None, reason="there is no C++ compiler here")
"""For tests of the kernels. Where there is a compiler, kernels that cannot be built are a failure and no reason."""
glibc = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="what is freed is kept or given back by glibc")
linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc and /dev/full are Linux's")

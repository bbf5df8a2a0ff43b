"""Programs on a terminal that is closed while they run, as that of a lost connection is."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def on_closed_terminal(program: str, begun: bytes) -> Iterator[subprocess.Popen[bytes]]:
    """Yield the process of a Python program whose terminal was closed when it had printed `begun`."""
    terminal, its_side = os.openpty()
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=its_side, stderr=its_side) as process:
        os.close(its_side)
        assert os.read(terminal, 100) == begun
        os.close(terminal)
        yield process

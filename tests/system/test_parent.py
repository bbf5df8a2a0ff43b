"""The end of a process with its parent; tests of transfer and of launches have processes of a pool."""

import os
import subprocess
import sys
import threading

from attest.system.parent import end_with_parent


def test_a_process_whose_parent_is_another_one_ends_at_once():
    code = "import os; from attest.system.parent import end_with_parent; end_with_parent({}); print('goes on')"
    for parent, printed in (("os.getppid()", "goes on\n"), (str(os.getppid()), "")):
        done = subprocess.run([sys.executable, "-c", code.format(parent)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0 if printed else 1, printed), done.stderr


def test_the_process_of_the_command_itself_goes_on():
    end_with_parent(os.getpid())
    assert "end_with_parent" not in {thread.name for thread in threading.enumerate()}

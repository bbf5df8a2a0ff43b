"""What is known of a process by its number and the time at which it began."""

import os

from marks import linux

from attest.system import processes


@linux
def test_a_process_is_alive_only_with_its_own_start_time():
    assert processes.is_alive(os.getpid(), processes.start_time(os.getpid()))
    assert not processes.is_alive(os.getpid(), "1")
    assert len(processes.process_namespace()) == 8

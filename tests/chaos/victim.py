"""Command lines that are killed, or kill themselves, without loading torch each time.

Reads lines of JSON {"home": ..., "moment": ..., "arguments": [...], "errors": file}, forks a process for each, and
answers with two lines: its number, and {"status": exit status, negative for a signal}.

`moment` is "N:before" or "N:after": the N-th rename, link or flush to disk of that process, at which it sends itself
SIGKILL. "0:never" kills nobody; the number of such moments is then the last line of the file of errors.
"""

import json
import os
import signal
import sys

import attest.cli.tables
import attest.training.run

NAMES = ("replace", "rename", "fsync", "link")


def set_traps(number: int, side: str) -> list[int]:
    """Every write of this process is counted, and the chosen one is its last."""
    seen = [0]

    def deadly(function):
        def call(*arguments, **options):
            seen[0] += 1
            chosen = seen[0] == number
            if chosen and side == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            result = function(*arguments, **options)
            if chosen and side == "after":
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return call

    for name in NAMES:
        setattr(os, name, deadly(getattr(os, name)))
    return seen


def live(task: dict) -> int:
    """What the forked process does."""
    descriptor = os.open(task["errors"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(descriptor, 2)
    os.dup2(descriptor, 1)
    os.environ["ATTEST_HOME"] = task["home"]
    number, _, side = task["moment"].partition(":")
    seen = set_traps(int(number), side)
    code = attest.cli.main(task["arguments"])
    print(f"\n{seen[0]}", file=sys.stderr, flush=True)
    return code


def serve() -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            os._exit(live(json.loads(line)))
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(json.dumps({"status": os.waitstatus_to_exitcode(status)}), flush=True)


if __name__ == "__main__":
    serve()

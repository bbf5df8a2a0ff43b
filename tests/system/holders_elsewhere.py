"""Holders of leases that are not this process, for tests of leases."""

from dataclasses import replace

from attest.system.holders import Holder

ELSEWHERE = Holder(host="other", place="ffffffff", pid=1, began="5", token="t")
"""A process on another machine."""


def dead_holder() -> Holder:
    """Return a holder on this machine whose process has ended: no system numbers its processes so high."""
    return replace(Holder.here(), pid=2**22 + 1)

"""The holder of a lease on another machine, for tests of leases."""

from attest.system.holders import Holder

ELSEWHERE = Holder(host="other", place="ffffffff", pid=1, began="5", token="t")

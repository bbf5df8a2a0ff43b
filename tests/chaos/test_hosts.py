"""Two hosts on a failing disk: one run, made once, with nothing lost. `make schedules` plays a thousand schedules."""

from collections import Counter

from chaos.schedules import play

SCHEDULES = 40


def test_two_hosts_never_make_a_run_twice_and_lose_nothing():
    counts: Counter[str] = Counter()
    for seed in range(SCHEDULES):
        world = play(seed)
        assert not world.violations, f"schedule {seed}: {world.violations}"
        counts += Counter(world.counts)
    assert all(counts[name] > 0 for name in ("leases lost", "stops", "kills", "errors of the disk")), counts

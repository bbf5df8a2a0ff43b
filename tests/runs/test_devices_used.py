from attest.runs.devices_used import describe_uses, has_moved, with_device_use

BEGUN = [{"name": "A", "precision": "fp32", "from_step": 0}]
MOVED = [*BEGUN, {"name": "B", "precision": "fp32", "from_step": 300}]


def test_a_run_lists_a_device_once_while_it_stays_there():
    assert with_device_use([], "A", "fp32", 0) == BEGUN
    assert with_device_use(BEGUN, "A", "fp32", 300) == BEGUN
    assert with_device_use(BEGUN, "B", "fp32", 300) == MOVED
    assert with_device_use(MOVED, "A", "fp32", 400) == [*MOVED, {"name": "A", "precision": "fp32", "from_step": 400}]


def test_a_device_without_a_step_is_not_listed():
    assert with_device_use(MOVED, "A", "fp32", 300) == BEGUN
    assert with_device_use(BEGUN, "B", "fp32", 0) == [{"name": "B", "precision": "fp32", "from_step": 0}]


def test_devices_are_described_in_their_order():
    assert describe_uses(BEGUN) == "A (fp32)"
    assert describe_uses(MOVED) == "A (fp32), from step 301 on B (fp32)"
    assert has_moved(MOVED)
    assert not has_moved(BEGUN)
    assert not has_moved([])

from attest.reproduction.plurals import counted


def test_counted():
    assert [counted(number, "run") for number in (0, 1, 2, 1200)] == ["0 runs", "1 run", "2 runs", "1,200 runs"]

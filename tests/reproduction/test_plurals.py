from attest.reproduction.plurals import pluralize, pluralize_range


def test_counted():
    assert [pluralize(number, "run") for number in (0, 1, 2, 1200)] == ["0 runs", "1 run", "2 runs", "1,200 runs"]


def test_counted_range():
    assert [pluralize_range(numbers, "run") for numbers in ([3, 1], [1, 1], [5], [1200, 2])] == [
        "1 to 3 runs", "1 run", "5 runs", "2 to 1,200 runs",
    ]  # fmt: skip

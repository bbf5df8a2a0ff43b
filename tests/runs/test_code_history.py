"""The states of the code that the parts of an interrupted run were made with."""

import pytest

from attest.runs.code_history import combined_state, describe_commit_change, describe_commits, with_code_span
from attest.system import checkout

A, B = ({"commit": letter * 40, "uncommitted_changes": False} for letter in "ab")
BEGUN = [{**A, "from_step": 0}]
MOVED = [*BEGUN, {**B, "from_step": 300}]


def test_a_run_lists_a_state_of_the_code_once_while_it_stays():
    assert with_code_span([], A, 0) == BEGUN
    assert with_code_span(BEGUN, A, 300) == BEGUN
    assert with_code_span(BEGUN, B, 300) == MOVED
    assert with_code_span(MOVED, A, 400) == [*MOVED, {**A, "from_step": 400}]


def test_a_commit_that_changes_results_alone_is_no_other_code(monkeypatch):
    monkeypatch.setattr(checkout, "is_same_code", lambda first, second: {first[0], second[0]} == {"a", "b"})
    parts = with_code_span(BEGUN, B, 300)
    assert parts == [{**B, "from_step": 0}]
    assert combined_state(parts) == B
    assert describe_commit_change(with_code_span(BEGUN, {**B, "uncommitted_changes": True}, 300))


def test_the_state_of_a_run_is_that_of_its_last_part_and_names_all_commits():
    assert combined_state(BEGUN) == A
    assert combined_state(MOVED) == {
        **B,
        "commits": [{"commit": "a" * 40, "from_step": 0}, {"commit": "b" * 40, "from_step": 300}],
    }
    dirty = {**A, "uncommitted_changes": True}
    assert combined_state(with_code_span(with_code_span([], dirty, 0), A, 100)) == dirty
    changed = with_code_span(with_code_span(with_code_span([], dirty, 0), A, 100), B, 200)
    assert combined_state(changed)["uncommitted_changes"]
    assert [(use["commit"][0], use["from_step"]) for use in combined_state(changed)["commits"]] == [
        ("a", 0),
        ("b", 200),
    ]


@pytest.mark.parametrize("installed", [{}, {"own_code": {"mine": "1"}}])
def test_an_installed_package_has_no_commit(installed):
    parts = with_code_span(BEGUN, installed, 300)
    state = combined_state(parts)
    assert f"was trained by commit {'a' * 12}, this code is an installed version;" in describe_commit_change(parts)
    assert "commit" not in state
    assert describe_commits(state["commits"]) == f"{'a' * 12}, from step 301 on an installed version"
    assert combined_state(with_code_span([], installed, 0)) == installed


def test_the_change_is_told_when_a_run_goes_on():
    assert describe_commit_change(BEGUN) == ""
    text = f"the checkpoint was trained by commit {'a' * 12}, this code is commit {'b' * 12}; the record will name both"
    assert describe_commit_change(MOVED) == text
    assert describe_commits(combined_state(MOVED)["commits"]) == f"{'a' * 12}, from step 301 on {'b' * 12}"

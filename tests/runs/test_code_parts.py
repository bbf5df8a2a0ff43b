"""The states of the code that the parts of an interrupted run were made with."""

import pytest

from attest.runs.code_parts import describe_commit_change, describe_commits, state_of_parts, with_code_part
from attest.system import checkout

A, B = ({"commit": letter * 40, "uncommitted_changes": False} for letter in "ab")
BEGUN = [{**A, "from_step": 0}]
MOVED = [*BEGUN, {**B, "from_step": 300}]


def test_a_run_lists_a_state_of_the_code_once_while_it_stays():
    assert with_code_part([], A, 0) == BEGUN
    assert with_code_part(BEGUN, A, 300) == BEGUN
    assert with_code_part(BEGUN, B, 300) == MOVED
    assert with_code_part(MOVED, A, 400) == [*MOVED, {**A, "from_step": 400}]


def test_a_commit_that_changes_results_alone_is_no_other_code(monkeypatch):
    monkeypatch.setattr(checkout, "is_same_code", lambda first, second: {first[0], second[0]} == {"a", "b"})
    parts = with_code_part(BEGUN, B, 300)
    assert parts == [{**B, "from_step": 0}]
    assert state_of_parts(parts) == B
    assert describe_commit_change(with_code_part(BEGUN, {**B, "uncommitted_changes": True}, 300))


def test_the_state_of_a_run_is_that_of_its_last_part_and_names_all_commits():
    assert state_of_parts(BEGUN) == A
    assert state_of_parts(MOVED) == {
        **B,
        "commits": [{"commit": "a" * 40, "from_step": 0}, {"commit": "b" * 40, "from_step": 300}],
    }
    dirty = {**A, "uncommitted_changes": True}
    assert state_of_parts(with_code_part(with_code_part([], dirty, 0), A, 100)) == dirty
    changed = with_code_part(with_code_part(with_code_part([], dirty, 0), A, 100), B, 200)
    assert state_of_parts(changed)["uncommitted_changes"]
    assert [(use["commit"][0], use["from_step"]) for use in state_of_parts(changed)["commits"]] == [
        ("a", 0),
        ("b", 200),
    ]


@pytest.mark.parametrize("installed", [{}, {"own_code": {"mine": "1"}}])
def test_an_installed_package_has_no_commit(installed):
    parts = with_code_part(BEGUN, installed, 300)
    state = state_of_parts(parts)
    assert f"is of commit {'a' * 12}, this code is of an installed version;" in describe_commit_change(parts)
    assert "commit" not in state
    assert describe_commits(state["commits"]) == f"{'a' * 12}, after step 300 an installed version"
    assert state_of_parts(with_code_part([], installed, 0)) == installed


def test_the_change_is_told_when_a_run_goes_on():
    assert describe_commit_change(BEGUN) == ""
    text = f"the checkpoint is of commit {'a' * 12}, this code is of commit {'b' * 12}; the record will name both"
    assert describe_commit_change(MOVED) == text
    assert describe_commits(state_of_parts(MOVED)["commits"]) == f"{'a' * 12}, after step 300 {'b' * 12}"

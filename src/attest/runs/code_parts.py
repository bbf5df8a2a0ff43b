"""The states of the code that the parts of an interrupted run were made with: the record names each commit."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from attest.system import checkout

CodePart = Mapping[str, Any]
"""The state of the code of a part of a run, as `code_state` returns it, and `from_step`, the number of steps before the
part."""


def with_code_part(parts: Sequence[CodePart], state: Mapping[str, Any], step: int) -> list[CodePart]:
    """Return the parts of a run that goes on after `step` steps with the code of this state.

    No part is added if the code is that of the last part, perhaps under a new commit, which then takes its place.
    """
    if parts and has_same_code(parts[-1], state):
        *parts, last = parts
        return [*parts, {**last, **state}]
    return [*parts, {**state, "from_step": step}]


def has_same_code(part: CodePart, state: Mapping[str, Any]) -> bool:
    """Return whether a part was made by the code of this state: the commits may differ in files that do not count."""
    commits = [str(held.get("commit") or "") for held in (part, state)]
    differing = {key for key in {*part, *state} if part.get(key) != state.get(key)} - {"from_step"}
    return not differing or (differing == {"commit"} and all(commits) and checkout.is_same_code(*commits))


def state_of_parts(parts: Sequence[CodePart]) -> dict[str, Any]:
    """Return the state of the code over all parts of a run: that of the last part, marked as uncommitted if that of any
    part was.

    If the parts are of more than one commit, these are listed as `commits`, each with the number of steps before it.
    """
    state = {key: value for key, value in parts[-1].items() if key != "from_step"}
    if any(part.get("uncommitted_changes") for part in parts):
        state["uncommitted_changes"] = True
    firsts = [next(group) for _, group in groupby(parts, key=lambda part: part.get("commit"))]
    if len(firsts) > 1:
        state["commits"] = [{"commit": part.get("commit"), "from_step": part["from_step"]} for part in firsts]
    return state


def describe_commits(commits: Sequence[CodePart]) -> str:
    """Return a text on the commits of a run in their order, as in "abc, after step 300 def"."""
    later = (f"after step {part['from_step']:,} {short_name(part)}" for part in commits[1:])
    return ", ".join([short_name(commits[0]), *later])


def describe_commit_change(parts: Sequence[CodePart]) -> str:
    """Return a sentence on the commits of the last part and of the one before; empty if there is one commit."""
    if len(parts) < 2 or parts[-2].get("commit") == parts[-1].get("commit"):
        return ""
    before, now = ("commit " * bool(part.get("commit")) + short_name(part) for part in parts[-2:])
    return f"the checkpoint is of {before}, this code is of {now}; the record will name both"


def short_name(part: CodePart) -> str:
    """Return the first letters of a part's commit, or what stands for it if its code was not that of a checkout."""
    return str(part.get("commit") or "")[:12] or "an installed version"

"""The commits that trained an interrupted run, each with the step after which it was used."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from attest.system import checkout

CodeSpan = Mapping[str, Any]
"""The state of the code in a span of a run, as `code_state` returns it, and `from_step`, the number of steps before the
span: 300 if the code trained from step 301 on."""


def with_code_span(spans: Sequence[CodeSpan], state: Mapping[str, Any], step: int) -> list[CodeSpan]:
    """Return the spans of a run that continues after `step` steps with the code of this state.

    No span is added if the code is that of the last span, perhaps under a new commit, which then replaces the earlier.
    """
    if spans and has_same_code(spans[-1], state):
        *earlier, last = spans
        return [*earlier, {**last, **state}]
    return [*spans, {**state, "from_step": step}]


def has_same_code(span: CodeSpan, state: Mapping[str, Any]) -> bool:
    """Return whether the code of this state trained a span: the commits may differ in files that change no figure."""
    commits = [str(code.get("commit") or "") for code in (span, state)]
    differing = {key for key in {*span, *state} if span.get(key) != state.get(key)} - {"from_step"}
    return not differing or (differing == {"commit"} and all(commits) and checkout.is_same_code(*commits))


def combined_state(spans: Sequence[CodeSpan]) -> dict[str, Any]:
    """Return the state of the code over all spans of a run: that of the last one, marked as uncommitted if any was.

    If the spans have more than one commit, these are listed as `commits`, each with the number of steps before it.
    """
    state = {key: value for key, value in spans[-1].items() if key != "from_step"}
    if any(span.get("uncommitted_changes") for span in spans):
        state["uncommitted_changes"] = True
    firsts = [next(group) for _, group in groupby(spans, key=lambda span: span.get("commit"))]
    if len(firsts) > 1:
        state["commits"] = [{"commit": span.get("commit"), "from_step": span["from_step"]} for span in firsts]
    return state


def describe_commits(commits: Sequence[CodeSpan]) -> str:
    """Return a text on the commits of a run in their order, as in "abc, from step 301 on def"."""
    later = (f"from step {span['from_step'] + 1:,} on {short_commit(span)}" for span in commits[1:])
    return ", ".join([short_commit(commits[0]), *later])


def describe_commit_change(spans: Sequence[CodeSpan]) -> str:
    """Return a sentence on the commits of the last span and of the one before; empty if they have one commit."""
    if len(spans) < 2 or spans[-2].get("commit") == spans[-1].get("commit"):
        return ""
    before, now = ("commit " * bool(span.get("commit")) + short_commit(span) for span in spans[-2:])
    return f"the checkpoint was trained by {before}, this code is {now}; the record will name both"


def short_commit(span: CodeSpan) -> str:
    """Return the first letters of a span's commit, or "an installed version" if its code was not that of a checkout."""
    return str(span.get("commit") or "")[:12] or "an installed version"

"""The state of the code that a run is made of: the checkout of Attest, and the user's own modules."""

from collections.abc import Mapping
from typing import Any

from attest.config.own_sources import own_modules, source_hashes
from attest.config.settings import Settings
from attest.system import checkout


def code_state(settings: Settings) -> dict[str, Any]:
    """Return the state of the checkout and, as `own_code`, the hashes of the user's own modules that the run uses."""
    own = source_hashes(own_modules(settings))
    return {**checkout.checkout_state(), **({"own_code": own} if own else {})}


def describe_change(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return which of the user's own modules have changed between two states, with advice; empty if none has.

    The text completes a sentence on a finished run or on a checkpoint. A module that only one state has is unchanged.
    """
    known = earlier.get("own_code", {})
    changed = [name for name, code in now.get("own_code", {}).items() if known.get(name, code) != code]
    if not changed:
        return ""
    return (
        f"other code of {', '.join(changed)}; if figures depend on the change, raise the `version` of your class or "
        "function, and"
    )

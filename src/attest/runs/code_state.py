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


def changed_modules(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return the names of the user's own modules whose code differs between two states.

    Modules that only one of the states has are ignored.
    """
    known = earlier.get("own_code", {})
    return [name for name, code in now.get("own_code", {}).items() if known.get(name, code) != code]

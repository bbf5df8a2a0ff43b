"""The rule that selected the weights of a run, as a sentence in its record that names the measure."""

import re


def selection_rule(measure: str) -> str:
    """Return the sentence for weights that are selected by a measure on the dev set, such as accuracy."""
    return f"highest dev {measure}, the first of equals"


def measure_of_rule(rule: str) -> str | None:
    """Return the measure that a sentence of `selection_rule` names; None if it is no such sentence."""
    named = re.match(r"highest dev ([^\s,]+)", rule)
    return None if named is None else named[1]

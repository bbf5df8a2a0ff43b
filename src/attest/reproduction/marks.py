"""Marks in pages that people write, between which collate writes."""

import re
from collections.abc import Mapping

from attest.errors import SettingsError


def fill_marks(text: str, summaries: Mapping[str, str]) -> str:
    """Return `text` with what stands between <!-- NAME --> and <!-- end --> replaced by the summary of that name."""
    for name, summary in summaries.items():
        text = fill_mark(text, name, summary)
    return text


def fill_mark(text: str, name: str, summary: str) -> str:
    """Return `text` with the summary between the marks of one name.

    Raise SettingsError if the second is missing, or if another mark stands between the two, whose text would be lost.
    """
    missing = f"<!-- {name} -->: its <!-- end --> is missing; write it below the summary"

    def replaced(match: re.Match[str]) -> str:
        if "<!-- " in match[2]:
            raise SettingsError(missing)
        return match[1] + summary + match[3]

    start, end = re.escape(f"<!-- {name} -->"), re.escape("<!-- end -->")
    filled, number = re.subn(f"({start}\n)(.*?)({end})", replaced, text, flags=re.DOTALL)
    if not number and re.search(f"^{start}$", text, flags=re.MULTILINE):
        raise SettingsError(missing)
    return filled

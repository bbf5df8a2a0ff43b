"""Replacement of the text between <!-- NAME --> and <!-- end --> in pages that people write."""

import re
from collections.abc import Mapping

from attest.errors import SettingsError


def fill_placeholders(text: str, contents: Mapping[str, str]) -> str:
    """Return `text` with the text between <!-- NAME --> and <!-- end --> replaced by the content of that name."""
    for name, content in contents.items():
        text = fill_placeholder(text, name, content)
    return text


def fill_placeholder(text: str, name: str, content: str) -> str:
    """Return `text` with the content between <!-- NAME --> and <!-- end --> of one name.

    Raise SettingsError if <!-- end --> is missing, or if the text between them holds another comment, which would be
    lost.
    """
    missing = f"<!-- {name} -->: no <!-- end --> follows it; add one below the generated text"

    def replaced(match: re.Match[str]) -> str:
        if "<!-- " in match[2]:
            raise SettingsError(missing)
        return match[1] + content + match[3]

    start, end = re.escape(f"<!-- {name} -->"), re.escape("<!-- end -->")
    filled, number = re.subn(f"({start}\n)(.*?)({end})", replaced, text, flags=re.DOTALL)
    if not number and re.search(f"^{start}$", text, flags=re.MULTILINE):
        raise SettingsError(missing)
    return filled

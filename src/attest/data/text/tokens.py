"""Recipes from raw text to tokens."""

import re

from attest.config.settings import Text
from attest.data.text.lemmas import lemma
from attest.data.text.stopwords import STOP_WORDS

TREEBANK = re.compile(
    r"""
    [A-Za-z]\.(?:[A-Za-z]\.)+            # U.S.
    | \d+(?:[.,:/]\d+)*                  # 1,000.5  9:30  1/2
    | \w+?(?=n['’]t\b)                   # do | n't
    | n['’]t\b
    | ['’](?:s|re|ve|ll|d|m)\b           # she | 's
    | \w+(?:[-_]\w+)*
    | \.\.\. | -- | ``
    | \S
    """,
    re.VERBOSE | re.IGNORECASE,
)


def treebank_tokens(sentence: str) -> list[str]:
    """Words and punctuation by the main rules of the Penn Treebank, for text that comes without a parse. Otherwise than
    there, letters behind digits are a word of their own: 20th is 20 th."""
    return TREEBANK.findall(sentence)


def tree_leaves(binary_parse: str) -> list[str]:
    """The words of '( ( A man ) ( runs . ) )'. Brackets of the text itself are written -LRB- and -RRB- there."""
    # Only spaces part the leaves: 1 1/2 holds a no-break space and is one leaf.
    return [leaf for leaf in binary_parse.replace("(", " ").replace(")", " ").split(" ") if leaf]


def split_at_characters(tokens: list[str], characters: str) -> list[str]:
    """Each token cut at each of `characters`, which stay as tokens of their own.

    As re.split does it, and the DiSAN authors with it: what is left and right of a cut stays even where it is
    empty. "'s" becomes "", "'", "s", and the empty token is a word like any other.
    """
    cut = re.compile("([" + re.escape(characters) + "])")
    return [piece for token in tokens for piece in cut.split(token)]


def tokenise(sentence: str, parse: str | None, text: Text) -> list[str]:
    """The tokens of one sentence. `parse` is its binary parse, or None where the corpus has none."""
    return cut_to_limit(all_tokens(sentence, parse, text), text)


def cut_to_limit(tokens: list[str], text: Text) -> list[str]:
    """As many tokens as are kept of a sentence."""
    return tokens[: text.token_limit]


def all_tokens(sentence: str, parse: str | None, text: Text) -> list[str]:
    """All tokens of one sentence, however long it is."""
    if text.deleted:
        sentence, parse = delete_substrings(sentence, text), parse and delete_substrings(parse, text)
    if text.tokens == "parse" and parse is not None:
        tokens = tree_leaves(parse)
    elif text.tokens == "whitespace":
        tokens = sentence.split()
    else:
        tokens = treebank_tokens(sentence)
    if text.split_characters:
        tokens = split_at_characters(tokens, text.split_characters)
    if text.lowercase == "first":
        tokens = [token.lower() for token in tokens[:1]] + tokens[1:]
    elif text.lowercase:
        tokens = [token.lower() for token in tokens]
    if text.strip_characters:
        tokens = [token.strip(text.strip_characters) for token in tokens]
    if text.stop_words == "removed":
        tokens = [token for token in tokens if token not in STOP_WORDS]
    if text.lemmas == "rules":
        tokens = [lemma(token) for token in tokens]
    return [*([text.first] if text.first else []), *tokens, *([text.last] if text.last else [])]


def delete_substrings(sentence: str, text: Text) -> str:
    """The sentence without what `text` deletes, one after the other and whatever the case of its letters."""
    for part in text.deleted:
        sentence = re.sub(re.escape(part), "", sentence, flags=re.IGNORECASE)
    return sentence

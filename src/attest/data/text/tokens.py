"""Tokenisers, and the further steps from raw text to tokens that the settings of the text choose."""

import re
from functools import cache

from attest.config.locate import own_function
from attest.config.settings import Text
from attest.data.text.lemmas import lemma
from attest.data.text.stopwords import STOP_WORDS
from attest.errors import SettingsError

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
    """Return words and punctuation by the main rules of the Penn Treebank.

    Unlike in the treebank, letters after digits are a token of their own: 20th becomes 20 th.
    """
    return TREEBANK.findall(sentence)


def tree_leaves(binary_parse: str) -> list[str]:
    """Return the words of a tree such as '( ( A man ) ( runs . ) )'; brackets in the text stay -LRB- and -RRB-."""
    # Only spaces separate leaves: 1 1/2 with a no-break space is one leaf.
    return list(filter(None, binary_parse.replace("(", " ").replace(")", " ").split(" ")))


def split_at_characters(tokens: list[str], characters: str) -> list[str]:
    """Return the tokens split at each of `characters`, which become tokens themselves.

    Like re.split, and so the DiSAN authors' code, this keeps empty pieces: "'s" becomes "", "'", "s", and the empty
    token is a word like any other.
    """
    pattern = splitting_pattern(characters)
    if pattern.search(" ".join(tokens)) is None:  # most sentences
        return tokens
    return [piece for token in tokens for piece in pattern.split(token)]


@cache
def splitting_pattern(characters: str) -> re.Pattern[str]:
    """Return the pattern at which tokens are split: any of the characters."""
    return re.compile("([" + re.escape(characters) + "])")


def tokenise(sentence: str, parse: str | None, text: Text) -> list[str]:
    """Return the tokens of a sentence, cut to the token limit. `parse` is its binary tree, or None."""
    return cut_to_limit(uncut_tokens(sentence, parse, text), text)


def cut_to_limit(tokens: list[str], text: Text) -> list[str]:
    """Return the first text.token_limit tokens, or all of them if there is no limit."""
    return tokens[: text.token_limit]


def uncut_tokens(sentence: str, parse: str | None, text: Text) -> list[str]:
    """Return the tokens of a sentence without a limit. `parse` is its binary tree, or None."""
    if text.deleted:
        sentence, parse = delete_substrings(sentence, text), parse and delete_substrings(parse, text)
    if text.tokens == "parse" and parse is not None:
        tokens = tree_leaves(parse)
    elif text.tokens == "whitespace":
        tokens = sentence.split()
    elif "." in text.tokens:
        tokens = own_tokens(sentence, text.tokens)
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


def own_tokens(sentence: str, tokeniser: str) -> list[str]:
    """Return the tokens of a sentence by a function of the user's own, given by its full name."""
    tokens = own_function(tokeniser, "text.tokens")(sentence)
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise SettingsError(f"text.tokens: {tokeniser} returned {tokens!r:.80}; it must return a list of texts")
    return tokens


def delete_substrings(sentence: str, text: Text) -> str:
    """Return the sentence with all strings of text.deleted removed, one after another, ignoring case."""
    for substring in text.deleted:
        sentence = re.sub(re.escape(substring), "", sentence, flags=re.IGNORECASE)
    return sentence

"""Stanza's constituency parser (Qi et al. 2020, Bauer et al. 2023), on tokens that are already parted."""

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from attest.errors import DataError, SettingsError
from attest.syntax.parsers.base import Parser
from attest.syntax.trees import Span, binarise, from_labelled

LANGUAGE, PROCESSORS = "en", "tokenize,pos,constituency"
BLANK = "_"
"""In place of tokens, and of spaces inside of them, that Stanza could not tell apart."""


class StanzaParser(Parser):
    """`pipeline`: sentences as lists of tokens to a document whose sentences have a `constituency`. Trees with more
    than two parts to a node are made binary to the right."""

    def __init__(self, pipeline: Any, identity: str) -> None:
        self.pipeline, self.identity = pipeline, identity

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        asked = [place for place, sentence in enumerate(sentences) if len(sentence) > 1]
        tokens = [[token.replace(" ", BLANK) or BLANK for token in sentences[place]] for place in asked]
        found: list[list[Span]] = [[] for _ in sentences]
        if asked:
            answers = self.pipeline(tokens).sentences
            for place, answer in zip(asked, answers, strict=True):
                tree = from_labelled(str(answer.constituency))
                if len(tree.words) != len(sentences[place]):
                    raise DataError(
                        f"Stanza gave a tree of {len(tree.words)} words for the {len(sentences[place])} tokens "
                        f"{' '.join(sentences[place])[:60]!r}"
                    )
                found[place] = list(binarise(tree).spans)
        return found


def installed_identity() -> str:
    """Of the parser that is installed; models follow from the version."""
    try:
        return f"stanza {version('stanza')} {LANGUAGE}"
    except PackageNotFoundError as error:
        raise SettingsError(
            "phrases.source=stanza: Stanza is not installed; pip install 'attest[stanza]', or take a parser of our own "
            "with phrases=learned"
        ) from error


def open_stanza() -> StanzaParser:
    """With models that are there already: nothing is fetched unasked."""
    import stanza  # pyright: ignore[reportMissingImports]

    options = {"tokenize_pretokenized": True, "download_method": None, "verbose": False}
    try:
        pipeline = stanza.Pipeline(LANGUAGE, processors=PROCESSORS, **options)
    except FileNotFoundError as error:
        raise DataError(
            f"phrases.source=stanza: Stanza's models are not here ({' '.join(str(error).split())}); fetch them with "
            f"python -c \"import stanza; stanza.download('{LANGUAGE}', processors='{PROCESSORS}')\""
        ) from error
    return StanzaParser(pipeline, installed_identity())

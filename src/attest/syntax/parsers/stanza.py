"""Stanza's constituency parser (Qi et al. 2020, Bauer et al. 2023), on text that is already tokenised."""

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from attest.errors import DataError, SettingsError
from attest.syntax.parsers.base import Parser
from attest.syntax.trees import Span, binarise, from_labelled

LANGUAGE, PROCESSORS = "en", "tokenize,pos,constituency"
BLANK = "_"
"""A placeholder for empty tokens and for spaces inside tokens, which Stanza would take for the ends of tokens."""


class StanzaParser(Parser):
    """A parser around a Stanza pipeline: nodes with more than two children are binarised to the right.

    `pipeline` takes sentences as lists of tokens and returns a document whose sentences have a `constituency`.
    """

    def __init__(self, pipeline: Any, identity: str) -> None:
        self.pipeline, self.identity = pipeline, identity

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        long_enough = [i for i, sentence in enumerate(sentences) if len(sentence) > 1]
        tokens = [[token.replace(" ", BLANK) or BLANK for token in sentences[i]] for i in long_enough]
        parsed: list[list[Span]] = [[] for _ in sentences]
        if long_enough:
            answers = self.pipeline(tokens).sentences
            for i, answer in zip(long_enough, answers, strict=True):
                tree = from_labelled(str(answer.constituency))
                if len(tree.words) != len(sentences[i]):
                    raise DataError(
                        f"Stanza gave a tree of {len(tree.words)} words for the {len(sentences[i])} tokens "
                        f"{' '.join(sentences[i])[:60]!r}; choose another parser, such as phrases=learned"
                    )
                parsed[i] = list(binarise(tree).spans)
        return parsed


def installed_identity() -> str:
    """Return the identity of the installed Stanza; its version determines its models."""
    try:
        return f"stanza {version('stanza')} {LANGUAGE}"
    except PackageNotFoundError as error:
        raise SettingsError(
            "phrases.source=stanza: Stanza is not installed; type pip install 'attest[stanza]', or use a parser of "
            "Attest with phrases=learned"
        ) from error


def open_stanza() -> StanzaParser:
    """Open Stanza with the models on this machine.

    Raise DataError, which says how to download the models, if they are missing.
    """
    import stanza  # pyright: ignore[reportMissingImports]

    options = {"tokenize_pretokenized": True, "download_method": None, "verbose": False}
    try:
        pipeline = stanza.Pipeline(LANGUAGE, processors=PROCESSORS, **options)
    except FileNotFoundError as error:
        raise DataError(
            f"phrases.source=stanza: Stanza's models are missing ({' '.join(str(error).split())}); download them with "
            f"python -c \"import stanza; stanza.download('{LANGUAGE}', processors='{PROCESSORS}')\""
        ) from error
    return StanzaParser(pipeline, installed_identity())

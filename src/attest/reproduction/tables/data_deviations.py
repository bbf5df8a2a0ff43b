"""The deviations of a run's data from the official data: fewer examples, parses or word vectors."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from attest.reproduction.plurals import pluralize


@dataclass(frozen=True)
class DataDeviation:
    """A difference between the data of a run and the official data."""

    text: str
    """The deviation in words: "train: 112,285 of 549,367 labelled examples (20.4%)"."""
    is_shortfall: bool
    """True if the run had fewer examples, tokens or word vectors, which reduces its budget."""


def has_less_data(data: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether a record's data has fewer examples, tokens or word vectors than the official data."""
    return any(deviation.is_shortfall for deviation in find_data_deviations(data, wanted))


def data_deviations(data: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Return the deviations of a record's data from the official data as texts."""
    return [deviation.text for deviation in find_data_deviations(data, wanted)]


def find_data_deviations(data: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[DataDeviation]:
    """Yield the deviations of a record's data; `wanted` are the settings that the table asks for."""
    yield from split_deviations(data)
    yield from drawn_deviations(data, wanted)
    if wanted["text.tokens"] == "parse":
        yield from parse_deviation(data)
    yield from vectors_deviation(data)


def split_deviations(data: Mapping[str, Any]) -> Iterator[DataDeviation]:
    """Yield the deviations of the splits of a record's data from the official ones: missing or cut examples.

    A split that was not read is none: no figure depends on it, and a column that would show it stays empty.
    """
    for split, official in data["expected"]["splits"].items():
        if split not in data["splits"]:
            continue
        seen = data["splits"][split]["labelled"]
        if seen != official:
            text = f"{split}: {seen:,} of {official:,} labelled examples ({100 * seen / official:.1f}%)"
            yield DataDeviation(text, seen < official)
        if cut := data["splits"][split].get("cut"):
            share = f"{100 * cut['share']:.1f}% of the words"
            text = f"{split}: {pluralize(cut['examples'], 'example')} cut short ({share})"
            yield DataDeviation(text, is_shortfall=True)


def drawn_deviations(data: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[DataDeviation]:
    """Yield the deviations of the numbers of examples that a run drew from those that the table asks for."""
    for (split, size), asked in zip(data.get("drawn", {}).items(), wanted.get("protocol.drawn") or (), strict=False):
        if size != asked:
            yield DataDeviation(f"{split}: {size:,} drawn instead of {asked:,}", size < asked)
    if (asked := wanted.get("protocol.examples")) and (drawn := data.get("examples", asked)) != asked:
        yield DataDeviation(f"train: {drawn:,} drawn instead of {asked:,}", drawn < asked)


def parse_deviation(data: Mapping[str, Any]) -> Iterator[DataDeviation]:
    """Yield the deviation of a run whose tokens are those of parses, if there is not a parse for every example."""
    parsed = sum(split["with_parse"] for split in data["splits"].values())
    rows = sum(split["rows"] for split in data["splits"].values())
    if parsed < rows:
        some = f"parses for {parsed:,} of {rows:,} examples, the others"
        text = f"{some if parsed else 'no parses: all sentences'} tokenised by treebank rules"
        yield DataDeviation(text, is_shortfall=False)


def vectors_deviation(data: Mapping[str, Any]) -> Iterator[DataDeviation]:
    """Yield the deviation of a record's word vectors from the official file, if there is one."""
    vectors, official = data["vectors"], data["expected"]["vectors"]
    if official is None or (seen := vectors["rows"]) == official:
        return
    found, words = vectors["training_words_found"], vectors["training_words"]
    share = format_coverage(training_value(vectors["tokens_found"], 0.0), is_whole=found >= words)
    text = f"they cover {found:,} of the {words:,} different words of the training text, and {share} of its tokens"
    yield DataDeviation(f"word vectors for {seen:,} of the file's {official:,} words: {text}", seen < official)


def format_coverage(share: float, *, is_whole: bool) -> str:
    """Return the share of the tokens that have a vector: "94.7%". It is no 100.0% unless every word has one."""
    text = f"{100 * share:.1f}%"
    return "over 99.9%" if text == "100.0%" and not is_whole else text


def training_value(by_split: Mapping[str, Any], default: Any) -> Any:
    """Return the value of the split train or, for data sets without splits, of all; `default` if there is neither."""
    return by_split.get("train", by_split.get("all", default))

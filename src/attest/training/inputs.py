"""The inputs of a training run and of the training of a parser."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from attest.config.compose import compose_unchecked
from attest.config.parser_training import compose_parser
from attest.config.settings import Dataset, Settings
from attest.data.dataset import check_dataset
from attest.data.inputs import Input, dataset_input, device_input, tree_inputs, vectors_input
from attest.syntax.parsers import configured_parser
from attest.syntax.parsers.cached import CachedParser


def training_inputs(settings: Settings) -> Iterator[Input]:
    """Yield the inputs of a training run: fitting settings, the device, official files, word vectors, the parser."""
    data = Path(settings.paths.data)
    yield Input(f"settings that fit {settings.dataset.name}", lambda: check_dataset(settings))
    yield device_input(settings.trainer)
    yield dataset_input(settings.dataset, data)
    if settings.text.tokens == "parse":
        yield from tree_inputs(settings.dataset, data)
    yield vectors_input(settings.vectors, data)
    yield from parser_inputs(settings)


def parser_inputs(settings: Settings) -> Iterator[Input]:
    """Yield the inputs of the parser that the settings choose: its weights or, if it is not trained yet, its
    treebanks."""
    if lacks_default_parser(settings):
        yield from treebank_inputs(treebank_settings(settings.scale), Path(settings.paths.data))
    else:
        yield Input(f"the parser of phrases.source={settings.phrases.source}", lambda: open_if_needed(settings))


def open_if_needed(settings: Settings) -> None:
    """Open the parser that the settings choose, if there is one and no tree of it is in the cache yet."""
    parser = configured_parser(settings)
    if isinstance(parser, CachedParser) and not any(parser.folder.glob("*.npz")):
        parser.open_parser()


def lacks_default_parser(settings: Settings) -> bool:
    """Return whether a run needs the parser with default settings, and this machine does not have its weights."""
    if settings.phrases.source != "learned" or settings.phrases.parser_run is not None:
        return False
    from attest.syntax.parsers.registry import default_parsers, with_local_weights

    return not with_local_weights(default_parsers(settings), settings)


def treebank_inputs(datasets: Sequence[Dataset], data: Path) -> Iterator[Input]:
    """Yield the files of treebanks as inputs."""
    for dataset in datasets:
        yield dataset_input(dataset, data)
        yield from tree_inputs(dataset, data)


def treebank_settings(scale: str, names: Sequence[str] = ()) -> list[Dataset]:
    """Return the settings of treebanks by name; without names, of those that the default parser is trained on."""
    return [
        compose_unchecked([f"dataset={name}", f"scale={scale}"]).dataset
        for name in names or compose_parser([f"scale={scale}"]).treebanks
    ]

"""The cache of corpora: what a cached corpus depends on, and its folder, which can be deleted at any time."""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from attest.config.locate import locate, own_code
from attest.config.own_sources import source_hashes
from attest.config.settings import Settings
from attest.data.corpus import Corpus, load_corpus, save_corpus
from attest.errors import StorageError
from attest.runs import versions
from attest.system.files import atomic_folder, discard_folder
from attest.system.leases import lease_beside, wait_for_lease

log = logging.getLogger(__name__)


def cached_corpus(folder: Path, name: str, build: Callable[[], Corpus]) -> Corpus:
    """Return the corpus in a folder of the cache; if there is none, or a damaged one, one process calls `build` first.

    `name` is the name of the data set.
    """
    with suppress(StorageError):
        return load_corpus(folder)
    with wait_for_lease(lease_beside(folder), f"reading {name}"):
        try:
            return load_corpus(folder)  # another process has built it meanwhile
        except StorageError:
            if folder.is_dir():
                log.warning("%s: this cached corpus is damaged or of an earlier version; it is built again", folder)
                discard_folder(folder)
        built = build()
        with atomic_folder(folder) as temporary:
            save_corpus(temporary, built)
        return load_corpus(folder)


def cache_key_settings(settings: Settings) -> list[object]:
    """Return the settings that the corpus depends on, for the key of the cache.

    The run of a trained parser is left out, because `prepare` adds the parser's identity to the key. A tokeniser or
    parser of the user's own is represented by the hash of its source code.
    """
    dataset, vectors = settings.dataset, settings.vectors
    adds_rows = vectors.unknown if vectors.unknown in ("neighbours", "hashed") else None
    phrases = replace(settings.phrases, parser_run=None) if settings.phrases.source != "none" else None
    code = {key: source_hashes_of(settings, key) for key in own_code(settings) if key != "task"}
    columns = [dict(dataset.columns), dataset.grades] if dataset.columns else None
    tokenisation = [settings.text, phrases, code]
    return [versions.PREPARATION, dataset.format, dataset.labels, columns, *tokenisation, vectors.size, adds_rows]


def source_hashes_of(settings: Settings, key: str) -> dict[str, str]:
    """Return the hashes of the user's own code that the setting `key` names; raise SettingsError if there is none."""
    target, kind = own_code(settings)[key]
    locate(target, key, (), kind)
    return source_hashes([target.rpartition(".")[0]])

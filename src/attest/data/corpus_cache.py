"""The cache of corpora: what a cached corpus depends on, and its folder, which can be deleted at any time."""

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

from attest.config.flat import flatten, to_plain
from attest.config.locate import locate, own_code
from attest.config.own_sources import source_hashes
from attest.config.renamed import hashed_settings
from attest.config.settings import Settings
from attest.data.corpus import Corpus, load_corpus, save_corpus
from attest.errors import StorageError
from attest.runs import versions
from attest.system.files import atomic_folder, partial_path, remove
from attest.system.locks import lease_beside, lease_in_turn

LATER_TEXT_SETTINGS = ("deleted", "stop_words", "lemmas", "first", "last", "token_limit", "strip_characters")
"""The text settings that are newer than the first caches. At their defaults they are left out of cache keys."""

log = logging.getLogger(__name__)


def cached_corpus(folder: Path, name: str, build: Callable[[], Corpus]) -> Corpus:
    """Return the corpus in a folder of the cache; if there is none, or a damaged one, one process calls `build` first.

    `name` is the name of the data set.
    """
    with suppress(StorageError):
        return load_corpus(folder)
    with lease_in_turn(lease_beside(folder), f"reading {name}"):
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


def discard_folder(folder: Path) -> None:
    """Delete a folder at once, even if its files are in use, which some shared disks delete later."""
    discarded = partial_path(folder)
    os.replace(folder, discarded)
    remove(discarded)


def cache_key_settings(settings: Settings) -> list[object]:
    """Return the settings that the corpus depends on, for the key of the cache.

    Newer settings are included only if they differ from their defaults, so that older caches keep their names.
    """
    text = to_plain(settings.text)
    phrases = text.pop("phrases")
    later: list[object] = [] if phrases == "sentences" else [phrases]
    default = {
        field.name: to_plain(field.default) for field in fields(settings.text) if field.name in LATER_TEXT_SETTINGS
    }
    if changed := {name: text[name] for name in LATER_TEXT_SETTINGS if text[name] != default[name]}:
        later.append(changed)
    if "." in settings.text.tokens:  # a tokeniser of the user's own, whose code can change
        later.append(source_hashes_of(settings, "text.tokens"))
    if settings.dataset.columns:
        later.append({"columns": dict(settings.dataset.columns), "grades": settings.dataset.grades})
    if settings.vectors.unknown in ("neighbours", "hashed"):
        later.append(settings.vectors.unknown)
    if text["first"] or text["last"]:  # older caches counted these tokens in the share of words with vectors
        later.append("share of words")
    if text["lowercase"] is not True:  # in older caches, "paris" did not get the vector of "Paris"
        later.append("lent")
    text = {name: value for name, value in text.items() if name not in LATER_TEXT_SETTINGS}
    if settings.phrases.source != "none":
        # The stamps identify the parser. Older names of the settings keep the names of existing caches.
        earlier = hashed_settings({**flatten(settings.phrases, "phrases"), "phrases.parser_run": None})
        later.append({"parser": {key.removeprefix("parser."): value for key, value in earlier.items()}})
    if "." in settings.phrases.source:  # a parser of the user's own, whose code can change while its identity stays
        later.append(source_hashes_of(settings, "phrases.source"))
    return [versions.PREPARATION, settings.dataset.format, settings.dataset.labels, text, settings.vectors.size, *later]


def source_hashes_of(settings: Settings, key: str) -> dict[str, str]:
    """Return the hashes of the user's own code that the setting `key` names; raise SettingsError if there is none."""
    target, kind = own_code(settings)[key]
    locate(target, key, (), kind)
    return source_hashes([target.rpartition(".")[0]])

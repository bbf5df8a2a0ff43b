"""Settings that have been renamed: records of before are read, and ids hash what they hashed."""

import json

import pytest
from places import ROOT

from attest.config.compose import compose
from attest.config.earlier_setting_names import RENAMED, SOURCES, current_key, current_settings, hashed_settings
from attest.config.flat import flatten
from attest.config.settings import Settings
from attest.errors import SettingsError
from attest.reproduction.tables.allowed_deviations import allowed_deviations, differs_only_as_allowed

RECORDS = [json.loads(path.read_text()) for path in sorted((ROOT / "results" / "records").glob("*.json"))]


def test_settings_of_every_record_are_the_same_there_and_back():
    assert RECORDS
    for record in RECORDS:
        flat = current_settings(record["settings"])
        assert current_settings(flat) == flat
        assert hashed_settings(flat) == hashed_settings(record["settings"])
        assert current_settings(hashed_settings(flat)) == flat


def test_records_of_before_hold_earlier_keys_which_are_read_under_present_ones():
    earlier = [record["settings"] for record in RECORDS if "parser.kind" in record["settings"]]
    assert earlier
    for settings in earlier:
        assert hashed_settings(current_settings(settings)) == settings
        assert current_settings(settings).keys() & {*RENAMED, "parser.kind", "parser.trees"} == set()


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_of_phrases_is_two_earlier_settings(source):
    earlier = SOURCES[source]
    assert hashed_settings({"phrases.source": source}) == earlier
    assert current_settings(earlier) == {"phrases.source": source}


def test_a_parser_of_ones_own_is_there_and_back():
    assert current_settings(hashed_settings({"phrases.source": "mine.Parser"})) == {"phrases.source": "mine.Parser"}


def test_trees_that_an_earlier_run_did_not_use_are_not_read():
    assert current_settings({"parser.kind": "none", "parser.trees": "learned"}) == {"phrases.source": "none"}
    assert current_settings({"parser.kind": "syntax"}) == {"phrases.source": "corpus"}


def test_values_that_were_renamed():
    assert current_settings({"protocol.without_dev": "lend"}) == {"protocol.missing_dev": "split_train"}
    assert hashed_settings({"protocol.missing_dev": "split_train"}) == {"protocol.without_dev": "lend"}
    assert hashed_settings({"protocol.missing_dev": "test"}) == {"protocol.without_dev": "test"}


def test_every_present_name_is_a_setting():
    known = flatten(compose([]))
    assert set(RENAMED.values()) | {"phrases.source"} <= known.keys()
    assert not RENAMED.keys() & known.keys()


@pytest.mark.parametrize("earlier", [*RENAMED, "parser.kind", "parser.trees", "parser"])
def test_an_earlier_name_on_the_command_line_is_an_error_that_names_the_present_one(earlier):
    for override in (f"{earlier}=1", f"+{earlier}=1"):
        with pytest.raises(SettingsError, match=f"^{earlier}: renamed to {current_key(earlier)}$"):
            compose([override])


def test_sources_that_may_stand_in_for_one_another():
    budget = allowed_deviations(Settings)
    sources = [{"phrases.source": source} for source in SOURCES]
    may = [
        (first["phrases.source"], second["phrases.source"])
        for first in sources
        for second in sources
        if first != second and differs_only_as_allowed(first, first, second, budget)
    ]
    trees = ("corpus", "learned", "stanza")
    assert may == [(first, second) for first in trees for second in trees if first != second]

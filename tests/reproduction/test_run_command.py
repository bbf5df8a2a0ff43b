"""The command that trains the run of a record anew."""

import shlex
from dataclasses import replace

import pytest

from attest.config.compose import compose_unchecked
from attest.config.flat import flatten
from attest.errors import SettingsError
from attest.reproduction.run_command import run_command, run_overrides
from attest.runs.records import Record


def settings_of(*overrides: str):
    return flatten(compose_unchecked(overrides))


@pytest.mark.parametrize(
    "overrides",
    [
        ["scale=mini"],
        ["experiment=disan/trec", "scale=paper", "seed=3"],
        ["dataset=multinli", "scale=paper"],
        ["model=s2t", "scale=mini", "seed=2", "protocol.steps=8"],
        ["mask=forward_backward", "scale=mini"],
        ["model=psan", "phrases=balanced", "scale=mini", "optimizer=adam"],
        ["scale=mini", "text.strip_characters='a,b'", "text.deleted=['(','null']", "optimizer.lr=1e-06"],
        ["scale=mini", "phrases=learned", "phrases.parser_run='12e4'"],
    ],
)
def test_the_command_composes_to_the_settings_and_is_no_longer_than_what_was_typed(overrides):
    found = run_overrides(settings_of(*overrides))
    assert settings_of(*found) == settings_of(*overrides)
    assert len(found) <= len(overrides)


def test_another_class_takes_its_own_arguments():
    wanted = settings_of("model=additive", "model._target_=attest.models.SourceToToken", "model.activation=relu")
    assert settings_of(*run_overrides(wanted)) == wanted


def test_the_command_is_quoted_and_repeats_a_failed_run():
    record = Record(id="ab", status="failed", settings=settings_of("scale=mini"), versions={}, data={}, seed=1)
    assert shlex.split(run_command(record)) == ["attest", "train", "scale=mini", "retry_failed=true"]
    changed = replace(record, status="done", environment={"uncommitted_changes": True})
    assert run_command(changed) == "attest train scale=mini retry_uncommitted=true"


def test_a_data_set_whose_folder_is_not_named_has_no_command():
    settings = {**settings_of("scale=mini"), "dataset.name": "mine"}
    with pytest.raises(SettingsError, match="the data set mine is not found; name its folder with --config-dir"):
        run_overrides(settings)

"""The check of the settings of all jobs of a sweep before the first job begins."""

from collections.abc import Mapping, Sequence

from attest.config.compose import compose
from attest.errors import SettingsError
from hydra_plugins.attest_sweepers._failures import raise_failures


def check_all_settings(jobs: Mapping[str, Sequence[str]]) -> None:
    """Raise one error that lists the jobs (name -> overrides) whose settings are wrong, each with its mistake."""
    errors: dict[str, Exception] = {}
    for name, overrides in jobs.items():
        try:
            compose(list(overrides))
        except SettingsError as error:
            errors[name] = error
    raise_failures(errors, len(jobs), "cannot start, so none was started", SettingsError)

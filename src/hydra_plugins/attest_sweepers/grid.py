"""The sweeper of grids: it runs every combination of the values in the overrides."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.config_store import ConfigStore
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import ChoiceSweep, Glob, Override
from hydra.core.utils import JobReturn

from attest.errors import SettingsError
from hydra_plugins.attest_sweepers._base import JobSettings


class GridSweeper(BasicSweeper):
    """Hydra's own sweep over a=1,2 b=3,4, which trains every run, prints a table of the runs, and reports all failures
    in one error; mistakes in the settings of runs are reported before the first run begins."""

    def __init__(
        self, params: dict[str, str], swept: Sequence[str] = (), only_list: bool = False, **job_settings: object
    ) -> None:
        super().__init__(None, params)
        self.swept, self.only_list = list(swept), only_list

    def sweep(self, arguments: list[str]) -> list[JobReturn]:
        from attest.config.shell_command import shell_command
        from hydra_plugins.attest_sweepers._launching import launch_until_done, report_failures
        from hydra_plugins.attest_sweepers._settings_check import check_all_settings
        from hydra_plugins.attest_sweepers._tabulating import tabulate

        assert self.launcher is not None
        assert self.hydra_context is not None
        parser = OverridesParser.create(config_loader=self.hydra_context.config_loader)
        typed = parser.parse_overrides([*self._parse_config(), *arguments])
        parsed = parser.parse_overrides([text_with_names(override) for override in typed])
        overrides = jobs_of(parsed)
        if not overrides:
            empty = ", ".join(override.input_line or "" for override in parsed if override.is_sweep_override())
            is_glob = any(isinstance(override.value(), Glob) for override in parsed)
            advice = ", or name the folder too, as in experiment=glob(disan/*)" if is_glob else ""
            raise SettingsError(f"{empty}: this sweep has no run; list values, as in seed=1,2{advice}")
        self.validate_batch_is_legal(overrides)
        self.swept = keys_swept(overrides)
        swept = f"hydra.sweeper.swept=[{','.join(map(repr, self.swept))}]"
        jobs = {name_of(job, overrides): job for job in overrides}
        check_all_settings(jobs)
        if self.only_list:
            print("\n".join(shell_command("train", *job) for job in overrides))
            return []
        title = f"sweep over {', '.join(self.swept)}" if self.swept else "sweep"
        done = launch_until_done(self.launcher, {name: [*job, swept] for name, job in jobs.items()}, title)
        tabulate(arguments, jobs, done, self.swept)
        report_failures(done)
        return list(done.values())


def text_with_names(override: Override) -> str:
    """Return the text of an override, with the choices of its group that match in place of a glob, if any do.

    As in a shell, * matches no /. Hydra's own glob finds only files directly in a group.
    """
    from attest.config.own_folders import choices

    text, glob = override.input_line or "", override.value()
    if not isinstance(glob, Glob):
        return text

    def matches(name: str, patterns: Sequence[str]) -> bool:
        return any(fnmatch(name, pattern) and name.count("/") == pattern.count("/") for pattern in patterns)

    names = [name for name in choices(override.key_or_group) if matches(name, glob.include)]
    names = [name for name in names if not matches(name, glob.exclude)]
    return f"{text.partition('=')[0]}={','.join(names)}" if names else text


def jobs_of(overrides: Sequence[Override]) -> list[list[str]]:
    """Return the overrides of each job of a grid.

    Hydra lets the last override of a key count. A choice such as model=s2t and values such as model={hidden_size: 8}
    have the same key, but each job needs one of both. Raise SettingsError for an interval, which lists no values.
    """
    for override in overrides:
        if override.is_sweep_override() and not override.is_discrete_sweep():
            raise SettingsError(
                f"{override.input_line}: an interval lists no values; type them, as in seed=1,2, or a range, as in "
                "seed=range(1,4); `attest tune` and hydra/sweeper=optuna draw values"
            )
    values = [override for override in overrides if has_dictionaries(override)]
    others = [override for override in overrides if not has_dictionaries(override)]
    (jobs,), (additions,) = (BasicSweeper.split_arguments(part, None) for part in (others, values))
    return [[*job, *addition] for job in jobs for addition in additions]


def has_dictionaries(override: Override) -> bool:
    """Return whether an override sets the values of a group by a dictionary, or by several separated by commas."""
    value = override.value()
    return all(isinstance(item, dict) for item in (value.list if isinstance(value, ChoiceSweep) else [value]))


def keys_swept(jobs: Sequence[Sequence[str]]) -> list[str]:
    """Return the keys of the overrides that differ between the jobs of a grid, in the order of the command."""
    from attest.config.overrides import key_of

    common = set.intersection(*map(set, jobs))
    return list(dict.fromkeys(key_of(override) for job in jobs for override in job if override not in common))


def name_of(job: Sequence[str], jobs: Sequence[Sequence[str]]) -> str:
    """Return the overrides that tell one job of a grid from the other jobs, as its name."""
    common = set(job).intersection(*jobs)
    return " ".join(override for override in job if override not in common) or "the run"


@dataclass
class GridSettings(JobSettings):
    """The settings of GridSweeper, below hydra.sweeper."""

    _target_: str = "hydra_plugins.attest_sweepers.grid.GridSweeper"
    params: dict[str, str] = field(default_factory=dict)
    """Hydra's own sweep parameters: key -> values."""
    swept: list[str] = field(default_factory=list)
    """The keys whose values differ between the jobs: the sweeper sets it for each job."""
    only_list: bool = False
    """True: print the command of each job, and start none."""


ConfigStore.instance().store(group="hydra/sweeper", name="grid", node=GridSettings, provider="attest")

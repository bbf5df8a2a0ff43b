"""One error for several runs that failed."""

from collections.abc import Mapping

from attest.errors import AttestError, SettingsError, one_line


def raise_failures(
    failures: Mapping[str, Exception], runs: int, outcome: str = "failed", kind: type[AttestError] = AttestError
) -> None:
    """Raise one error of a kind that lists failures by the names of runs, each with its reason in one line.

    `runs` is the number of all runs, and `outcome` says what happened to those listed. A mistake in the settings that
    all of them share is raised alone.
    """
    first = next(iter(failures.values()), None)
    if isinstance(first, SettingsError) and [str(error) for error in failures.values()] == [str(first)] * runs:
        raise first
    if failures:
        width = max(len(name) for name in failures)
        lines = [f"  {name:<{width}}  {one_line(error)}" for name, error in failures.items()]
        raise kind(f"{len(failures)} of {runs} runs {outcome}:\n" + "\n".join(lines))

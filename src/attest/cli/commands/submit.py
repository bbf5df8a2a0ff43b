"""attest submit: the labels of a run for a test set whose labels are not published."""

import argparse
from pathlib import Path

from attest.cli.example_files import check_ending, check_not_input
from attest.system.files import write_text


def submit(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Write pairID,gold_label for every pair of a file."""
    from attest.inference.opening import open_run
    from attest.inference.submission import submission_lines

    check_ending(parsed.to, "submit writes columns separated by commas", ".csv")
    check_not_input(parsed.to, parsed.file)
    lines = list(submission_lines(open_run(parsed.run, overrides), Path(parsed.file)))
    write_text(Path(parsed.to), "\n".join(lines) + "\n")
    print(f"{parsed.to}: {len(lines) - 1:,} pairs")

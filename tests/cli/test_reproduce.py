"""attest reproduce, as a user types it: missing runs, the table, and runs that fail."""

import pytest
from homes import records_of

pytestmark = pytest.mark.usefixtures("home_with_corpora")
QUICK = ("protocol.steps=4", "protocol.evaluate_every=2")


def test_reproduce_runs_what_is_missing_and_writes_the_table(cli, home, mini_data):
    asked = ("disan/table1", "rows=additive,s2t", "seeds=0,2", "logger=none", f"paths.data={mini_data}", *QUICK)
    first = cli.output("reproduce", *asked)
    assert {(r.label.row, r.seed) for r in records_of(home)} == {
        (row, s) for row in ("additive", "s2t") for s in (0, 2)
    }
    before = {path: path.stat().st_mtime_ns for path in (home / "results/mini/records").iterdir()}
    again = cli.output("reproduce", *asked)
    assert before == {path: path.stat().st_mtime_ns for path in (home / "results/mini/records").iterdir()}
    assert again == first
    assert (home / "results/mini/disan/table1.md").read_text().strip() == first.strip()
    assert "| Word embedding with s2t self-attention | 3,603 |" in first
    assert "done (2 runs, the table asks for 1)" in first
    shown = cli.output("show", "disan/table1", "s2t", "scale=mini")
    assert shown.count("attest train experiment=disan/snli model=s2t scale=mini seed=") == 2


def test_failing_runs_are_listed_and_set_the_code(cli, home):
    done = cli.run("reproduce", "disan/table1", "rows=additive,s2t", "vectors.size=23", "logger=none", *QUICK)
    assert done.returncode == 1
    assert "2 of 2 runs failed" in done.stderr
    assert "glove.mini.24d.txt:1: the word 'animal' has more than 23 numbers" in done.stderr
    assert "Traceback" not in done.stderr
    assert "not run" in (home / "results/mini/disan/table1.md").read_text()


def test_the_first_error_is_the_one_that_is_reported(cli, home):
    """A damaged record also stops the table, which is written after an error too."""
    folder = home / "results/mini/records"
    folder.mkdir(parents=True)
    (folder / "0123456789ab.json").write_text("{")
    done = cli.run("reproduce", "disan/table1", "rows=additive", "vectors.size=23", "logger=none", *QUICK)
    assert done.returncode != 0
    assert "has more than 23 numbers" in done.stderr
    assert "0123456789ab" not in done.stderr


@pytest.mark.parametrize("mistake", ["protocol.epochs=abc", "rows=typo"])
def test_a_mistake_in_the_settings_writes_no_table(mistake, cli, home):
    assert mistake.partition("=")[2] in cli.error("reproduce", "disan/table1", "seeds=1", mistake, "logger=none")
    assert not (home / "results/mini/disan").exists()

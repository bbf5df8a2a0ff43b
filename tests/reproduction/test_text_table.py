"""A table of texts in a terminal, in markdown and as CSV."""

from attest.reproduction.pages.csv_latex import render_tabular
from attest.reproduction.pages.text_table import TextTable, draw, for_output, render_csv, render_markdown

TABLE = TextTable(["mask", "n", "Difference"], [["forward|x", "2", "–"], ["none", "2", "+1.0 (-2.0 to +4.0), 2 pairs"]])


def test_markdown_and_csv_hold_all_cells():
    assert render_markdown(TABLE).splitlines()[1:3] == ["| --- | ---: | ---: |", "| forward\\|x | 2 | – |"]
    assert render_csv(TABLE).splitlines()[2] == 'none,2,"+1.0 (-2.0 to +4.0), 2 pairs"'


def test_a_terminal_shows_at_most_its_width():
    wide, narrow = draw(TABLE, 80).splitlines(), draw(TABLE, 32).splitlines()
    assert len(wide) == 4, wide
    assert wide[0].split() == ["mask", "n", "Difference"]
    assert wide[-1].endswith("+1.0 (-2.0 to +4.0), 2 pairs")
    assert len(narrow) > len(wide)
    assert max(map(len, narrow)) <= 32


def test_where_columns_do_not_fit_a_row_is_a_list():
    assert draw(TABLE, 20).splitlines()[:4] == ["mask: forward|x", "n: 2", "Difference: –", ""]


def test_cells_drive_no_terminal():
    hostile = TextTable(["a"], [["\x1b[2J [bold]x[/bold]"]])
    assert "\\x1b[2J [bold]x[/bold]" in draw(hostile, 60)


def test_cells_are_no_links_and_no_html_and_drive_no_terminal():
    hostile = TextTable(["<b>no|t</b>", "[x](javascript:1)"], [["\x1b[2J", "[forward,backward]\nb_c"]])
    head, _, row = render_markdown(hostile).splitlines()
    assert head == r"| \<b>no\|t\</b> | [x\](javascript:1) |"
    assert row == r"| \x1b[2J | [forward,backward] b_c |"


def test_only_a_terminal_gets_a_drawing(monkeypatch):
    assert for_output(TABLE) == render_markdown(TABLE)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "20")
    assert for_output(TABLE) == draw(TABLE, 20)


def test_the_title_and_each_note_of_a_tabular_are_one_comment():
    title, begin, *_, note = render_tabular(TABLE, "two\nlines", ["seed=1: failed\nb & x"]).splitlines()
    assert (title, note) == ("% two lines", "% seed=1: failed b & x")
    assert begin.startswith(r"\begin{tabular}")


def test_signs_that_latex_reads_as_commands_are_escaped():
    rows = [["[forward]", "<null>"], ["*", "\N{MINUS SIGN}1 [0]"], ["a", 'say "x"']]
    lines = render_tabular(TextTable(["a", "b"], rows, 2), "title").splitlines()
    assert lines[5:8] == [
        r"{[}forward] & \textless{}null\textgreater{} \\",
        r"{*} & $-$1 [0] \\",
        r"a & say \texttt{\char34}x\texttt{\char34} \\",
    ]

"""A table in markdown, as CSV, in LaTeX, in the README and in a terminal; made-up records."""

import dataclasses

from made_up import COST, SPEC, line, record, shown

from attest.config.compose import compose
from attest.reproduction.pages import table_page as markdown
from attest.reproduction.pages.csv_latex import render_csv, render_latex
from attest.reproduction.pages.mini_note import mini_note
from attest.reproduction.pages.readme_summary import render_summary
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.pages.terminal.table_runs import render_runs
from attest.reproduction.specs.added_rows import with_rows
from attest.reproduction.specs.table import load_table, table_names
from attest.reproduction.tables.build import build
from attest.runs.identity import run_id


def test_markdown_prints_both_figures():
    text = render_table(build(SPEC, "paper", [record("disan", f"seed={s}", test=85.0 + s) for s in (1, 2, 3)]))
    figures = next(text for text in text.splitlines() if text.startswith("| Directional"))
    assert [cell.strip(" ") for cell in figures.strip("|").split(" | ")] == [
        "Directional self-attention network (DiSAN)",
        "2.35",
        "2.35",
        "600\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0",
        "587",
        "90.00\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.00",
        "91.08",
        "87.00\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}1.00",
        "85.62",
        "–",
    ]
    assert "| 300D NSE encoders (Munkhdalai and Yu 2017a) |" in text


def test_findings_and_status_of_a_wide_table_are_a_second_table():
    runs = [record("disan", f"seed={seed}", "protocol.steps=200", test=60.0 + seed / 10) for seed in (1, 2, 3)]
    text = render_table(build(SPEC, "paper", runs))
    second = text[text.index("| Model | Finding | Status |\n| --- | --- | --- |\n") :]
    assert "(DiSAN) | Test: below, at reduced budget | done (3 of 5 runs) [1] |\n" in second
    assert "NSE encoders" not in second
    assert "\n| Directional self-attention network (DiSAN) [1] | 2.35 | 2.35 | " in text
    assert "- The first table has the figures, the second what came of them, row by row.\n" in text
    assert "| SNLI hard (%), ours |\n" in text, "the paper has no figure in this column, which is left out"


def test_a_narrow_table_has_findings_and_status_beside_the_figures():
    narrow = dataclasses.replace(SPEC, columns={name: SPEC.columns[name] for name in ("parameters", "test")})
    text = render_table(build(narrow, "paper", [record("disan", "protocol.steps=200")]))
    assert "| Test (%), ours | Test (%), paper | Finding | Status |\n| --- | ---: | ---: | ---: | ---: | --- |" in text
    assert (
        "(DiSAN) | 2.35 | 2.35 | 85.00 | 85.62 | Test: undecided, at reduced budget | done (1 of 5 runs) [1] |" in text
    )
    assert "The first table" not in text


def test_the_first_column_is_headed_by_what_the_rows_are():
    table = build(load_table("dam/table1"), "paper", [])
    assert "\n| Data set | " in render_table(table)
    assert "| Model |" not in render_table(table)
    assert render_csv(table).startswith("Data set,")
    assert render_latex(table).splitlines()[3].startswith("Data set &")
    assert render_summary(table).startswith("| Data set |")


def test_the_legend_explains_dashes_and_empty_cells_where_they_occur():
    text = render_table(build(SPEC, "paper", [record("disan")]))
    assert '- "–": we have no figure, because' in text
    assert "- Empty cells: the paper has no such figure, the row is cited" in text
    full = dataclasses.replace(
        SPEC, columns={"test": SPEC.columns["test"]}, rows={"disan": SPEC.rows["disan"]}, comparisons=()
    )
    text = render_table(build(full, "paper", [record("disan")]))
    assert '"–"' not in text
    assert "Empty cells" not in text


def test_a_run_that_changed_devices_is_noted():
    """Old records do not say on which devices they were trained."""
    uses = (
        {"name": "A|B", "precision": "fp32", "from_step": 0},
        {"name": "GPU", "precision": "fp32", "from_step": 300},
    )
    records = [record("disan", "seed=1", devices=uses), record("disan", "seed=2", devices=uses[:1]), record("s2t")]
    table = build(SPEC, "paper", records)
    note = f"{records[0].id} was trained on A\\|B (fp32), from step 301 on GPU (fp32); devices differ in rounding."
    assert render_table(table).count(note) == render_table(table).count("was trained on") == 1
    assert render_table(table) != render_table(
        build(SPEC, "paper", [dataclasses.replace(records[0], devices=()), *records[1:]])
    )


def test_a_run_of_more_than_one_commit_is_noted():
    commits = [{"commit": "a" * 40, "from_step": 0}, {"commit": "b" * 40, "from_step": 300}]
    mixed = record("disan", "seed=1", environment={"commit": "b" * 40, "commits": commits})
    text = render_table(build(SPEC, "paper", [mixed, record("disan", "seed=2", environment={"commit": "b" * 40})]))
    note = f"{mixed.id} was trained by the code of more than one commit: {'a' * 12}, from step 301 on {'b' * 12}."
    assert text.count(note) == text.count("more than one commit") == 1


def test_a_page_says_that_runs_of_a_row_come_from_several_commits():
    def page(*commits):
        runs = [record("disan", f"seed={seed}", environment={"commit": commit}) for seed, commit in enumerate(commits)]
        return render_table(build(SPEC, "paper", [*runs, record("s2t", environment={"commit": "c" * 40})]))

    assert "- The runs of a row come from up to 2 commits of the code. " in page("a" * 40, "b" * 40, "a" * 40)
    assert "commits of the code" not in page("a" * 40, "a" * 40)


def test_times_on_a_gpu_are_not_averaged_with_those_on_a_cpu():
    def trained(seed, device, seconds):
        use = {"name": device, "precision": "fp32", "from_step": 0}
        environment = {"processor": "EPYC", "gpu": "H100"}
        cost = dataclasses.replace(COST, full_epoch_seconds=seconds)
        return record("disan", f"seed={seed}", devices=(use,), environment=environment, cost=cost)

    on_gpus = [trained(1, "H100", 100.0), trained(2, "H100", 200.0)]
    column = SPEC.columns["seconds"]
    assert line(on_gpus).our_value(column).values == (100.0, 200.0)
    assert "(DiSAN): its times are those of H100, and not of a CPU." in render_table(build(SPEC, "paper", on_gpus))
    mixed = [*on_gpus, trained(3, "EPYC", 1_000.0)]
    assert line(mixed).our_value(column).values == (1_000.0,)
    assert line(mixed).our_value(SPEC.columns["test"]).n == 3
    note = "(DiSAN): its times are those of 1 of 3 runs; the others were trained on H100."
    text = render_table(build(SPEC, "paper", mixed))
    assert note in text
    assert "| 1,000 (1 run) | 587 |" in text
    assert '- "604 (1 run)": of the runs that "Status" counts, only so many give this figure.\n' in text
    assert "(1 run)" not in render_csv(build(SPEC, "paper", mixed))


def test_other_formats_hold_the_same():
    table = build(SPEC, "paper", [record("disan", "protocol.steps=200")])
    rows = render_csv(table).splitlines()
    assert rows[0].startswith("Model,")
    assert rows[-2].endswith('protocol.steps 200 instead of 400,000"')
    assert r"DiSAN} \\" not in render_latex(table)
    assert r"Test (\%), paper" in render_latex(table)
    assert "% Directional self-attention network (DiSAN): protocol.steps 200" in render_latex(table)
    assert render_latex(table).count(r"\\") == len(table.rows) + 1


def test_the_summary_for_the_readme():
    text = render_summary(build(SPEC, "paper", [record("disan")]))
    assert text.startswith(
        "| Model | Figure | Ours | Paper | Finding | Runs |\n| --- | --- | ---: | ---: | --- | --- |\n"
    )
    assert "| Directional self-attention network (DiSAN) | Test (%) | 85.00 | 85.62 | undecided | 1 of 5 runs |" in text
    assert "| Word embedding with s2t self-attention | Test (%) | – | 83.12 |  | not run |" in text


def test_the_readme_says_nothing_of_a_finding_that_there_is_not():
    """Of a row that the paper does not have."""
    text = render_summary(build(SPEC, "paper", [record("fast_disan", test=61.0)]))
    assert "| 61.00 |  |  | 1 of 5 runs |" in text


def test_failures_are_shown():
    failed = record("disan", status="failed", reason="ValueError: broken\x1b[2J", metrics={})
    found = shown([failed])
    assert found.status == "failed"
    text = render_runs(build(SPEC, "paper", [failed]), "disan")
    assert "ValueError: broken\\x1b[2J\n    to repeat it  attest train experiment=disan/snli" in text
    assert "seed=1 retry_failed=true\n" in text


def test_show_prints_the_command_that_makes_a_run_again():
    made = record("no_directions", "seed=3", "protocol.steps=200")
    text = render_runs(build(SPEC, "paper", [made]), "no_directions")
    command = next(line for line in text.splitlines() if made.id in line).partition("attest train ")[2]
    assert run_id(compose(command.split()), "full") == made.id
    assert "to run it   attest reproduce disan/table1 scale=paper rows=s2t" in render_runs(
        build(SPEC, "paper", []), "s2t"
    )


def test_show_says_what_other_runs_reached_on_the_dev_set():
    whole, short = record("disan"), record("disan", "protocol.steps=200", dev=71.234)
    text = render_runs(build(SPEC, "paper", [whole, short]), "disan")
    assert f"run {short.id}  seed=1  dev 71.23" in text


def test_the_end_of_a_page_names_its_scale():
    records = {scale: record("disan", scale=scale) for scale in ("paper", "mini")}
    pages = {scale: render_table(build(SPEC, scale, [made])) for scale, made in records.items()}
    assert "`attest show disan/table1` lists the runs and commands" in pages["paper"]
    assert "`attest show disan/table1 scale=mini` lists the runs and commands" in pages["mini"]


def test_the_end_of_a_page_with_added_rows_names_them():
    spec = with_rows(SPEC, "model=additive,model=s2t model.activation=relu")
    page = render_table(build(spec, "mini", []))
    command = "attest show disan/table1 'with=model=additive,model=s2t model.activation=relu' scale=mini"
    assert f"\n\nMade from the records. `{command}` lists the runs and commands" in page


def test_a_table_of_ones_own_cites_the_paper_for_its_printed_figures_alone():
    own = dataclasses.replace(SPEC, name="own/mine")
    page = render_table(build(own, "paper", []))
    assert f"\n\nPrinted figures: {SPEC.source}. Paper: {SPEC.reference}.\n\nMade from the records." in page
    assert SPEC.reference not in render_table(build(own, "mini", []))
    assert f"\n\nSource: {SPEC.source}. Paper: {SPEC.reference}.\n\nMade by `attest collate` from" in render_table(
        build(SPEC, "paper", [])
    )


def test_the_names_of_tables_are_listed_once_for_a_page(monkeypatch):
    listed = []
    monkeypatch.setattr(markdown, "table_names", lambda **own: listed.append(own) or table_names(**own))
    render_table(build(SPEC, "paper", []))
    assert listed == [{"own": False}]


def test_a_table_of_ones_own_says_nothing_of_a_paper():
    """At scale=mini, its data are not the built-in corpora if they are the user's own."""
    rows = {"mine": dataclasses.replace(SPEC.rows["disan"], paper={})}
    inherited = dataclasses.replace(SPEC, name="own/mine", rows=rows, comparisons=(), notes=())
    ours = dataclasses.replace(inherited, reference="ours", source="ours")
    placed = dataclasses.replace(ours, source="Section 3 of our report")
    text = render_table(build(ours, "mini", []))
    assert "**Scale mini**: narrow models on the built-in corpora. Models of full size are at scale=paper." in text
    for spec in (inherited, ours):
        assert "Source:" not in (page := render_table(build(spec, "mini", [])))
        assert "aper:" not in page
        assert "the paper" not in page
    assert "\n\nSource: Section 3 of our report.\n\nMade from" in render_table(build(placed, "mini", []))
    assert f"Paper: {SPEC.reference}." in render_table(build(SPEC, "mini", []))


def test_deviations_and_claims_of_a_table_of_ones_own_are_not_those_of_a_paper():
    runs = [record(row, f"seed={seed}", "protocol.steps=200") for row in ("disan", "s2t") for seed in range(1, 8)]
    own = render_table(build(dataclasses.replace(SPEC, name="own/mine"), "paper", runs))
    paper = render_table(build(SPEC, "paper", runs))
    for text, owner in ((own, "table"), (paper, "paper")):
        assert f"\n## Deviations from the {owner}\n" in text
        assert f"refers to the deviations from the {owner} below." in text
        assert "done (7 runs, the table asks for 5)" in text
    assert "the claim of this table" in own
    assert "the claim of this table" not in paper
    assert "than the table asks for." in own
    assert "than the paper's." in paper


def test_the_note_on_scale_mini_names_the_built_in_corpora_where_runs_used_them():
    assert mini_note([False], of_paper=False).startswith("**Scale mini**: narrow models. Models of full size are")
    assert "narrow models, some of them on the built-in corpora." in mini_note([True, False], of_paper=True)
    assert "says nothing about the paper" in mini_note([True], of_paper=True)

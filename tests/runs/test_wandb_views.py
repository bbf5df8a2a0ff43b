"""Workspaces and reports of tables: in a file without a key, and on a W&B server."""

import json

import pytest
import wandb
from homes import store_of
from reproduction.made_up import run_of
from runs.fake_wandb import KEY

from attest.reproduction.specs.added_rows import with_rows
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import cells
from attest.runs.wandb import views as wandb_views

TABLE = ("disan/table1", "scale=mini")


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(wandb.Api, "_HTTP_TIMEOUT", 1)


@pytest.mark.parametrize(("kind", "view_type"), [("workspace", "project-view"), ("report", "runs")])
def test_sending_twice_updates_one_view(kind, view_type, server, cli):
    for _ in range(2):
        assert f"disan/table1: {kind} saved, {server.url}/me/attest" in cli.output("wandb", kind, *TABLE)
    ((identity, view),) = server.views.items()
    assert (view["id"], view["type"], view["entityName"], view["projectName"]) == (identity, view_type, "me", "attest")
    assert "disan/table1.value.group" in view["spec"]
    assert KEY.encode() not in b"".join(server.bodies)
    cli.output("wandb", kind, "disan/table2", "scale=mini")
    assert len(server.views) == 2


def test_a_workspace_as_w_and_b_reads_it(home, monkeypatch, cli):
    """The keys are those under which W&B stores nested settings."""
    cli.output("wandb", "workspace", *TABLE, "--to", str(home / "view.json"))
    (home / "again.json").write_bytes((home / "view.json").read_bytes())
    cli.output("wandb", "workspace", *TABLE, "--to", str(home / "view.json"))
    assert (home / "view.json").read_bytes() == (home / "again.json").read_bytes(), "ids follow from the content"
    section = json.loads((home / "view.json").read_text())["spec"]["section"]
    (runs,) = section["runSets"]
    filters = {item["key"]["name"]: item["value"] for item in runs["filters"]["filters"]}
    assert {item["op"] for item in runs["filters"]["filters"]} == {"IN"}
    assert filters["scale.value"] == ["mini"]
    assert filters["disan/table1.value.table"] == ["disan/table1"]
    assert [item.get("connector") for item in runs["filters"]["filters"]] == [None, "AND"]
    assert runs["grouping"] == [{"section": "config", "name": "disan/table1.value.group"}]
    assert list(runs["runFeed"]["columnPinned"])[:2] == ["run:displayName", "config:disan/table1.value.group"]
    panels = [panel for part in section["panelBankConfig"]["sections"] for panel in part["panels"]]
    curve = panels[0]["config"]
    assert (curve["metrics"], curve["groupBy"], curve["groupAgg"], curve["groupArea"]) == (
        ["dev/accuracy"], "disan/table1.value.group", "mean", "stddev")  # fmt: skip
    kinds = [panel["viewType"] for panel in panels]
    assert kinds[:3] == ["Run History Line Plot"] * 3
    assert {"Bar Chart", "Parallel Coordinates Plot", "Scatter Plot", "Run Comparer", "Markdown Panel"} <= {*kinds}


def test_rows_that_a_command_added(server, home, cli):
    """Their runs are pushed, and the page has them."""
    spec = with_rows(load_table("disan/table1"), "model=s2t hidden_size=20")
    (cell,) = (cell for cell in cells(spec, "mini") if "=" in cell.row)
    run = run_of(cell, **{"test/accuracy": 80.0})
    store_of(home).put(run)
    cli.error("wandb", "push", *TABLE, code=1)  # the table itself has no runs
    cli.output("wandb", "push", *TABLE, "with=model=s2t hidden_size=20")
    assert server.config(run.id)["disan/table1"] == {"table": "disan/table1", "row": cell.row, "group": cell.row}
    cli.output("wandb", "workspace", *TABLE, "with=model=s2t hidden_size=20")
    (view,) = server.views.values()
    assert "model=s2t hidden_size=20" in view["spec"]


def test_a_report_in_a_file_names_no_runs(home, cli):
    cli.output("wandb", "report", *TABLE, "--to", str(home / "report.json"))
    page = json.loads((home / "report.json").read_text())
    blocks = page["spec"]["blocks"]
    (text,) = [block["content"] for block in blocks if block["type"] == "markdown-block"]
    assert "Directional self-attention network (DiSAN)" in text
    grids = [block["metadata"] for block in blocks if block["type"] == "panel-grid"]
    assert [len(grid["panelBankSectionConfig"]["panels"]) for grid in grids] == [3, 4, 2, 1]
    assert all("project" not in runs for grid in grids for runs in grid["runSets"])
    assert "attest reproduce disan/table1 scale=mini" in str(blocks[-2])


@pytest.mark.parametrize("status", [500, 0])
def test_a_server_that_fails_is_named(status, server, impatient, cli):
    server.failing = status
    error = cli.error("wandb", "workspace", *TABLE, code=1)
    assert error.startswith("attest: disan/table1, scale mini: not sent (")
    assert error.strip().endswith("repeat the command to send it again")
    assert KEY not in error
    server.failing = None
    cli.output("wandb", "workspace", *TABLE)
    assert len(server.views) == 1


def test_a_project_without_runs(server, cli):
    assert "me/other: no such project on W&B; run attest wandb push first" in cli.error(
        "wandb", "report", *TABLE, "logger.project=other", code=1
    )
    assert not server.views


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["workspace"], "no table given; type attest wandb workspace disan/table1"),
        (["report", "disan/table1", "disan/table2", "--to", "x.json"], "--to x.json holds one table, and 2 are given"),
        (["workspace", "disan/tabel1"], "there is no such table"),
        (["workspace", "disan/table1"], "no API key for"),
        (["push", "--to", "x.json"], "--to is for attest wandb workspace and report"),
        (["push", "with=model=s2t"], "adds rows to a table; name one"),
        (["sync", "disan/table1"], "all offline runs are uploaded together; give no names"),
    ],
)
def test_what_cannot_be_done(arguments, message, cli, monkeypatch, home):
    monkeypatch.setenv("WANDB_BASE_URL", "http://wandb.example.org")
    assert message in cli.error("wandb", *arguments)


def test_without_the_extra(monkeypatch, cli):
    monkeypatch.setattr(wandb_views, "find_spec", lambda name: None)
    assert "wandb-workspaces is not installed; type pip install 'attest[wandb]'" in cli.error(
        "wandb", "workspace", *TABLE, "--to", "x.json"
    )

"""attest attend, figures and publish, as a user types them."""

import re

import pytest
from places import ROOT

from attest.cli.arguments.typed_overrides import is_override
from attest.config.paths import tracked_results
from attest.reproduction.load import records_in
from attest.runs.store import Store

pytest.importorskip("matplotlib")


pytestmark = pytest.mark.usefixtures("home_with_corpora")


@pytest.fixture
def run(finished):
    """A run of DiSAN's row of Table 1."""
    return finished("model=disan", "mask=forward_backward", "label.table=disan/table1", "label.row=disan")


def test_attend_leaves_text_a_record_and_pictures(run, home, cli):
    printed = cli.output("attend", run.id[:8], "the old man follows a dog", "a cat")
    assert "1  the old man follows a dog\n" in printed
    results = home / "results/mini"
    (record,) = records_in([results], "attention")
    assert f"record {record.id} of run {run.id}" in printed
    names = sorted(path.name for path in (results / "attention").iterdir())
    pictures = [f"{record.id}-{n}.{suffix}" for n in (1, 2) for suffix in ("png", "svg")]
    assert names == [*pictures, f"{record.id}.html"]
    assert f"page of shaded words: {results / 'attention' / names[-1]}" in printed
    assert (
        f"Run {run.id} (disan, seed 1) on snli at scale mini, data {run.fingerprint}"
        in (results / "attention" / names[-1]).read_text()
    )
    page = (results / "attention" / names[-1]).read_bytes()
    cli.output("attend", run.id, "the old man follows a dog", "a cat")
    assert (results / "attention" / names[-1]).read_bytes() == page
    assert sorted(path.name for path in (results / "attention").iterdir()) == names


def test_without_matplotlib_there_are_no_pictures(finished, home, monkeypatch, cli):
    run = finished("model=s2t")
    monkeypatch.setattr("attest.reproduction.figures.matplotlib_check.find_spec", lambda name: None)
    assert "pip install 'attest[figures]'" in cli.run("attend", run.id, "a cat").stderr
    (page,) = (home / "results/mini/attention").iterdir()
    assert page.suffix == ".html"
    refused = cli.run("figures")
    assert refused.returncode == 2
    assert "matplotlib is not installed; type pip install" in refused.stderr


def test_a_figure_of_mini_runs(run, home, cli):
    missing = cli.run("figures", "disan/figure6", "scale=mini")
    assert (missing.returncode, missing.stderr) == (1, "")
    first, reason, *commands = missing.stdout.splitlines()
    assert first == "figures at scale=mini"
    assert reason.startswith("disan/figure6: Not drawn yet: no run of disan/table1 has a record of its")
    assert [line.split()[:2] for line in commands] == [["`attest", "attend"], ["`attest", "figures"]]
    attended = cli.run("attend", run.id, "--figure", "disan/figure6")
    assert (attended.returncode, attended.stderr) == (0, "")
    assert attended.stdout.endswith("`attest figures disan/figure6 scale=mini` draws disan/figure6\n")
    cli.output("figures", "disan/figure6", "scale=mini")
    folder = home / "results/mini/disan"
    assert sorted(path.name for path in folder.iterdir()) == ["figure6.png", "figure6.svg", "figures.md"]
    assert f"Run `{run.id}`" in (folder / "figures.md").read_text()
    assert "says nothing about the paper" in (folder / "figures.md").read_text()


def test_a_run_that_a_figure_does_not_show_is_named_at_once(finished, home, cli):
    other = finished("model=disan", "mask=forward_backward", "experiment=disan/trec")
    shows = f"attest: disan/figure6 is not drawn from {other.id}: it shows runs of disan in disan/table1; "
    attended = cli.run("attend", other.id, "--figure", "disan/figure6")
    trains = f"{shows}`attest reproduce disan/table1 scale=mini rows=disan` trains them\n"
    assert (attended.returncode, attended.stderr) == (0, trains)
    assert "draws disan/figure6" not in attended.stdout
    shown = finished("model=disan", "mask=forward_backward")
    attended = cli.run("attend", other.id, "--figure", "disan/figure6", f"paths.home={home}")
    typed = f"{shows}type attest attend {shown.id} --figure disan/figure6 paths.home={home}\n"
    assert (attended.returncode, attended.stderr) == (0, typed)


def test_a_figure_needs_no_table_of_another_paper(home, monkeypatch, cli):
    built = []
    monkeypatch.setattr(
        "attest.cli.commands.figures.tables_in", lambda folders, names, *rest: built.extend(names) or []
    )
    cli.run("figures", "disan/figure6", "scale=mini")
    assert built == ["disan/table2", "disan/table1", "disan/sizes"]


def test_publishing_a_figure_tracks_its_records_and_draws_it(run, home, monkeypatch, cli):
    """At scale mini, for no other runs are made in a test."""
    assert "disan/figure6: Not drawn yet: there are no runs" in cli.error("publish", "disan/figure6", code=1)
    cli.output("attend", run.id, "--figure", "disan/figure6")
    monkeypatch.setattr(
        "attest.cli.commands.publish.scale_and_results", lambda overrides: ("mini", [home / "results/mini"])
    )
    cli.output("publish", "disan/figure6")
    (record,) = records_in([tracked_results()], "attention")
    assert [found.id for found in records_in([tracked_results()])] == list(record.parents)
    assert Store(tracked_results() / "records").arrays_path(record.id).is_file()
    assert (tracked_results() / "disan/figure6.png").is_file()


def test_figures_of_tracked_records_are_checked(home, cli):
    cli.output("collate")
    assert cli.output("figures").startswith("figures at scale=paper\n")
    cli.output("collate", "--check")
    page = tracked_results() / "disan/figures.md"
    assert "Not drawn yet" in page.read_text()
    page.write_text(page.read_text().replace("Not drawn yet", "Drawn"))
    assert "figures.md does not agree with the tracked records" in cli.error("collate", "--check", code=1)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["attend", "xyz", "a dog"], 1, "attest: xyz: no run has this id"),
        (["attend", "RUN"], 2, "attest attend: expected either sentences, as in"),
        (["attend", "RUN", "a dog", "--figure", "disan/figure6"], 2, "attest attend: expected either sentences"),
        (["attend", "RUN", "--figure", "disan/figure66"], 2, "Did you mean disan/figure6?"),
        (["attend", "RUN", "--figure", "disan/figure5"], 2, "disan/figure5: this figure has no sentences"),
        (["attend", "RUN", "a dog", ""], 2, "'': this sentence has no words"),
        (["attend", "RUN", "a dog", "paths.runs=/nowhere"], 1, "its model is missing (/nowhere"),
        (["figures", "disan/figure66"], 2, "Did you mean disan/figure6?"),
        (["publish", "disan/figure66"], 2, "no such table, figure or page. Did you mean disan/figure6?"),
    ],
)
def test_mistakes_are_one_sentence_and_a_code(arguments, code, message, finished, cli):
    run = finished("model=s2t") if "RUN" in arguments else None
    assert message in cli.error(*[run.id if run and word == "RUN" else word for word in arguments], code=code)


def test_sentences_are_no_overrides():
    for text in ("seed=1", "paths.data=a b", "+x=1", "++x.y=1", "~model", "hydra/launcher=joblib", "a=b"):
        assert is_override(text), text
    for text in ("x plus y = z", "+ and - are signs", "1 = 1", "~ a dog"):
        assert not is_override(text), text


def test_every_picture_that_the_tracked_captions_name_is_there():
    pages = sorted((ROOT / "results").rglob("figures.md"))
    pictures = [page.parent / name for page in pages for name in re.findall(r"^!\[.*\((.+)\)$", page.read_text(), re.M)]
    assert len(pictures) > 1
    assert [path for path in pictures if not path.is_file()] == []

"""attest attend, figures and publish, as a user types them."""

import re

import pytest
from conftest import ROOT

from attest.cli import main
from attest.cli.typed_overrides import is_override
from attest.config.paths import tracked_results
from attest.reproduction import collate
from attest.runs.store import Store
from attest.training import run as training

pytest.importorskip("matplotlib")


@pytest.fixture
def trained(settings_with, home, quiet_home, train_once):
    """Train a short run where commands look for it, and return its record."""
    budget = ("protocol.steps=2", "protocol.evaluate_every=2", f"paths.data={home}/cache/mini")

    def train(*overrides):
        return train_once(home, " ".join(overrides), lambda: training.run(settings_with(*overrides, *budget)))

    return train


@pytest.fixture
def run(trained):
    """A run of DiSAN's row of Table 1."""
    return trained("model=disan", "mask=forward_backward", "label.table=disan/table1", "label.row=disan")


def test_attend_leaves_text_a_record_and_pictures(run, home, capsys):
    assert main(["attend", run.id[:8], "the old man follows a dog", "a cat"]) == 0
    printed = capsys.readouterr().out
    assert "1  the old man follows a dog\n" in printed
    results = home / "results/mini"
    (record,) = collate.records_in([results], "attention")
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
    assert main(["attend", run.id, "the old man follows a dog", "a cat"]) == 0
    assert (results / "attention" / names[-1]).read_bytes() == page
    assert sorted(path.name for path in (results / "attention").iterdir()) == names


def test_without_matplotlib_there_are_no_pictures(trained, home, capsys, monkeypatch):
    run = trained("model=s2t")
    monkeypatch.setattr("attest.reproduction.figures.matplotlib_check.find_spec", lambda name: None)
    assert main(["attend", run.id, "a cat"]) == 0
    assert "pip install 'attest[figures]'" in capsys.readouterr().err
    (page,) = (home / "results/mini/attention").iterdir()
    assert page.suffix == ".html"
    assert main(["figures"]) == 2
    assert "matplotlib is not installed; type pip install" in capsys.readouterr().err


def test_a_figure_of_mini_runs(run, home, capsys):
    assert main(["figures", "disan/figure6", "scale=mini"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("figures at scale=mini\n")
    assert "disan/figure6: Not drawn yet: no run of disan/table1 has a record of its" in printed
    assert main(["attend", run.id, "--figure", "disan/figure6"]) == 0
    said = capsys.readouterr()
    assert said.out.endswith("`attest figures disan/figure6 scale=mini` draws disan/figure6\n")
    assert said.err == ""
    assert main(["figures", "disan/figure6", "scale=mini"]) == 0
    folder = home / "results/mini/disan"
    assert sorted(path.name for path in folder.iterdir()) == ["figure6.png", "figure6.svg", "figures.md"]
    assert f"Run `{run.id}`" in (folder / "figures.md").read_text()
    assert "says nothing about the paper" in (folder / "figures.md").read_text()


def test_a_run_that_a_figure_does_not_show_is_named_at_once(trained, home, capsys):
    other = trained("model=disan", "mask=forward_backward", "experiment=disan/trec")
    shows = f"attest: disan/figure6 is not drawn from {other.id}: it shows runs of disan in disan/table1; "
    assert main(["attend", other.id, "--figure", "disan/figure6"]) == 0
    said = capsys.readouterr()
    assert said.err == f"{shows}`attest reproduce disan/table1 scale=mini rows=disan` trains them\n"
    assert "draws disan/figure6" not in said.out
    shown = trained("model=disan", "mask=forward_backward")
    assert main(["attend", other.id, "--figure", "disan/figure6", f"paths.home={home}"]) == 0
    typed = f"type attest attend {shown.id} --figure disan/figure6 paths.home={home}\n"
    assert capsys.readouterr().err == f"{shows}{typed}"


def test_a_figure_needs_no_table_of_another_paper(home, monkeypatch):
    built = []
    monkeypatch.setattr("attest.cli.figures.tables_in", lambda folders, names, *rest: built.extend(names) or [])
    assert main(["figures", "disan/figure6", "scale=mini"]) == 0
    assert built == ["disan/table2", "disan/table1", "disan/sizes"]


def test_publishing_a_figure_tracks_its_records_and_draws_it(run, home, monkeypatch, capsys):
    """At scale mini, for no other runs are made in a test."""
    assert main(["publish", "disan/figure6"]) == 1
    assert "disan/figure6: Not drawn yet: there are no runs" in capsys.readouterr().err
    main(["attend", run.id, "--figure", "disan/figure6"])
    monkeypatch.setattr("attest.cli.publish.local_folders", lambda overrides: ("mini", [home / "results/mini"]))
    assert main(["publish", "disan/figure6"]) == 0
    (record,) = collate.records_in([tracked_results()], "attention")
    assert [found.id for found in collate.records_in([tracked_results()])] == list(record.parents)
    assert Store(tracked_results() / "records").arrays_path(record.id).is_file()
    assert (tracked_results() / "disan/figure6.png").is_file()


def test_figures_of_tracked_records_are_checked(home, capsys):
    assert main(["collate"]) == 0
    capsys.readouterr()
    assert main(["figures"]) == 0
    assert capsys.readouterr().out.startswith("figures at scale=paper\n")
    assert main(["collate", "--check"]) == 0
    page = tracked_results() / "disan/figures.md"
    assert "Not drawn yet" in page.read_text()
    page.write_text(page.read_text().replace("Not drawn yet", "Drawn"))
    capsys.readouterr()
    assert main(["collate", "--check"]) == 1
    assert "figures.md does not agree with the tracked records" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["attend", "xyz", "a dog"], 1, "attest: xyz: there is no record of such a run"),
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
def test_mistakes_are_one_sentence_and_a_code(arguments, code, message, trained, capsys):
    run = trained("model=s2t") if "RUN" in arguments else None
    assert main([run.id if run and word == "RUN" else word for word in arguments]) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


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

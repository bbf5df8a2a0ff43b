"""attest bench, as a user types it; tests/benchmarks has those of the measures."""

from cli.fixtures import records

from attest.cli import main


def test_bench_leaves_a_record_a_report_and_charts(home, monkeypatch, capsys):
    rows = [{"case": "5", "variant": "eager", "unit": "s", "values": [0.2]}]
    monkeypatch.setattr("attest.benchmarks.bench.MEASURES", {"core": lambda **options: rows})
    monkeypatch.setattr("attest.reproduction.pages.benchmarks.render_goal", lambda goal, rows: "- judged")
    monkeypatch.setattr("attest.benchmarks.bench.matrix_product_rates", dict)
    monkeypatch.setattr("attest.benchmarks.bench.run_in_new_process", lambda function, *given: function(*given))
    assert main(["bench", "core"]) == 0
    results = home / "results/local"
    assert "| 5 | eager | 200 ms |" in (results / "benchmarks.md").read_text()
    assert "| 5 | eager | 200 ms |" in capsys.readouterr().out
    assert sorted(path.name for path in (results / "benchmarks").iterdir()) == ["core.png", "core.svg"]
    assert [record.kind for record in records(home, "local")] == ["bench"]
    assert main(["bench", "cores"]) == 2
    assert main(["bench", "core", "model=s2t"]) == 2

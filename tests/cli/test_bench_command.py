"""attest bench, as a user types it; tests/benchmarks has those of the measures."""

import re
from dataclasses import replace

from cli.fixtures import records

from attest.benchmarks import bench, spec
from attest.benchmarks.optimizer import OPTIMIZERS
from attest.cli import main

OPTIONS = {"vocabularies": [50, 70], "words": 5, "features": 4, "rounds": 2}


def test_bench_leaves_a_record_a_report_and_charts(home, monkeypatch, capsys):
    load_benchmark = spec.load_benchmark
    monkeypatch.setattr(spec, "load_benchmark", lambda name: replace(load_benchmark(name), options=OPTIONS))
    assert main(["bench", "optimizer"]) == 0
    results = home / "results/local"
    printed = capsys.readouterr().out
    assert (results / "benchmarks.md").read_text() in printed
    for size in (50, 70):
        for name in OPTIMIZERS:
            assert re.search(rf"^\| {size} \| {re.escape(name)} \| [\d.,]+ (ms|µs|s) \|", printed, flags=re.MULTILINE)
    assert sorted(path.name for path in (results / "benchmarks").iterdir()) == ["optimizer.png", "optimizer.svg"]
    (record,) = records(home, "local")
    assert (record.kind, record.settings["rounds"]) == ("bench", 2)
    assert [len(row["values"]) for row in record.curve] == [2] * 2 * len(OPTIMIZERS)
    assert record.metrics["rate/fp32"] > 0
    assert main(["bench", "cores"]) == 2
    assert main(["bench", "optimizer", "model=s2t"]) == 2


def test_ctrl_c_says_that_a_benchmark_begins_anew(home, monkeypatch, capsys):
    def interrupted(function, *arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "run_in_new_process", interrupted)
    assert main(["bench", "optimizer"]) == 130
    *_, last = capsys.readouterr().err.splitlines()
    assert last == "attest: stopped; benchmarks that are done are recorded, the others begin anew"

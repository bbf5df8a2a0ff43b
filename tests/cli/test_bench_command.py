"""attest bench, as a user types it; tests/benchmarks has those of the measures."""

import re
from dataclasses import replace

from homes import records_of

from attest.benchmarks import bench, spec
from attest.benchmarks.optimizer import OPTIMIZERS

OPTIONS = {"vocabularies": [50, 70], "words": 5, "features": 4, "rounds": 2}


def test_bench_leaves_a_record_a_report_and_charts(home, monkeypatch, cli):
    load_benchmark = spec.load_benchmark
    monkeypatch.setattr(spec, "load_benchmark", lambda name: replace(load_benchmark(name), options=OPTIONS))
    printed = cli.output("bench", "optimizer")
    results = home / "results/local"
    assert (results / "benchmarks.md").read_text() in printed
    for size in (50, 70):
        for name in OPTIMIZERS:
            assert re.search(rf"^\| {size} \| {re.escape(name)} \| [\d.,]+ (ms|µs|s) \|", printed, flags=re.MULTILINE)
    assert sorted(path.name for path in (results / "benchmarks").iterdir()) == ["optimizer.png", "optimizer.svg"]
    (record,) = records_of(home, "local")
    assert (record.kind, record.settings["rounds"]) == ("bench", 2)
    assert [len(row["values"]) for row in record.curve] == [2] * 2 * len(OPTIMIZERS)
    assert record.metrics["rate/fp32"] > 0
    cli.error("bench", "cores")
    cli.error("bench", "optimizer", "model=s2t")


def test_ctrl_c_says_that_a_benchmark_begins_anew(home, monkeypatch, cli):
    def interrupted(function, *arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "run_in_new_process", interrupted)
    done = cli.run("bench", "optimizer")
    *_, last = done.stderr.splitlines()
    assert done.returncode == 130
    assert last == "attest: stopped; benchmarks that are done are recorded, the others begin anew"

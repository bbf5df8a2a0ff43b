"""Reports and charts follow from records alone."""

import pytest

from attest.benchmarks.spec import Benchmark, Goal
from attest.reproduction import collate
from attest.reproduction.pages import benchmarks
from attest.runs.records import Record
from attest.runs.store import Store

BENCHMARK = Benchmark(
    name="core", title="Title", text="Text", measure="core", options={}, axis="words", base="eager",
    goals=[Goal(case="15", variant="kernel", versus="eager", at_least=30),
           Goal(case="15", variant="kernel", versus="eager", at_least=50),
           Goal(case="15", variant="bf16", versus="eager", at_least=2)],
    paper={"15": 3.0},
)  # fmt: skip
ENVIRONMENT = {"processor": "P", "cores": 2, "threads": 2, "packages": {"torch": "9"}, "attention": "native - because"}


def record_of(rows, name="core", finished="2026-01-02T00:00:00Z", identity="a1"):
    return Record(
        id=identity, kind="bench", status="done", settings={"benchmark": name}, versions={}, data={"fingerprint": ""},
        seed=0, metrics={"rate/fp32": 190e9}, curve=rows, environment=ENVIRONMENT, finished=finished,
    )  # fmt: skip


def timed(variant, values, case="15"):
    return {"case": case, "variant": variant, "unit": "s", "values": values}


ROWS = [timed("eager", [0.4, 0.8, 0.4]), timed("kernel", [0.01, 0.02, 0.01]), timed("floor", [0.004])]


def test_a_table_by_hand():
    text = benchmarks.render_benchmarks_page([(BENCHMARK, record_of(ROWS))])
    assert "| 15 | eager | 400 ms |  | 3.0 s |" in text
    assert "| 15 | kernel | 10 ms | 40 (40 to 40) | 3.0 s |" in text
    assert "- kernel at 15: at least 30 x eager: reached, 40 (40 to 40)" in text
    assert "- kernel at 15: at least 50 x eager: **missed**, 40 (40 to 40)" in text
    assert "- bf16 at 15: at least 2 x eager: not measured, since the processor has no instructions for bf16" in text
    assert "P, 2 cores, 2 threads, torch 9; matrix products at GFLOPS: 190 in fp32; attention: native - because" in text
    assert "![Title](benchmarks/core.svg)" in text


def learnt(variant, seed, end):
    return {"case": "c", "variant": variant, "unit": "%", "seed": seed, "steps": [1, 2], "values": [50, end],
            "losses": [1.0, 0.5]}  # fmt: skip


LEARNT = [learnt("plain", 1, 80.0), learnt("plain", 2, 82.0), learnt("fp32", 1, 81.0), learnt("fp32", 2, 81.0)]


def test_curves_are_compared_seed_by_seed():
    lines = benchmarks.render_curves(record_of(LEARNT))
    # Differences +1 and -1: mean 0, t(0.975, 1) = 12.706 times sd sqrt(2) over sqrt(2).
    assert "| c | fp32 | 2 | 81.000 ± 0.000 | +0.000 (-12.706 to +12.706) |" in lines[-1]
    lines = benchmarks.render_curves(record_of([LEARNT[0], LEARNT[2]]))
    assert "| c | fp32 | 1 | 81.000 | +1.000 (one seed) |" in lines[-1]


@pytest.mark.parametrize(
    "rows", [ROWS, [timed("eager", [1.0], "unsorted"), timed("kernel", [0.5], "unsorted")], LEARNT]
)
def test_the_same_record_gives_the_same_chart(rows, tmp_path):
    plots = pytest.importorskip("attest.reproduction.figures.benchmarks")
    benchmark = BENCHMARK if rows is not LEARNT else Benchmark(**{**vars(BENCHMARK), "measure": "convergence"})
    for name in ("a.svg", "b.svg", "c.png"):
        plots.draw_benchmark(benchmark, record_of(rows), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_the_newest_record_of_each_benchmark_counts_and_tables_leave_them_alone(tmp_path):
    store = Store(tmp_path / "records")
    store.put(record_of(ROWS, finished="2026-01-03T00:00:00Z", identity="b2"))
    store.put(record_of(ROWS, finished="2026-01-02T00:00:00Z", identity="a1"))
    assert [(b.name, record.id) for b, record in collate.newest_benchmarks(tmp_path)] == [("core", "b2")]
    assert collate.records_in([tmp_path]) == []
    collate.write_results(tmp_path)
    assert "Record b2, 2026-01-03" in (tmp_path / "benchmarks.md").read_text()
    assert collate.outdated_files(tmp_path) == []

"""Reports and charts follow from records alone."""

from dataclasses import replace

import pytest

from attest.benchmarks.ratio import median_interval
from attest.benchmarks.spec import Benchmark, Goal
from attest.reproduction import collate
from attest.reproduction.figures.benchmark_medians import describe_interval
from attest.reproduction.load import newest_benchmarks, records_in
from attest.reproduction.pages import benchmarks
from attest.runs.records import Record
from attest.runs.store import Store

BENCHMARK = Benchmark(
    name="core", title="Title", text="Text", options={}, axis="words", base="eager",
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
    assert "- bf16 at 15: at least 2 x eager: not measured; the machine has no instructions for it" in text
    assert "P, 2 cores, 2 threads, torch 9; matrix products at GFLOPS: 190 in fp32; attention: native - because" in text
    assert "![" not in text, "three medians are read faster in the table"
    assert "| x eager (range) |" in text
    assert "Record a1, 2026-01-02. 3 rounds." in text
    more = [timed("eager", [0.5], str(words)) for words in range(5)]
    text = benchmarks.render_benchmarks_page([(BENCHMARK, record_of([*ROWS, *more]))])
    picture = "![Title: medians by words. kernel at 15: at least 30 x eager: reached, 40 (40 to 40)]"
    assert f"{picture}(benchmarks/core.svg)" in text


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
    "rows", [ROWS, [timed("eager", [1.0], "unsorted"), timed("kernel", [0.5], "unsorted")], LEARNT, LEARNT[::2]]
)
def test_the_same_record_gives_the_same_chart(rows, tmp_path):
    plots = pytest.importorskip("attest.reproduction.figures.benchmarks")
    benchmark = replace(BENCHMARK, name="convergence" if "steps" in rows[0] else "core")
    for name in ("a.svg", "b.svg", "c.png"):
        plots.draw_benchmark(benchmark, record_of(rows), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_a_case_that_answers_another_question_is_in_the_table_alone(tmp_path):
    plots = pytest.importorskip("attest.reproduction.figures.benchmarks")
    record = record_of([*ROWS, timed("loop", [0.4], "of another program")])
    benchmark = replace(BENCHMARK, table_only=["of another program"])
    plots.draw_benchmark(benchmark, record, tmp_path / "a.svg")
    assert ">eager<" in (tmp_path / "a.svg").read_text()
    assert ">loop<" not in (tmp_path / "a.svg").read_text()
    assert "| of another program | loop |" in benchmarks.render_benchmarks_page([(benchmark, record)])


def axes_of(rows):
    """A panel with the medians of the rows."""
    medians = pytest.importorskip("attest.reproduction.figures.benchmark_medians")
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    medians.draw_medians(axes, rows, medians.variant_styles(rows), logarithmic=medians.is_logarithmic(rows))
    medians.scale_values(axes, rows)
    return axes


def test_bars_begin_at_0_and_a_logarithmic_axis_has_dots():
    near = axes_of([timed("a", [1.0], "x"), timed("b", [9.0], "x")])
    assert (near.get_yscale(), near.get_ylim()[0], len(near.patches)) == ("linear", 0, 2)
    far = axes_of([timed("a", [0.6], "x"), timed("b", [6.0], "x")])
    assert (far.get_yscale(), len(far.patches), len(far.containers)) == ("log", 0, 2)
    assert [far.yaxis.get_major_formatter()(value) for value in (0.6, 1, 2000)] == ["0.6", "1", "2,000"]
    nothing = axes_of([timed("a", [0.0], "x"), timed("b", [9.0], "x")])  # 0 has no place on a logarithmic axis
    assert nothing.get_yscale() == "linear"


@pytest.mark.parametrize("slowest", [2.0, 200.0])
def test_each_group_is_centred_on_its_tick(slowest):
    names = {"x": "abc", "y": "de", "z": "f"}
    axes = axes_of([timed(name, [slowest if name == "a" else 1.0], case) for case in names for name in names[case]])
    if slowest == 2.0:
        places = [bar.get_x() + bar.get_width() / 2 for bar in axes.patches]
    else:
        places = [container[0].get_xdata()[0] for container in axes.containers]
    assert [sum(group) / len(group) for group in (places[:3], places[3:5], places[5:])] == pytest.approx([0, 1, 2])
    assert [text.get_text() for text in axes.get_xticklabels()] == list(names)


def test_the_interval_is_that_of_the_median():
    median_and_error = pytest.importorskip("attest.reproduction.figures.benchmark_medians").median_and_error
    median, error = median_and_error([2.0, 1.0, 4.0])
    assert (median, error.tolist()) == (2, [[1], [2]])  # two draws of three are the lowest in 7 of 27 samples
    assert median_and_error([3.0])[1].tolist() == [[0], [0]]


def test_few_rounds_have_a_range_and_no_interval():
    assert describe_interval([1, 5]) == "range of 1 to 5 rounds"
    assert describe_interval([15]) == "95% interval of 15 rounds"
    assert median_interval([1.0, 2.0, 3.0, 4.0, 5.0]) == (1, 5)
    low, high = median_interval(range(101))
    assert 0 < low < 50 < high < 100
    assert axes_of([timed("a", [1.0, 2.0, 3.0], "x")]).get_ylabel() == "s (median and\nrange of 3 rounds)"


def test_variants_have_their_colours_and_models_share_theirs():
    styles = pytest.importorskip("attest.reproduction.figures.benchmark_medians").variant_styles
    one = styles([timed(name, [1.0]) for name in ("bf16", "fp32")])
    other = styles([timed(name, [1.0]) for name in ("fp32", "mine", "bf16")])
    assert (one["fp32"]["color"], one["bf16"]["color"]) == (other["fp32"]["color"], other["bf16"]["color"])
    pair = styles([timed(name, [1.0]) for name in ("DiSAN, eager", "DiSAN, fast")])
    assert len({style["color"] for name, style in pair.items() if name != "paper"}) == 1
    assert [style["linestyle"] for style in pair.values()][1:] == ["--", "-"]


def test_the_papers_figures_and_pairs_of_names():
    plots = pytest.importorskip("attest.reproduction.figures.benchmarks")
    rows = plots.with_paper([{**ROWS[0], "unit": "GFLOPS"}, ROWS[1]], {"15": 3.0, "16": 4.0})
    assert rows == [ROWS[1], {"case": "15", "variant": "paper", "unit": "s", "values": [3.0]}]
    assert [bar.get_color() for bar in axes_of(rows).lines if bar.get_marker() == "*"] == ["black"]
    pairs = [timed("a", [1.0], f"{words} words, {kind}") for words in (10, 20) for kind in ("peak", "saved")]
    for axis, cases in (("model", ["10 words", "20 words"]), ("words in a sentence", ["10", "20"])):
        assert {title: [row["case"] for row in panel] for title, panel in plots.split_panels(pairs, axis).items()} == {
            "peak": cases, "saved": cases,
        }  # fmt: skip
    assert plots.split_panels(pairs[:3], "model") == {"": pairs[:3]}


def test_the_newest_record_of_each_benchmark_counts_and_tables_leave_them_alone(tmp_path):
    store = Store(tmp_path / "records")
    store.put(record_of(ROWS, finished="2026-01-03T00:00:00Z", identity="b2"))
    store.put(record_of(ROWS, finished="2026-01-02T00:00:00Z", identity="a1"))
    assert [(b.name, record.id) for b, record in newest_benchmarks(tmp_path)] == [("core", "b2")]
    assert records_in([tmp_path]) == []
    collate.write_results(tmp_path)
    assert "Record b2, 2026-01-03" in (tmp_path / "benchmarks.md").read_text()
    assert collate.outdated_files(tmp_path) == []

"""Commands as a user types them."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from commands import run as attest
from conftest import ROOT

from attest.cli import main
from attest.cli.settings_help import MOST_USED
from attest.config.keys import known_keys
from attest.runs.store import Store
from attest.system.environment import checkout_state

QUICK = ("protocol.steps=4", "protocol.evaluate_every=2")


@pytest.fixture(autouse=True)
def quiet_home(home, mini_data):
    """The built-in corpora are there already."""
    (home / "cache/mini").symlink_to(mini_data)


@pytest.fixture
def here(capsys):
    """Run a command in this process."""

    def run(*arguments):
        code = main(arguments)
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, said.out, said.err)

    return run


def records(home, folder="mini"):
    return list(Store(home / "results" / folder / "records"))


def test_doctor_says_which_back_end_is_in_use_and_why():
    done = attest("doctor", "trainer.attention=reference")
    assert done.returncode == 0, done.stderr
    assert "attention  reference: chosen by trainer.attention (trainer.attention=reference)" in done.stdout
    chosen = ("gpu, since torch finds one", "cpu, since torch finds no GPU")
    assert any(f"device     {text}" in done.stdout for text in chosen)
    apple = attest("doctor", "trainer.accelerator=mps", "trainer.precision=auto", "scale=paper")
    assert "device     mps, as trainer.accelerator=mps says" in apple.stdout
    assert "precision  fp32; the mps has no instructions for bf16" in apple.stdout
    without = attest("doctor", CXX="/nowhere/g++", XDG_CACHE_HOME=os.environ["ATTEST_HOME"])
    assert "attention  reference: /nowhere/g++ cannot be run" in without.stdout


def test_bench_leaves_a_record_a_report_and_charts(home, monkeypatch, capsys):
    rows = [{"case": "5", "variant": "eager", "unit": "s", "values": [0.2]}]
    monkeypatch.setattr("attest.benchmarks.bench.MEASURES", {"core": lambda **options: rows})
    monkeypatch.setattr("attest.reproduction.pages.benchmarks.render_goal", lambda goal, rows: "- judged")
    monkeypatch.setattr("attest.benchmarks.bench.matrix_product_rates", dict)
    assert main(["bench", "core"]) == 0
    results = home / "results/local"
    assert "| 5 | eager | 200 ms |" in (results / "benchmarks.md").read_text()
    assert "| 5 | eager | 200 ms |" in capsys.readouterr().out
    assert sorted(path.name for path in (results / "benchmarks").iterdir()) == ["core.png", "core.svg"]
    assert [record.kind for record in records(home, "local")] == ["bench"]
    assert main(["bench", "cores"]) == 2
    assert main(["bench", "core", "model=s2t"]) == 2


def test_train_writes_one_record_from_any_folder(home, tmp_path):
    done = attest("train", "model=s2t", "seed=0", *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (record,) = records(home)
    assert (record.seed, record.settings["model._target_"]) == (0, "attest.models.SourceToToken")
    assert "step 2/4" in done.stderr
    assert record.id in done.stderr
    assert not list(tmp_path.iterdir())
    assert not [path.name for path in home.iterdir() if path.name not in ("cache", "runs", "results", "wandb")]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["train", "modle=disan"], 2, "attest: modle: unknown setting. Did you mean model?"),
        (
            ["train", "++optimizer.lrr=1"],
            2,
            "attest: optimizer.lrr: unknown setting of Adadelta. Did you mean optimizer.lr?",
        ),
        (["train", "model=bilstm", "mask=diagonal"], 2, "model.directions: unknown setting of BiLSTM"),
        (["train", "scale=paper"], 1, "snli_1.0_train.jsonl"),
        (["reproduce", "disan/tabel1"], 2, "Did you mean disan/table1?"),
        (["reproduce", "disan/table1", "rows=disam"], 2, "Did you mean disan?"),
        (["reproduce", "disan/table1", "optimizer.lr=1"], 2, "makes other experiments"),
        (["reproduce", "disan/table1", "protocol.stepz=1"], 2, "Did you mean protocol.steps?"),
        (["show", "disan/table1", "disam"], 2, "Did you mean disan?"),
        (["describe"], 2, "attest describe: nothing to describe. Name a table"),
        (["data", "fetch", "snil"], 2, "Did you mean snli?"),
        (["data", "fetch", "mr"], 1, "mr: no official download is known; put mr/rt-polarity.neg"),
        (["data", "verify", "paths.dta=x"], 2, "Did you mean paths.data?"),
        (["train", "hydra/launcher=jobli"], 2, "no such choice. Did you mean joblib?"),
        (["train", "-m", "protocol=[1,2]"], 2, "protocol=[1,2]: the choice of a group is a name"),
        (
            ["train", "-m", "hydra/sweeper=search"],
            2,
            "hydra.sweeper.search: missing; type hydra.sweeper.search=dam/ngram",
        ),
        (["train", "-m", "seed=interval(1,3)"], 2, "seed=interval(1,3): an interval lists no values; type them"),
        (
            ["train", "-m", "hydra/launcher=joblib", "hydra.launcher.n_jobs=0", "seed=1,2"],
            2,
            "hydra.launcher.n_jobs=0: no run could start",
        ),
        (["reproduce", "disan/table1", "row=disan"], 2, "row: unknown setting. Did you mean rows?"),
        (["reproduce", "disan/table1", "label.row=disan"], 2, "label.row: not used by this command"),
        (["reproduce", "disan/table1", "rows="], 2, "rows: no row is named; type rows=ROW"),
        (["reproduce", "disan/table1", "seeds=1,1"], 2, "1 is listed twice"),
        (["reproduce", "disan/figure6"], 2, "disan/figure6: a figure, and no table; type attest figures disan/figure6"),
        (["encode", "0", "a.txt", "--to", "a.csv"], 2, "encode writes NumPy's format; name a file that ends in .npy"),
        (["predict", "0", "a.txt", "--to", "a.jsonl"], 2, "name a file that ends in .tsv or .txt"),
    ],
)
def test_mistakes_are_one_sentence_and_a_code(arguments, code, message, capsys):
    assert main(arguments) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert captured.err.count("\n") == 1


def test_unknown_commands_and_options_are_refused(capsys):
    for arguments in (["frobnicate"], ["train", "--fast"], []):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 2
    assert "usage: attest" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["show", "disan/table4", "sclae=paper"], "sclae: unknown setting. Did you mean scale?"),
        (["figures", "disan/figure5", "sclae=mini"], "sclae: unknown setting. Did you mean scale?"),
        (["publish", "disan/table4", "path.data=x"], "path.data: unknown setting. Did you mean paths.data?"),
        (["bench", "core", "protocol.steps=1"], "protocol.steps: not used by this command, which takes paths"),
        (["describe", "disan/table4", "model=disan"], "model=disan: this command takes no settings"),
        (["collate", "scale=mini"], "scale=mini: this command takes no settings"),
        (["choices", "disan", "seed=1"], "seed=1: this command takes no settings"),
        (["transfer", "average", "tasks=[CR"], "'tasks=[CR': not of the form key=value"),
        (["train", "-m", "model=1,2"], "model=1,2: the choice of a group is a name"),
    ],
)
def test_no_command_passes_over_a_setting_that_it_has_no_use_for(command, message, capsys):
    assert main(command) == 2
    assert message in capsys.readouterr().err


def test_behind_two_dashes_stands_no_setting(capsys):
    assert main(["attend", "000000000000", "paths.results=/nowhere", "--", "E=mc2 is famous"]) == 1
    assert "000000000000: there is no record of such a run" in capsys.readouterr().err


def test_a_full_standard_output_is_named():
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "attest.cli", "choices", "disan"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, "standard output" in done.stderr) == (1, True), done.stderr


def test_a_sweep_in_hydras_own_words(home):
    arguments = ("model=s2t", "logger=none", "trainer.progress=false", *QUICK)
    assert main(["train", "-m", "+hydra.sweeper.params.seed='1,2'", *arguments]) == 0
    assert sorted(record.seed for record in records(home)) == [1, 2]


def test_reproduce_runs_what_is_missing_and_writes_the_table(here, home, mini_data):
    asked = ("disan/table1", "rows=additive,s2t", "seeds=0,2", "logger=none", f"paths.data={mini_data}", *QUICK)
    first = here("reproduce", *asked)
    assert first.returncode == 0, first.stderr
    assert {(r.label.row, r.seed) for r in records(home)} == {(row, s) for row in ("additive", "s2t") for s in (0, 2)}
    before = {path: path.stat().st_mtime_ns for path in (home / "results/mini/records").iterdir()}
    again = here("reproduce", *asked)
    assert before == {path: path.stat().st_mtime_ns for path in (home / "results/mini/records").iterdir()}
    assert again.stdout == first.stdout
    assert (home / "results/mini/disan/table1.md").read_text().strip() == first.stdout.strip()
    assert "| Word embedding with s2t self-attention | 3,603 |" in first.stdout
    assert "done (2 runs, 1 asked for)" in first.stdout
    shown = here("show", "disan/table1", "s2t", "scale=mini")
    assert shown.stdout.count("attest train experiment=disan/snli model=s2t scale=mini seed=") == 2


def test_failing_runs_are_listed_and_set_the_code(here, home):
    done = here("reproduce", "disan/table1", "rows=additive,s2t", "vectors.size=23", "logger=none", *QUICK)
    assert done.returncode == 1
    assert "2 of 2 runs failed" in done.stderr
    assert "glove.mini.24d.txt:1: the word 'animal' has more than 23 numbers" in done.stderr
    assert "Traceback" not in done.stderr
    assert "not run" in (home / "results/mini/disan/table1.md").read_text()


def test_a_sweep_and_a_parallel_sweep_give_the_same(here, home, mini_data, tmp_path):
    arguments = ("train", "-m", "model=s2t,additive", "seed=1,2", "logger=none", f"paths.data={mini_data}", *QUICK)
    serial = here(*arguments)
    assert serial.returncode == 0
    parallel = attest(*arguments, "hydra/launcher=joblib", "hydra.launcher.n_jobs=2", ATTEST_HOME=str(tmp_path))
    assert parallel.returncode == 0, parallel.stderr
    for printed in (serial.stderr, parallel.stderr):
        assert "SourceToToken model=s2t seed=2: accuracy train" in printed
    for printed, folder in ((serial.stdout, home), (parallel.stdout, tmp_path)):
        (table,) = (folder / "results/mini/sweeps").glob("*/table.md")
        assert "| s2t | 2 | " in printed
        assert "| s2t | 2 | " in table.read_text()
    ours, theirs = records(home), records(tmp_path)
    assert len(ours) == 4
    assert [r.id for r in ours] == [r.id for r in theirs]
    for one, other in zip(ours, theirs, strict=True):
        assert one.metrics == pytest.approx(other.metrics, rel=1e-4)  # one thread each instead of two


def test_slurm_composes(here):
    done = here("train", "-m", "hydra/launcher=submitit_slurm", "--cfg")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("flags", [("-p", "optimizer"), ("--resolve",), ("--cfg", "-p", "optimizer")])
def test_flags_of_cfg_job_alone_are_refused_without_it(flags, capsys):
    assert main(["train", *flags]) == 2
    assert capsys.readouterr().err == (
        "attest: attest train: --package and --resolve need --cfg job; add it, or leave them out\n"
    )


def test_cfg_prints_the_settings(here):
    done = here("train", "--cfg", "model=bilstm", "seed=2")
    assert "_target_: attest.models.BiLSTM" in done.stdout
    assert "seed: 2" in done.stdout


def test_data_list_and_the_message_of_a_missing_file(home, here):
    listed = here("data", "list")
    for text in (
        "snli: 0 of 3 files here",
        "CC BY-SA 4.0",
        "https://nlp.stanford.edu/projects/snli/snli_1.0.zip",
        "sha256",
    ):
        assert text in listed.stdout
    verified = here("data", "verify", "snli")
    assert (verified.returncode, verified.stdout) == (1, "snli: missing\n")
    assert here("data", "verify").returncode == 0
    missing = here("train", "scale=paper")
    assert missing.returncode == 1
    assert "`attest data fetch snli`" in missing.stderr
    assert str(home / "data/snli/snli_1.0.zip") in missing.stderr


def test_collate_check_fails_on_a_difference(here):
    assert here("collate", "--check").returncode == 1
    assert here("collate").returncode == 0
    assert here("collate", "--check").returncode == 0


def copy_runs_of_this_code(source, target):
    """Copy the records of runs whose code was committed, is that of this checkout, and has not changed since."""
    here = checkout_state()
    for record in Store(source) if "commit" in here and not here["uncommitted_changes"] else ():
        if record.environment.get("commit") == here["commit"] and not record.uncommitted:
            target.mkdir(parents=True, exist_ok=True)
            for path in source.glob(f"{record.id}.*"):
                shutil.copy(path, target)


def test_runs_of_other_code_are_not_taken(home, tmp_path, here, monkeypatch):
    assert here("train", "model=s2t", "logger=none", "trainer.on_train=false", *QUICK).returncode == 0
    source = home / "results/mini/records"
    (made,) = Store(source)
    for number, facts in enumerate(
        ({"commit": "a"}, {"commit": "b"}, {"commit": "a", "uncommitted_changes": True}, {})
    ):
        Store(source).put(replace(made, id=f"{number}" * 12, environment=facts))
    (source / f"{made.id}.json").unlink()
    for commit, uncommitted, taken in (("a", False, ["0" * 12]), ("a", True, []), ("c", False, [])):
        state = {"commit": commit, "uncommitted_changes": uncommitted}
        monkeypatch.setattr(sys.modules[__name__], "checkout_state", lambda state=state: state)
        target = tmp_path / f"{commit}{uncommitted}"
        copy_runs_of_this_code(source, target)
        assert [record.id for record in Store(target)] == taken


def test_directions_pay_where_word_order_decides(home, here):
    """The built-in corpora are made so that only a model that sees word order gets beyond a coin toss there.

    This also catches a wrong mask. One seed, no tuning. Runs that `make table1` made in this checkout of this very code
    are taken as they are; without them, 800 of their 1,200 steps are enough.
    """
    made = home / "results/mini/records"
    copy_runs_of_this_code(ROOT / "results/mini/records", made)
    budget = () if made.exists() else ("protocol.steps=800",)
    rows = "rows=additive,s2t,no_directions,disan"
    done = here("reproduce", "disan/table1", rows, "logger=none", "trainer.on_train=false", *budget)
    assert done.returncode == 0, done.stderr
    on_order = {r.label.row: r.metrics["test/accuracy/order"] for r in records(home)}
    best_without = max(on_order[row] for row in ("additive", "s2t", "no_directions"))
    assert on_order["disan"] >= best_without + 10
    assert best_without < 58  # a coin
    predictions = Store(home / "results/mini/records").predictions(records(home)[0].id)
    assert len(np.unique(predictions["rows"])) == records(home)[0].data["splits"]["test"]["used"]


def test_wandb_offline_files_are_left_behind(home):
    done = attest("train", "model=s2t", "trainer.on_train=false", *QUICK)
    assert done.returncode == 0, done.stderr
    assert "accuracy dev" in done.stderr
    (record,) = records(home)
    assert [path.name for path in home.rglob("*.wandb")] == [f"run-{record.id}.wandb"]


def test_a_reader_who_closes_the_pipe_gets_no_traceback():
    """As `attest ... | head` does, here before the first word."""
    command = [sys.executable, "-m", "attest.cli", "choices", "disan"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


def test_help_does_not_load_torch():
    code = "import sys; from attest.cli.commands import parser; parser().format_help(); print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


@pytest.mark.parametrize(("said", "kept"), [(None, "1"), ("0", "0")])
def test_torch_is_asked_for_huge_pages_unless_a_user_says_otherwise(said, kept, here, monkeypatch):
    monkeypatch.delenv("THP_MEM_ALLOC_ENABLE", raising=False)
    if said is not None:
        monkeypatch.setenv("THP_MEM_ALLOC_ENABLE", said)
    here("choices", "disan")
    assert os.environ["THP_MEM_ALLOC_ENABLE"] == kept


def test_what_only_reads_does_not_load_what_trains():
    code = """
import sys
from attest.cli import main
from attest.cli.settings_help import MOST_USED
from attest.config.keys import known_keys
for command in (["choices", "disan"], ["data", "list", "snli"]):
    assert main(command) == 0, command
print({"pytorch_lightning", "torchmetrics", "torch._dynamo", "scipy.stats"} & set(sys.modules), file=sys.stderr)
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr == "set()\n"


def test_records_are_json_without_surprises(home, here):
    here("train", "model=s2t", "logger=none", *QUICK)
    text = (home / f"results/mini/records/{records(home)[0].id}.json").read_text()
    assert json.loads(text)["status"] == "done"
    assert text.endswith("}\n")


@pytest.mark.parametrize(
    ("flags", "text"),
    [
        (["--cfg", "job", "--package", "optimizer"], "_target_: attest.training.optim.Adadelta"),
        (["--cfg", "hydra", "--package", "hydra.sweeper"], "GridSweeper"),
        (["--info", "defaults"], "| experiment/disan/snli"),
        (["--info", "searchpath"], "| main"),
        (["--cfg"], "packages:"),
    ],
)
def test_hydras_own_flags_print_and_stop(flags, text, here, home):
    done = here("train", *flags, "seed=2")
    assert done.returncode == 0, done.stderr
    assert text in done.stdout
    assert records(home) == []


def test_hydras_own_help(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["train", "--hydra-help"])
    assert stopped.value.code == 0
    assert "Hydra" in capsys.readouterr().out


def test_a_folder_of_groups_of_ones_own(here, home, tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model/mine.yaml").write_text((ROOT / "conf/model/s2t.yaml").read_text())
    arguments = ("--config-dir", str(tmp_path), "model=mine", "logger=none", *QUICK)
    assert here("train", *arguments).returncode == 0
    assert here("train", "--multirun", *arguments, "seed=1,2").returncode == 0
    assert [record.settings["model._target_"] for record in records(home)] == ["attest.models.SourceToToken"] * 2
    assert here("train", *arguments, "model=min").stderr.startswith(
        "attest: model=min: no such choice. Did you mean mi"
    )
    missing = here("train", "--config-dir", str(tmp_path / "nowhere"))
    assert (missing.returncode, "no such folder" in missing.stderr) == (2, True)


def test_help_lists_the_groups_with_their_choices_and_the_most_used_settings(capsys):
    for command, texts in {
        "train": ("disan*", "disan/{", "protocol.steps=", "trainer.accelerator=gpu", "submitit_slurm", "--info"),
        "transfer": ("sklearn* torch", "folds=10", "packages=[attest,torch.optim]"),
        "parser": ("treebanks=[sick,sst]", "scorer.layers", "seed=1"),
    }.items():
        with pytest.raises(SystemExit):
            main([command, "--help"])
        printed = capsys.readouterr().out
        assert [text for text in texts if text not in printed] == []
        assert printed.count("\n") < 100


def test_every_most_used_setting_is_one():
    settings = [text.partition("=")[0] for group in MOST_USED.values() for text in group]
    assert set(settings) - known_keys() == {"hydra/launcher"}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("trian", "attest: trian: unknown command. Did you mean attest train?\n"),
        ("zzz", "attest: zzz: unknown command. attest --help lists them.\n"),
    ],
)
def test_an_unknown_command_is_one_sentence_with_the_nearest_one(command, message, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([command, "model=disan"])
    assert stopped.value.code == 2
    assert capsys.readouterr().err == message


def test_a_logger_asked_of_a_finished_run_is_not_passed_over(home, here):
    arguments = ("train", "model=s2t", *QUICK)
    assert "finished earlier" not in here(*arguments, "logger=none").stderr
    assert "finished earlier, so nothing is logged now; `attest wandb push" in here(*arguments, "logger=csv").stderr
    assert "finished earlier" not in here(*arguments).stderr

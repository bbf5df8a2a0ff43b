"""Mistakes in settings and names that are typed: one sentence each, and an exit code."""

import errno
import os
import sys

import pytest
from marks import linux

from attest.cli import failure_of_the_machine


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
        (["train", "+seed=1"], 2, "attest: +seed: this setting is there; leave out the +\n"),
        (
            ["train", "~logger"],
            2,
            "~logger: a group cannot be left out; choose from it, as logger=NAME: csv, none,",
        ),
        (["train", "model=s2t", "~model.mask"], 2, "~model.mask: there is no such setting to delete; leave it out.\n"),
        (["train", "~protocol.stepz"], 2, "leave it out. Did you mean protocol.steps?"),
        (["reproduce", "disan/table1", "with="], 2, "with=: no row is named; type with=model=NAME, or leave it out"),
        (["train", "lr=0.1"], 2, "lr: unknown setting. Did you mean optimizer.lr?"),
        (["train", "trainer.max_epochs=3"], 2, "trainer.max_epochs: unknown setting. Did you mean protocol.epochs?"),
        (["train", "trainer.callbacks={a: 1}"], 2, "trainer.callbacks: wrong type: "),
        (
            ["train", "-m", "model=disan,s2t", "mask=forward,null"],
            2,
            "mask=forward,null: the choice of a group is a name, as in protocol=paper, not a number or null; type "
            "~mask for that of the model",
        ),
        (["train", "mask=null", "optimizer=adam"], 2, "attest: mask=null: the choice of a group is a name"),
        (["train", "--cfg", "job", "dataset=3"], 2, "attest: dataset=3: the choice of a group is a name"),
        (["train", "+experiment=disan/trec"], 2, "+experiment: this group has a choice already; leave out the +"),
        (
            ["train", "experiment=disan/snli", "+experiment=disan/trec"],
            2,
            "experiment=disan/snli +experiment=disan/trec: this group is chosen twice; leave one choice out",
        ),
        (["train", "~experiment"], 2, "task: missing, since no experiment sets it; type experiment=disan/snli, or"),
        (["train", "hydra.run.dirr=x"], 2, "hydra.run.dirr: unknown setting. Did you mean hydra.run.dir?"),
        (["train", "hydra/luncher=joblib"], 2, "hydra/luncher: unknown setting. Did you mean hydra/launcher?"),
        (["train", "-m", "hydra.sweeper.max_batch_size=1"], 2, "hydra.sweeper.max_batch_size: unknown setting.\n"),
        (
            ["train", "-m", "hydra/launcher=joblib", "hydra.launcher.njobs=2"],
            2,
            "hydra.launcher.njobs: unknown setting. Did you mean hydra.launcher.n_jobs?",
        ),
        (
            ["reproduce", "disan/table1", "hydra/sweeper=grid"],
            2,
            "hydra/sweeper=grid: the command has a sweeper already; leave it out",
        ),
        (["train", "dataset.grades=6"], 2, "dataset.grades: not in the file of the dataset chosen here; type +dataset"),
        (["train", "dataset.columns.sentence=x"], 2, "dataset.columns.sentence: not in the file of the dataset"),
        (["train", "model.directions=[none,none]", "model=s2t"], 2, "model.directions: no setting of the model chosen"),
        (["train", "-sc", "install=bash"], 2, "-sc: type attest completion bash, zsh or fish"),
        (["train", "-m", "--cfg", "job", "seed=1,2"], 2, "--cfg shows the settings of one run; type one value for"),
        (["train", "model", "disan"], 2, "model: a choice of a group is written with =; type model=disan"),
        (["train", "--cfg", "job", "-p", "loggerr"], 2, "loggerr: unknown part of the configuration. Did you mean log"),
        (["train", "--cfg", "hydra", "-p", "hydra.launchr"], 2, "Did you mean hydra.launcher?"),
        (["train", "--info", "searchpath", "optimzer=x"], 2, "optimzer: unknown setting. Did you mean optimizer?"),
        (["train", "experiment=subj"], 2, "no such choice. Did you mean disan/authors/subj or disan/subj?"),
        (["train", "packages=[]"], 2, "packages: attest is missing; type packages=[attest,torch"),
        (["train", "hydra.searchpath=[file:///nowhere]"], 2, "hydra.searchpath: file:///nowhere: no such folder; name"),
        (["train", "hydra.run.dir=out"], 2, "hydra.run.dir=out: a run is kept in paths.runs; type paths.runs=FOLDER"),
        (["train", "-m", "seed=1,2", "hydra.sweep.dir=out"], 2, "hydra.sweep.dir=out: a run is kept in paths.runs"),
        (["train", "hydra.job.chdir=true", "paths.home=out"], 2, "hydra.job.chdir=true: runs work in the folder of"),
        (["train", "~mask=forward"], 2, "~mask=forward: forward is not chosen; choose from it, as mask=NAME: "),
        (["train", "-m", "optimizer.lr=glob(*)"], 2, "optimizer.lr=glob(*): this sweep has no run; list values"),
        (["train", "-m", "experiment=glob(*)"], 2, "or name the folder too, as in experiment=glob(disan/*)"),
        (["train", "--cfg", "seed=1,2"], 2, "type one value for each key, or -m --cfg to list the runs of a sweep"),
        (
            ["train", "-m", "--cfg", "hydra/sweeper=search", "seed=1,2"],
            2,
            "the command has a sweeper already; leave it",
        ),
        (
            ["train", "-m", "hydra/launcher=joblib", "hydra.launcher.n_jobs=0", "seed=1,2"],
            2,
            "hydra.launcher.n_jobs=0: no run could start",
        ),
        (["reproduce", "disan/table1", "row=disan"], 2, "row: unknown setting. Did you mean rows?"),
        (
            ["reproduce", "disan/table1", "label.row=disan"],
            2,
            "label.row: attest reproduce accepts only these settings:",
        ),
        (["reproduce", "disan/table1", "rows="], 2, "rows: no row is named; type rows=ROW"),
        (["reproduce", "disan/table1", "seeds=1,1"], 2, "1 is listed twice"),
        (["reproduce", "disan/figure6"], 2, "disan/figure6: a figure, and no table; type attest figures disan/figure6"),
        (["runs", "--to", "a.json"], 2, "runs writes columns separated by commas; name a file that ends in .csv"),
        (["submit", "0", "a", "--to", "a.tsv"], 2, "submit writes columns separated by commas; name a file that ends"),
        (["encode", "0", "a.txt", "--to", "a.csv"], 2, "encode writes NumPy's format; name a file that ends in .npy"),
        (["predict", "0", "a.txt", "--to", "a.jsonl"], 2, "name a file that ends in .tsv or .txt"),
    ],
)
def test_mistakes_are_one_sentence_and_a_code(arguments, code, message, cli):
    assert message in cli.error(*arguments, code=code)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["show", "disan/table4", "sclae=paper"], "sclae: unknown setting. Did you mean scale?"),
        (["figures", "disan/figure5", "sclae=mini"], "sclae: unknown setting. Did you mean scale?"),
        (["publish", "disan/table4", "path.data=x"], "path.data: unknown setting. Did you mean paths.data?"),
        (["bench", "core", "protocol.steps=1"], "protocol.steps: attest bench accepts only these settings: paths.*"),
        (["describe", "disan/table4", "model=disan"], "model=disan: attest describe TABLE takes no settings"),
        (["collate", "scale=mini"], "scale=mini: attest collate takes no settings"),
        (["choices", "disan", "seed=1"], "seed=1: attest choices takes no settings"),
        (["transfer", "average", "tasks=[CR"], "'tasks=[CR': not of the form key=value"),
        (["train", "-m", "model=1,2"], "model=1,2: the choice of a group is a name"),
    ],
)
def test_no_command_passes_over_a_setting_that_it_has_no_use_for(command, message, cli):
    assert message in cli.error(*command)


def test_a_file_that_may_not_be_read_is_not_called_unwritable(tmp_path, monkeypatch):
    path, may = tmp_path / "a.txt", {os.F_OK: True, os.R_OK: False, os.W_OK: True}
    monkeypatch.setattr(os, "access", lambda _, mode: may[mode])
    error = PermissionError(errno.EACCES, "denied", str(path))
    assert str(failure_of_the_machine(error)).startswith(f"cannot read {path}: you have no permission")
    may[os.W_OK] = False
    assert str(failure_of_the_machine(error)).startswith(f"cannot read or write {path}: you have no permission")
    may[os.R_OK] = True
    assert str(failure_of_the_machine(error)).startswith(f"cannot write {path}: you may not write there")
    larger = failure_of_the_machine(OSError(errno.EFBIG, "too large", str(path)))
    assert "larger than this process may write; raise the limit, as with ulimit -f" in str(larger)


def test_an_argument_that_is_not_utf_8_is_named():
    with pytest.raises(UnicodeEncodeError) as caught:
        "caf\udce9".encode()
    assert "caf\\udce9: an argument or the name of a file is not UTF-8" in str(failure_of_the_machine(caught.value))


def test_an_argument_that_is_not_utf_8_exits_as_other_mistakes_do(monkeypatch, cli):
    monkeypatch.setattr("attest.cli.split_arguments", lambda arguments: "".join(arguments).encode())
    assert cli.error("caf\udce9").startswith("attest: caf\\udce9: an argument or the name of a file is not UTF-8")


def test_a_deleted_working_folder_is_one_sentence(tmp_path, monkeypatch, cli):
    monkeypatch.chdir(tmp_path)
    tmp_path.rmdir()
    assert cli.error("train", "--cfg") == "attest: the working folder no longer exists; change to another one with cd\n"


def test_a_closed_standard_output_is_one_sentence(monkeypatch, cli):
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.error("runs", code=1).startswith("attest: standard output is closed; ")


@pytest.mark.parametrize("text", ["hydra/launcher=joblib", "hydra/sweeper=table", "+hydra.sweeper.params.seed=1"])
def test_a_launcher_or_a_sweeper_without_a_sweep_is_refused(text, cli):
    assert f"attest: {text}: only a sweep has a launcher and a sweeper; add -m" in cli.error("train", text)


@linux
@pytest.mark.parametrize("command", [["train"], ["train", "-m", "seed=1,2"], ["data", "fetch", "snli"]])
def test_a_home_that_cannot_be_made_is_one_sentence(command, monkeypatch, cli):
    monkeypatch.setenv("ATTEST_HOME", "/proc/x")
    printed = cli.error(*command, code=1)
    assert "none can be made there; choose another with ATTEST_HOME=... or paths.home=..." in printed


def test_without_the_dependencies_of_commands_it_says_what_is_installed(monkeypatch, cli):
    def parser():
        raise ModuleNotFoundError("No module named 'rich'", name="rich")

    monkeypatch.setattr("attest.cli.parser", parser)
    with pytest.raises(ModuleNotFoundError):
        cli.run("runs")
    monkeypatch.setitem(sys.modules, "hydra", None)
    assert cli.error("runs").startswith("attest: rich is not installed: this environment has attest.models alone")

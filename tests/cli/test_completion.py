"""attest completion: the words that complete a line, and the scripts of the shells."""

import shutil
import subprocess

import pytest

from attest.cli.commands.completion import SCRIPTS, completions


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("attest tr", ["train", "transfer"]),
        ("attest train --c", ["--cfg", "--config-dir"]),
        ("attest train model=di", ["model=disan"]),
        ("attest train -m model=disan,s", ["model=disan,s2t", "model=disan,structured"]),
        ("attest train experiment=disan/sn", ["experiment=disan/snli"]),
        ("attest train hydra/launcher=j", ["hydra/launcher=joblib"]),
        ("attest train model=structured model.ho", ["model.hops="]),
        ("attest train protocol.st", ["protocol.steps="]),
        ("attest reproduce disan/table1 se", ["seed=", "seeds="]),
        ("attest reproduce disan/table", [f"disan/table{number}" for number in range(1, 6)]),
        ("attest show disan/table1 model=d", []),
        ("attest show disan/table1 pa", ["paths.", "paths="]),
        ("attest transfer average ta", ["tasks="]),
        ("attest transfer average classifier=torch classifier.hi", ["classifier.hidden="]),
        ("attest parser train scorer.l", ["scorer.layers="]),
        ("attest tune dam/ng", ["dam/ngram"]),
        ("attest runs ta", ["table=", "task="]),
        ("attest runs since=1d mask=b", ["mask=backward"]),
        ("attest compare table=disan/table", [f"table=disan/table{number}" for number in range(1, 6)]),
        ("attest data fetch snl", ["snli"]),
        ("attest data fetch no", []),
        ("attest hard s", ["scale=", "seed=", "snli"]),
        ("attest figures benchmarks/ste", ["benchmarks/step"]),
        ("attest bench ste", ["step"]),
        ("attest wandb wo", ["workspace"]),
        ("attest wandb report disan/table1 sc", ["scale="]),
        ("attest wandb push logger.art", ["logger.artifacts="]),
        ("attest data list sc", []),
        ("attest describe disan/table1 sca", []),
        ("attest describe sca", ["scale="]),
        ("attest reproduce disan/table1 lab", []),
        ("attest parser test treeb", []),
        ("attest parser test datas", ["dataset.", "dataset="]),
        ("attest parser parse phr", ["phrases.", "phrases="]),
        ("attest encode RUN FILE model=d", []),
        ("attest plan disan/table", [f"disan/table{number}" for number in range(1, 6)]),
        ("attest status sc", []),
        ("attest publish sc", []),
        ("attest bench paths.res", ["paths.results="]),
        ("attest export paths.cac", ["paths.cache="]),
        ("attest evaluate RUN FILE --co", ["--columns", "--config-dir"]),
        ("attest evaluate RUN FILE paths.da", ["paths.data="]),
        ("attest trian model=di", []),
        ("attest train text.del", ["text.deleted="]),
        ("attest train logger.ta", ["logger.tags="]),
        ("attest train trainer.call", ["trainer.callbacks="]),
        ("attest train dataset.la", ["dataset.labels="]),
        ("attest train dataset.fi", ["dataset.files."]),
        ("attest train mask=forward model.dir", ["model.directions="]),
        ("attest train packages.", []),
        ("attest train packages=", []),
        ("attest train label=", []),
        ("attest train packa", ["packages="]),
        ("attest parser train treeb", ["treebanks="]),
        ("attest train classi", []),
        ("attest train pars", []),
        ("attest runs parser_training=", []),
        ("attest train ~mas", ["~mask"]),
        ("attest train exper", ["experiment="]),
        ("attest train text.lower", ["text.lowercase="]),
        ("attest train --cfg j", ["job"]),
        ("attest train -i se", ["searchpath", "seed="]),
        ("attest encode RUN FILE --format ", ["jsonl", "tsv", "txt"]),
        ("attest train experiment/", []),
        ("attest train experiment/disan=t", []),
        ("attest train hydra/laun", ["hydra/launcher="]),
        ("attest reproduce disan/table2 rows=b", ["rows=bilstm"]),
        ("attest reproduce disan/table2 scale=mini rows=bilstm,d", ["rows=bilstm,disan", "rows=bilstm,disan_authors"]),
        ("attest show disan/table2 d", ["disan", "disan_authors"]),
        ("attest runs table=disan/table2 row=di", ["row=disan", "row=disan_authors"]),
        ("attest train text.lowercase=", ["text.lowercase=false", "text.lowercase=first", "text.lowercase=true"]),
        ("attest train protocol.batches=by", ["protocol.batches=by_length"]),
    ],
)
def test_words_that_complete_a_line(line, expected):
    assert completions(line) == expected


def test_the_script_of_each_shell_asks_for_words(cli):
    for shell, script in SCRIPTS.items():
        assert cli.output("completion", shell).strip() == script
        assert f"attest completion {shell} --line" in script
    assert cli.output("completion", "bash", "--line", "attest train model=di") == "model=disan\n"


FAKE = 'attest() { [ "$4" = "attest train model=di" ] && printf "model=disan\\n"; }\n'
"""In place of the command, whose own answers are tested above."""


@pytest.mark.parametrize(
    ("shell", "command", "expected"),
    [
        ("bash", 'COMP_LINE="attest train model=di x"; COMP_POINT=21; _attest_completion; echo "$COMPREPLY"', "disan"),
        ("zsh", 'compadd() { print -- "$@" }; words=(attest train model=di); CURRENT=3; _attest_completion',
         "-Q -- model=disan"),
        ("fish", 'complete -C "attest train model=di"', "model=disan"),
    ],
)  # fmt: skip
def test_real_shells_complete(shell, command, expected):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    fake = 'function attest; test "$argv[4]" = "attest train model=di"; and echo model=disan; end\n'
    script = f"{SCRIPTS[shell]}\n{fake if shell == 'fish' else FAKE}{command}"
    done = subprocess.run([shell, "-c", script], capture_output=True, text=True, check=False)
    assert expected in done.stdout.splitlines(), done.stderr

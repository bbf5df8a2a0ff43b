"""What a search draws, what it refuses, when it ends, and how its trials are ranked."""

from itertools import islice

import numpy as np
import pytest
from hydra._internal.core_plugins.basic_launcher import BasicLauncher

from attest.config.paths import shipped_folder
from attest.errors import SettingsError
from attest.reproduction.search.budget import Budget
from attest.reproduction.search.ranking import TrialOutcome, best_first, progress_line, ranking, repeat_command
from attest.reproduction.search.space import (
    Distribution,
    RandomSearch,
    Trial,
    check_trial,
    load_search,
    read_search,
    trials,
)
from attest.reproduction.specs import files
from attest.reproduction.specs.table import table_names
from attest.runs.records import Cost, Record
from hydra_plugins.attest_launchers import JoblibLauncher, SlurmLauncher
from hydra_plugins.attest_sweepers._searching import parallel_trials
from hydra_plugins.attest_sweepers.search import SearchSweeper

SEARCH = RandomSearch(
    name="x", title="A search", reference="", source="a table", base=("experiment=dam/stsb",),
    settings={"optimizer.lr": Distribution(low=1e-5, high=1e-3, log=True), "model.span": Distribution(values=(2, 3))},
)  # fmt: skip


def drawn(search, *overrides, number=8):
    return [trial.drawn for trial in islice(trials(search, overrides), number)]


@pytest.mark.parametrize("name", files.names("search"))
@pytest.mark.parametrize("scale", ["mini", "paper"])
def test_every_search_makes_runs_that_dev_chooses(name, scale):
    (trial,) = islice(trials(load_search(name), [f"scale={scale}"]), 1)
    check_trial(trial)
    assert trial.settings.scale == scale
    assert trial.settings.label.row == "trial_1"
    assert name not in table_names()


def test_a_draw_follows_from_seed_number_and_name_alone():
    first = drawn(SEARCH)
    assert drawn(SEARCH, number=3) == first[:3]
    assert drawn(SEARCH, "seed=2") != first
    assert len(set(first)) == len(first)
    more = RandomSearch(**{**vars(SEARCH), "settings": {"dropout": Distribution(values=(0.1, 0.2)), **SEARCH.settings}})
    assert [settings[1:] for settings in drawn(more)] == first
    fixed = [settings[:1] for settings in first]
    assert drawn(SEARCH, "model.span=4") == drawn(SEARCH, "++model.span=4") == fixed  # what is fixed is not drawn


@pytest.mark.parametrize("typed", ["scale=mini", "scale='mini'", 'scale="mini"', "++scale=mini"])
def test_quotation_marks_do_not_hide_the_scale(typed):
    search = RandomSearch(**{**vars(SEARCH), "mini": {"optimizer.lr": Distribution(values=(0.5,))}})
    assert drawn(search, typed, number=1)[0][0] == "optimizer.lr=0.5"


def test_ranges_are_kept_to():
    random = np.random.default_rng(0)
    steps = [Distribution(low=200, high=1150, step=50).sample(random) for _ in range(300)]
    assert set(steps) == set(range(200, 1151, 50))
    tenths = {Distribution(low=0.1, high=0.5, step=0.05).sample(random) for _ in range(300)}
    assert sorted(tenths) == [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]
    rates = [Distribution(low=1e-5, high=1e-3, log=True).sample(random) for _ in range(300)]
    assert min(rates) >= 1e-5
    assert max(rates) <= 1e-3
    assert 0.4 < np.mean([rate < 1e-4 for rate in rates]) < 0.6  # both factors of ten alike
    narrow = {Distribution(low=100, high=104).sample(random) for _ in range(300)}
    assert narrow == {100, 101, 102, 103, 104}
    assert max(Distribution(low=1.0, high=1.26).sample(random) for _ in range(300)) == 1.26
    plain = [Distribution(low=0.0, high=1.0).sample(random) for _ in range(300)]
    assert 0.4 < np.mean(plain) < 0.6
    assert all(len(f"{value:.9g}".lstrip("0.")) <= 2 for value in plain)


def test_a_search_ends_when_there_is_nothing_new():
    small = RandomSearch(**{**vars(SEARCH), "settings": {"model.span": Distribution(values=(2, 3, 4))}})
    found = list(trials(small, []))
    assert sorted(trial.drawn for trial in found) == [("model.span=2",), ("model.span=3",), ("model.span=4",)]


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["protocol.observe_test=true"], "protocol.observe_test: a search chooses on the dev set alone"),
        (
            ["experiment=dam/multinli", "protocol.missing_dev=test"],
            "multinli_matched has no dev set, and a search must not use the test set",
        ),
    ],
)
def test_the_test_set_never_chooses(overrides, message):
    with pytest.raises(SettingsError, match=message):
        check_trial(next(trials(load_search("dam/words"), overrides)))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("low: 200,", "", "settings.hidden_size: give either values, or both low and high"),
        ("values: [2, 3, 4]", "values: [2], low: 1, high: 2", "settings.model.span: give either values"),
        ("low: 200,", "low: 2000,", "settings.hidden_size: low 2000.0 is not below high 1150.0"),
        ("low: 1.0e-5,", "low: 0.0,", "settings.optimizer.lr: log needs a low above 0 and no step"),
        ("step: 5", "stepp: 5", "settings.hidden_size.stepp: unknown setting. Did you mean settings.hidden_size.step"),
        ("step: 5", "step: 0", "settings.hidden_size.step: 0.0 is out of range"),
    ],
)
def test_mistakes_in_a_search_name_the_file(tmp_path, old, new, message):
    text = (shipped_folder("reproduce") / "dam/search_ngram.yaml").read_text()
    assert old in text
    path = tmp_path / "search.yaml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(SettingsError, match=r"search.yaml:\d+: " + message):
        read_search(path, "x")


def test_a_misspelt_search_is_named():
    with pytest.raises(SettingsError, match="dam/ngrams: there is no such search. Did you mean dam/ngram"):
        load_search("dam/ngrams")


def outcome(number, dev=None, seconds=60.0):
    """A trial that reached `dev`, or failed."""
    cost = Cost(step_seconds=1.0, epoch_seconds=1.0, full_epoch_seconds=1.0, wall_seconds=seconds, peak_bytes=1)
    record = Record(
        id=f"run{number}", status="failed" if dev is None else "done", settings={}, versions={}, seed=1,
        data={"fingerprint": "f"}, metrics={} if dev is None else {"dev/pearson": dev, "test/pearson": 0.987654},
        cost=None if dev is None else cost, reason="" if dev is not None else "TrainingError: the loss",
    )  # fmt: skip
    settings = (f"optimizer.lr={number}e-4",)
    overrides = ("experiment=dam/stsb", "scale=paper", "seed=7", *settings, f"label.row=trial_{number}")
    return TrialOutcome(Trial(number, settings, overrides), record, 10.0)


def test_the_ranking_is_by_dev_and_says_nothing_of_test():
    outcomes = [outcome(1, 0.5), outcome(2), outcome(3, 0.75), outcome(4, 0.75)]
    assert [each.trial.number for each in best_first(outcomes)] == [3, 4, 1]
    text = ranking(SEARCH, outcomes)
    assert text.startswith("x: 3 finished, 1 failed, 3:10 of training\n")
    assert "  0.7500      3      1:00  run3          optimizer.lr=3e-4\n" in text
    assert "  failed      2            run2          optimizer.lr=2e-4\n          TrainingError: the loss\n" in text
    assert text.endswith("attest train -m experiment=dam/stsb scale=paper optimizer.lr=3e-4 seed=1,2,3,4,5")
    assert "0.98" not in text
    assert ranking(SEARCH, []) == ("x: 0 finished, 0 failed, 0:00 of training\nA search; ranges from a table")


def test_the_best_is_named_with_the_scale_it_had():
    trial = Trial(1, (), ("experiment=dam/stsb", "label.row=trial_1"))
    assert repeat_command(trial) == "attest train -m experiment=dam/stsb scale=mini seed=1,2,3,4,5"


def test_the_command_of_the_best_is_quoted_for_a_shell():
    trial = Trial(1, (), ("paths.data=/my data", "scale=mini", "model.x=[1,2]"))
    command = repeat_command(trial)
    assert command == "attest train -m 'paths.data=/my data' scale=mini 'model.x=[1,2]' seed=1,2,3,4,5"


def test_a_search_without_a_budget_is_refused():
    with pytest.raises(SettingsError, match=r"no budget; type hydra.sweeper.runs=20 or hydra.sweeper.minutes=30"):
        SearchSweeper("dam/ngram", None, None, 1).sweep([])
    with pytest.raises(SettingsError, match=r"at_once: 0 is out of range"):
        SearchSweeper("dam/ngram", 20, None, 0).sweep([])


def test_budgets_by_hand():
    two = [outcome(1, 0.5), outcome(2, 0.4)]
    assert Budget(runs=3, minutes=None, at_once=2).trials([]) == 2
    assert Budget(runs=3, minutes=None, at_once=2).trials(two) == 1
    assert Budget(runs=2, minutes=None, at_once=2).trials(two) == 0
    assert Budget(runs=4, minutes=None, at_once=2).trials(two, waiting=1) == 1
    assert Budget(runs=None, minutes=2.5, at_once=1).trials(two) == 1
    assert Budget(runs=None, minutes=2.0, at_once=1).trials(two) == 0
    assert Budget(runs=9, minutes=2.0, at_once=1).trials(two) == 0
    assert Budget(runs=None, minutes=2.1, at_once=1).trials([*two, outcome(3)]) == 0  # 120 s and a failure of 10 s
    assert Budget(runs=8, minutes=None, at_once=2).seconds_left(two, parallel=2) == 180
    assert Budget(runs=8, minutes=None, at_once=2).seconds_left(two, parallel=1) == 360
    assert Budget(runs=3, minutes=None, at_once=2).seconds_left(two, parallel=2) == 60, "the last one runs alone"
    assert Budget(runs=8, minutes=5.0, at_once=1).seconds_left(two, parallel=1) == 180
    assert progress_line(two, 180) == (
        "trial 2: dev pearson 0.4, best 0.5 (trial 1); 2:00 of training, about 3:00 left"
    )
    assert progress_line([outcome(2)], 0).startswith("trial 2: failed: TrainingError: the loss; 0:10 of training")


@pytest.mark.parametrize(
    ("launcher", "parallel"),
    [(BasicLauncher(), 1), (JoblibLauncher(n_jobs=2), 2), (JoblibLauncher(n_jobs=8), 4),
     (SlurmLauncher(array_parallelism=3), 3), (SlurmLauncher(array_parallelism=64), 4)],
    ids=["basic", "few processes", "many processes", "few jobs", "many jobs"],
)  # fmt: skip
def test_a_launcher_makes_as_many_trials_at_the_same_time_as_it_can(launcher, parallel):
    assert parallel_trials(launcher, 4) == parallel

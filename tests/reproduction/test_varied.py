"""The settings in which runs differ: those that have a column in a long list."""

from attest.reproduction.tables.varied import differs_within, distinguishing_keys, varied_keys


def run(dataset, model="a.S2T", **settings):
    """The settings of a run; those of the text follow from the data set."""
    text = {"text.split_characters": "" if dataset == "trec" else "-/~", "text.a": dataset, "text.b": dataset}
    settings = {key.replace("__", "."): value for key, value in settings.items()}
    own = {"text.tokens": "parse", "task": "classification", "protocol.steps": 40}
    return {"dataset.name": dataset, "model._target_": model, **text, **own, **settings}


def test_settings_that_tell_runs_apart_come_before_those_of_the_data_set():
    runs = [
        run("trec"),
        run("snli"),
        run("snli", "a.DiSAN"),
        run("snli", protocol__steps=20),
        run("snli", task="my_task.Smoothed"),
        run("snli", text__tokens="my_text.halves", **{"text.split_characters": ""}),
    ]
    keys = varied_keys(runs)
    assert keys[:4] == ["dataset.name", "model._target_", "text.split_characters", "text.a"]
    shown = ["dataset.name", "model._target_", "text.tokens", "task", "protocol.steps"]
    assert distinguishing_keys(runs, keys, 0, 8) == shown
    assert len({tuple(each[key] for key in shown) for each in runs}) == len(runs)


def test_without_settings_that_tell_runs_apart_the_first_ones_are_shown():
    runs = [run("trec"), run("snli")]
    keys = varied_keys(runs)
    assert distinguishing_keys(runs, keys, 0, 8) == ["dataset.name"]
    assert distinguishing_keys(runs, keys, 3, 8) == keys[:3]
    assert distinguishing_keys(runs, keys, 9, 9) == keys
    assert distinguishing_keys(runs[:1], [], 6, 8) == []


def test_no_more_settings_are_shown_than_asked_for():
    values = [{f"optimizer.{name}": int(name == other) for name in "abcdefgh"} for other in "abcdefgh"]
    runs = [run("snli") | each for each in values]
    assert distinguishing_keys(runs, varied_keys(runs), 1, 3) == ["optimizer.a", "optimizer.b", "optimizer.c"]


def test_a_setting_that_some_runs_do_not_have_differs_only_between_the_others():
    assert not differs_within([1, "–", 1], ["a", "a", "a"])
    assert not differs_within([1, 2], ["a", "b"])
    assert differs_within([1, "–", 2], ["a", "a", "a"])

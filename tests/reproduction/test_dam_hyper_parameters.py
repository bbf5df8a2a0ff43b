"""The hyper-parameters that Lopez-Gazpio et al. 2019 print, and what the experiments compose."""

import pytest

from attest.config.compose import compose

LARGE = ("multinli", "snli", "sick_te", "sick_ts", "stsb")
PRINTED = {
    "": (  # Table A.9, DAM BoW
        "adagrad",
        LARGE,
        {
            "hidden_size": (300, 300, 300, 200, 250),
            "weight_decay": (5e-5, 5e-5, 5e-5, 5e-5, 5e-5),
            "max_grad_norm": (5, 5, 5, 5, 5),
            "dropout": (0.1, 0.1, 0.2, 0.2, 0.2),
            "initial": (1e-2, 1e-2, 1e-2, 1e-2, 1e-2),
            "lr": (5e-2, 5e-2, 5e-2, 2.5e-2, 2.5e-2),
        },
    ),
    "/bow_ff": (  # Table A.10
        "adagrad",
        LARGE,
        {
            "hidden_size": (500, 500, 500, 400, 200),
            "weight_decay": (5e-5, 5e-5, 5e-5, 2e-5, 2e-5),
            "max_grad_norm": (5, 5, 5, 8, 8),
            "dropout": (0.25, 0.25, 0.5, 0.5, 0.5),
            "initial": (1e-2, 1e-2, 1e-2, 1e-2, 1e-2),
            "lr": (4e-2, 6e-2, 2.5e-2, 3.5e-2, 3e-2),
        },
    ),
    "/rnn_ff": (  # Table A.11
        "adagrad",
        LARGE,
        {
            "hidden_size": (300, 1150, 550, 350, 600),
            "weight_decay": (5e-5, 4.9e-5, 5.9e-5, 4e-5, 5e-5),
            "max_grad_norm": (5, 5, 5, 5, 5),
            "dropout": (0.15, 0.25, 0.25, 0.25, 0.25),
            "initial": (1e-2, 1e-2, 1e-2, 1e-2, 1e-2),
            "lr": (5e-2, 6e-2, 1.8e-2, 1.5e-2, 7e-2),
        },
    ),
    "/cnn3": (  # Table A.12, whose caption is that of A.11
        "adagrad",
        LARGE,
        {
            "hidden_size": (385, 300, 250, 600, 250),
            "weight_decay": (6.7e-5, 5.5e-5, 5e-5, 5e-6, 5e-6),
            "max_grad_norm": (8, 8, 5, 5, 1),
            "dropout": (0.15, 0.15, 0.15, 0.4, 0.4),
            "initial": (8e-2, 4.5e-2, 1e-1, 5e-2, 1e-1),
            "lr": (3.4e-2, 3.7e-2, 2e-2, 1e-2, 1.5e-2),
            "span": (3, 3, 3, 3, 3),
        },
    ),
    "/ngram_ff": (  # Table 3; SNLI's size of n-grams is illegible in our copy, and its neighbours' is taken
        "adam",
        ("sick_ts", "stsb", "multinli", "snli", "sick_te"),
        {
            "hidden_size": (450, 450, 500, 600, 1050),
            "weight_decay": (5e-5, 5e-5, 5e-5, 5e-5, 5e-5),
            "max_grad_norm": (5, 5, 5, 5, 5),
            "dropout": (0.5, 0.5, 0.25, 0.15, 0.15),
            "initial": (1e-2, 1e-2, 1e-2, 1e-2, 1e-2),
            "lr": (9e-4, 1e-4, 1e-4, 7.5e-5, 1.9e-5),
            "span": (2, 2, 4, 4, 4),
        },
    ),
}


@pytest.mark.parametrize(
    ("system", "column"),
    [(system, column) for system, (_, data, _) in PRINTED.items() for column in range(len(data))],
    ids=lambda value: str(value) or "bow",
)
def test_experiments_have_what_is_printed(system, column):
    optimizer, data, rows = PRINTED[system]
    settings = compose([f"experiment=dam/{data[column]}{system}", "scale=paper"])
    found = {
        "hidden_size": settings.model["hidden_size"],
        "weight_decay": settings.optimizer["weight_decay"],
        "max_grad_norm": settings.protocol.max_grad_norm,
        "dropout": settings.model["dropout"],
        "initial": settings.model["initial"],
        "lr": settings.optimizer["lr"],
        "span": settings.model.get("span"),
    }
    assert {name: found[name] for name in rows} == {name: values[column] for name, values in rows.items()}
    assert optimizer in settings.optimizer["_target_"].lower()
    assert settings.vectors.size == 300
    assert (settings.model["attention"] == "feed_forward") == system.endswith("_ff")
    of_head = {"hidden_size", "dropout", "initial"} & rows.keys()
    assert {name: settings.head[name] for name in of_head} == {name: found[name] for name in of_head}

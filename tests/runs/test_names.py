from attest.config.compose import compose
from attest.runs.names import run_name


def test_a_fold_is_named_with_its_data_set():
    assert run_name(compose(["label.row=disan", "protocol.fold=3"])) == "disan snli fold=3 seed=1"
    assert run_name(compose(["model=s2t"])) == "SourceToToken seed=1"
    whole = compose(["dataset=cr", "label.row=disan", "protocol.fold=3"])
    assert run_name(whole, data={}) == "disan cr fold=3 of 10 seed=1"
    assert run_name(whole, data={"folds": 5}) == "disan cr fold=3 of 5 seed=1"
    swept = ["mask=forward", "+protocol.fold=3", "seed=2"]
    assert run_name(compose(swept), swept) == "DiSAN mask=forward snli fold=3 seed=2"

"""The module to train, as the settings describe it."""

import pytest

from attest.config.compose import compose
from attest.training.assemble import weight_decay_of


@pytest.mark.parametrize(
    ("overrides", "decay"),
    [
        (["optimizer.weight_decay=0.2"], 0.2),
        (["optimizer._target_=torch.optim.AdamW", "~optimizer.weight_decay"], 0.01),
        (["optimizer._target_=torch.optim.Adam", "~optimizer.weight_decay"], 0.0),
        (["optimizer._target_=torch.optim.Rprop"], 0.0),
    ],
)
def test_without_a_setting_weights_decay_as_the_class_of_the_optimiser_says(overrides, decay):
    assert weight_decay_of(compose(overrides)) == decay

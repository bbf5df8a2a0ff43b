"""Learning rates for narrow models that have a minute: larger than any paper's."""

RATES = {"attest.optim.Adadelta": 5.0, "attest.optim.Adagrad": 0.05, "torch.optim.SGD": 0.1}
OTHERS = 0.005


def rate_of(optimizer: str) -> float:
    """By the name of its class, as settings have it."""
    return RATES.get(optimizer, OTHERS)

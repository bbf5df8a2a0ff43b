"""The ways to copy a model."""

import copy
import pickle

COPIES = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),  # our own object, written a moment ago
}

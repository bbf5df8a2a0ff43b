"""The task SICK-R: a linear model that predicts the relatedness of two sentences, from 1 to 5, trained as in SentEval.

Legend: N examples, B examples of a batch, W features, K grades.
"""

import numpy as np
import torch
from torch import Tensor, nn

from attest.models.heads.relatedness import expected_grade, soft_labels
from attest.system.correlation import pearson
from attest.system.random_streams import seeded_generator
from attest.transfer.classifiers import LabelledVectors

GRADES = 5
BATCH = 64
EPOCHS_PER_EVALUATION = 50
"""The number of passes over the training set between two evaluations on dev."""
MAX_EPOCHS = 1000
"""The number of passes after which no further block of EPOCHS_PER_EVALUATION passes begins; as in SentEval, the last
block may exceed it."""
TENACITY = 3
"""The number of evaluations without a new best Pearson's r, consecutive or not, that are tolerated; the next one
ends training."""


def predict_scores(
    train: LabelledVectors, dev: LabelledVectors, test_NW: np.ndarray, seed: int
) -> tuple[float, np.ndarray]:
    """Train a model on `train`, and return its best Pearson's r on `dev` and its scores (N,) of the test pairs.

    The model is a linear layer and a softmax over grades. Its loss is the mean squared error from `soft_labels`.
    """
    x_NW, dev_x_NW = torch.from_numpy(train.x_NW).float(), torch.from_numpy(dev.x_NW).float()
    target_NK = soft_labels(torch.from_numpy(train.y_N), GRADES).float()
    rng = np.random.RandomState(seed)
    with seeded_generator(seed):
        model = nn.Linear(x_NW.shape[1], GRADES)
    optimizer = torch.optim.Adam(model.parameters())
    best, best_r, failures, epoch = model.state_dict(), -1.0, 0, 0
    while failures <= TENACITY and epoch <= MAX_EPOCHS:
        for _ in range(EPOCHS_PER_EVALUATION):
            for batch_B in torch.from_numpy(rng.permutation(len(train))).split(BATCH):
                step(model, optimizer, x_NW[batch_B], target_NK[batch_B])
        epoch += EPOCHS_PER_EVALUATION
        r = pearson(expected_scores(model, dev_x_NW), dev.y_N)
        if r > best_r:
            best_r, best = r, {name: value.clone() for name, value in model.state_dict().items()}
        else:
            failures += 1
    model.load_state_dict(best)
    return best_r, expected_scores(model, torch.from_numpy(test_NW).float())


def step(model: nn.Linear, optimizer: torch.optim.Optimizer, x_BW: Tensor, target_BK: Tensor) -> None:
    """Update the model by one step of the optimiser on a batch."""
    loss = (model(x_BW).softmax(-1) - target_BK).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


@torch.no_grad()
def expected_scores(model: nn.Linear, x_NW: Tensor) -> np.ndarray:
    """Return the expected grade (N,) of each pair under the model's distribution over grades."""
    return expected_grade(model(x_NW)).double().numpy()

"""Build the module to train from the settings and the corpus."""

from functools import partial
from inspect import Parameter

import numpy as np
import torch

from attest.config.build import build_model
from attest.config.components import build_component, constructor_parameters
from attest.config.locate import locate_class
from attest.config.settings import Settings
from attest.data.corpus import Corpus
from attest.data.splits.split import FIRST_WORD
from attest.models.word_vectors import WordVectors
from attest.system.random_streams import torch_seed
from attest.training.tasks import SentenceTask, task_class


def assemble_task(settings: Settings, corpus: Corpus) -> SentenceTask:
    """Return the module with its initial weights.

    One stream of random numbers, which follows from the seed of the run, gives the vectors of words without one first,
    then the weights of the encoder, then those of the head. So the weights of the encoder also depend on the vocabulary
    and on `settings.vectors`, and those of the head on the encoder too.
    """
    torch.manual_seed(torch_seed(settings.seed, "weights"))
    words = WordVectors(
        torch.from_numpy(np.array(corpus.vectors)),
        corpus.training_words,
        trainable=settings.vectors.trained == "training_words",
        unknown=settings.vectors.unknown,
        unknown_range=settings.vectors.unknown_range,
        sparse=takes_sparse_gradients(settings),
        unit_length=settings.vectors.unit_length,
        reserved=FIRST_WORD,
    )
    encoder, head = build_model(settings, corpus.vectors.shape[1])
    return task_class(settings.task)(
        words,
        encoder,
        head,
        partial(build_component, settings.optimizer, "optimizer", trusted=settings.packages),
        weight_decay_of(settings),
        settings.trainer.packed,
        settings.protocol.max_grad_norm,
    )


def weight_decay_of(settings: Settings) -> float:
    """Return the weight decay of the settings, else the default of the optimiser's class; 0 if it has none."""
    parameter = optimizer_parameters(settings).get("weight_decay")
    default = 0.0 if parameter is None or parameter.default is parameter.empty else parameter.default
    return float(settings.optimizer.get("weight_decay", default))


def takes_sparse_gradients(settings: Settings) -> bool:
    """Return whether the optimiser accepts sparse gradients, which hold only the rows of the batch's words."""
    return "rows" in optimizer_parameters(settings)


def optimizer_parameters(settings: Settings) -> dict[str, Parameter]:
    """Return the parameters of the constructor of the optimiser's class by name."""
    return constructor_parameters(locate_class(settings.optimizer, "optimizer", settings.packages))

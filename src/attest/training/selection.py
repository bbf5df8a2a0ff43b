"""The selection of weights: those with the highest measure on the dev set are kept in a file while a run trains."""

import math
from pathlib import Path

import torch

from attest.runs.notes.unfinished import read_unfinished
from attest.runs.run_folder import keep_weights, weights_file
from attest.system.files import atomic_file
from attest.training.learner import Learner


class BestWeights:
    """The weights with the highest measure on the dev set so far, in a file in the folder of the run.

    Two more files stay: the weights that the last checkpoint names, from which a run resumes, and, while a finished run
    is repeated, the weights that its record names.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.step = 0
        """The step of the best weights; 0 if there are none."""
        self.value = -math.inf
        """Their measure on the dev set."""
        self._step_in_checkpoint = 0
        self._step_in_record = int(read_unfinished(folder).get("step", 0))

    @property
    def file(self) -> Path:
        return weights_file(self.folder, self.step)

    def save_if_best(self, module: Learner, step: int, value: float) -> None:
        """Write the module's weights to the file if `value`, their dev measure after `step`, is the highest so far."""
        if value > self.value:
            self.step, self.value = step, value
            with atomic_file(self.file) as file:
                torch.save(module.state_dict(), file)
            keep_weights(self.folder, step, self._step_in_checkpoint, self._step_in_record)

    def resume(self, step: int, value: float) -> None:
        """Restore the step and the value of the best weights from a checkpoint."""
        self.step, self.value, self._step_in_checkpoint = step, value, step

    def delete_replaced_weights(self) -> None:
        """Delete the weights that only an earlier checkpoint names, since one was just saved that names the best."""
        self._step_in_checkpoint = self.step
        keep_weights(self.folder, self.step, self._step_in_record)

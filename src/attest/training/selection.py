"""The selection of weights: those with the highest measure on the dev set are kept in a file while a run trains."""

import math
from pathlib import Path

import torch

from attest.runs.run_folder import keep_weights, weights_file
from attest.runs.unfinished_note import read_unfinished
from attest.system.files import atomic_file
from attest.training.learner import Learner


class BestWeights:
    """The weights with the highest measure on the dev set so far, in a file in the folder of the run.

    The file of the weights that the last checkpoint names stays beside that of better ones, since a run that resumes
    from the checkpoint needs it. So do the weights of the finished run that is repeated, until its record is replaced.
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
        """Go on with the best weights that a checkpoint names."""
        self.step, self.value, self._step_in_checkpoint = step, value, step

    def checkpoint_saved(self) -> None:
        """Delete the weights that only an earlier checkpoint names, since one was just saved that names the best."""
        self._step_in_checkpoint = self.step
        keep_weights(self.folder, self.step, self._step_in_record)

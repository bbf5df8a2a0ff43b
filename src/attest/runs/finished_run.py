"""The result of the job of a finished run, for the sweepers and launchers of Hydra."""

import math


class FinishedRun(float):
    """The main figure of a finished run on dev, which optimising sweepers of Hydra maximise, with the id of the run."""

    run: str

    def __new__(cls, dev: float | None, run: str = "") -> "FinishedRun":
        """Return the dev figure, not a number if there is none, with the id; pickle sets the id afterwards."""
        made = super().__new__(cls, math.nan if dev is None else dev)
        made.run = run
        return made

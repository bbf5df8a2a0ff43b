"""The result of the job of a finished run, for the sweepers and launchers of Hydra."""

import math


class FinishedRun(float):
    """The main figure of a finished run on dev, which optimising sweepers of Hydra maximise, with the id of the run."""

    run_id: str

    def __new__(cls, dev: float | None, run_id: str = "") -> "FinishedRun":
        """Return the dev figure, not a number if there is none, with the id; pickle sets the id afterwards."""
        result = super().__new__(cls, math.nan if dev is None else dev)
        result.run_id = run_id
        return result

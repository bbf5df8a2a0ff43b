"""The marks of settings: fields that change no figures, and fields that belong to the budget of a run.

Fields marked `PRIVATE` (places, threads, names) do not change a run's figures and are not part of its id.
Fields marked `BUDGET` may differ from the paper's settings, mostly to save time: the run still counts for the paper's
row of a table, and the difference is listed as a deviation. Any other difference makes the run another experiment.
"""

from typing import Annotated

from attest.config.constraints import DottedName

PRIVATE = {"private": True}
BUDGET = {"budget": True}
OwnCode = Annotated[str, DottedName()]
"""The full name of a class or a function in a folder of the user's own."""

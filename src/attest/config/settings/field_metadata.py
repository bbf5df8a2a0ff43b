"""The metadata of settings: fields that ids do not hash, and fields in which a run may deviate from its row of a table.

Fields with `NOT_HASHED` (folders, threads, names) are not part of a run's id, and change no figure.
Fields with `THROUGH_OTHERS` are not part of the id by themselves: they change figures through other settings, which
ids hash.
Fields with `REPLICATE` are those in which the replicates of an experiment differ.
Fields with `MAY_DEVIATE` may have another value than the row of a table asks for, mostly to save time: the run still
counts for the row, and the difference is listed as a deviation. A tuple in place of True lists the allowed values. Any
other difference makes the run another experiment.
"""

from typing import Annotated

from attest.config.constraints import DottedName

NOT_HASHED = {"not_hashed": True}
THROUGH_OTHERS = {**NOT_HASHED, "through_others": True}
REPLICATE = {"replicate": True}
MAY_DEVIATE = {"may_deviate": True}
OwnCode = Annotated[str, DottedName()]
"""The full name of a class or a function in a folder of the user's own."""

"""Names of classes: the present ones, and those of earlier versions, which records hold and ids hash."""

MOVED = {
    "attest.encoders": "attest.models.encoders",
    "attest.matchers": "attest.models.matchers",
    "attest.matrix_heads": "attest.models.heads.matrix",
    "attest.heads": "attest.models.heads",
    "attest.optim": "attest.training.optim",
}
"""Earlier package -> present package of the classes that were moved after ids of runs were first hashed.

Ids still hash the earlier names. Records with earlier names are read as if they had the present ones."""
PUBLIC = "attest.models"
"""The package that exports every class of the packages below it."""


def present_class_name(target: str) -> str:
    """Return the present full name of a class, given the name, present or earlier, that a record has for it."""
    package, _, name = target.rpartition(".")
    place = MOVED.get(package, package)
    return f"{PUBLIC}.{name}" if place.startswith(f"{PUBLIC}.") else f"{place}.{name}"


def hashed_class_name(target: str, cls: type) -> str:
    """Return the full name that ids of runs hash for a class: the one that it had when ids were first hashed."""
    for earlier, place in MOVED.items():
        if cls.__module__ == place or cls.__module__.startswith(f"{place}."):
            return f"{earlier}.{cls.__name__}"
    return target

"""Earlier full names of classes, which records hold and ids hash, and the current ones."""

MOVED = {
    "attest.encoders": "attest.models.encoders",
    "attest.matchers": "attest.models.matchers",
    "attest.matrix_heads": "attest.models.heads.matrix",
    "attest.heads": "attest.models.heads",
    "attest.optim": "attest.training.optim",
}
"""Earlier package -> current package of the classes that were moved after ids of runs were first hashed.

Ids still hash the earlier names. Records with earlier names are read as if they had the current ones."""
PUBLIC = "attest.models"
"""The package that exports every class of the packages below it."""


def current_class_name(target: str) -> str:
    """Return the current full name of a class, given the name, current or earlier, that a record has for it."""
    package, _, name = target.rpartition(".")
    current = MOVED.get(package, package)
    return f"{PUBLIC}.{name}" if current.startswith(f"{PUBLIC}.") else f"{current}.{name}"


def hashed_class_name(target: str, cls: type) -> str:
    """Return the full name that ids of runs hash for a class: the one that it had when ids were first hashed."""
    for earlier, current in MOVED.items():
        if cls.__module__ == current or cls.__module__.startswith(f"{current}."):
            return f"{earlier}.{cls.__name__}"
    return target

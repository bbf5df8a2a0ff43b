"""Checks that a YAML file stays small, and not deep, once its aliases are written out."""

from itertools import chain
from pathlib import Path

import yaml

from attest.errors import SettingsError

MAX_YAML_VALUES = 100_000
"""The largest number of values in a file with its aliases written out."""
MAX_YAML_DEPTH = 50
"""The largest number of lists and mappings inside each other."""

Extent = tuple[int, int]
"""The number of values of a node, itself included, and the number of its levels of lists and mappings."""


def check_aliases(path: Path, root: yaml.Node) -> None:
    """Raise SettingsError if a value of a file contains itself, or if the file has too many values or levels.

    Aliases count as what they stand for, of which OmegaConf makes a copy each time.
    """
    if not isinstance(root, yaml.CollectionNode):
        return
    try:
        values, levels = extent(root, path, {})
    except RecursionError:
        values, levels = 0, MAX_YAML_DEPTH + 1
    if levels > MAX_YAML_DEPTH:
        raise SettingsError(f"{path}: over {MAX_YAML_DEPTH} lists and mappings stand in each other; write fewer")
    if values > MAX_YAML_VALUES:
        raise SettingsError(f"{path}: over {MAX_YAML_VALUES:,} values, with its aliases written out; write fewer")


def extent(node: yaml.CollectionNode, path: Path, known: dict[int, Extent | None]) -> Extent:
    """Return the extent of a list or mapping with its aliases written out; raise SettingsError if it contains itself.

    `known` holds the extents of the lists and mappings that were measured before, and None for those that contain
    this node.
    """
    if id(node) not in known:
        known[id(node)] = None
        values, levels = 1, 0
        for item in chain.from_iterable(node.value) if isinstance(node, yaml.MappingNode) else node.value:
            if isinstance(item, yaml.ScalarNode):
                values += 1
            else:
                of_item = extent(item, path, known)
                values, levels = values + of_item[0], max(levels, of_item[1])
        known[id(node)] = values, levels + 1
    measured = known[id(node)]
    if measured is None:
        raise SettingsError(
            f"{path}:{node.start_mark.line + 1}: the list or mapping that begins here contains itself by an alias; "
            "write its values out"
        )
    return measured

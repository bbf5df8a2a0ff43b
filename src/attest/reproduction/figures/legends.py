"""The legend of a picture, below its panels."""

from math import ceil
from typing import Any

LETTER, SHAPE = 0.06, 0.55
"""The inches of a letter in the legend, and of the shape before a label with the space around it."""


def legend_below(figure: Any) -> None:
    """Add a legend below the panels, in which each label stands once; it is read line by line."""
    drawn = [axes.get_legend_handles_labels() for axes in figure.axes]
    shapes = {label: shape for handles, labels in drawn for shape, label in zip(handles, labels, strict=True)}
    if not shapes:
        return
    widths, room = [LETTER * len(label) + SHAPE for label in shapes], figure.get_figwidth()
    most = len(shapes) if sum(widths) <= room else max(1, int(room / max(widths)))
    columns = ceil(len(shapes) / ceil(len(shapes) / most))  # lines of equal length
    labels = read_by_line(list(shapes), columns)
    handles = [shapes[label] for label in labels]
    figure.legend(
        handles, labels, loc="outside lower center", ncols=columns, frameon=False, fontsize=8, handlelength=3.0
    )


def read_by_line(labels: list[str], columns: int) -> list[str]:
    """Return the labels in the order in which matplotlib, which fills column by column, sets them line by line."""
    return [label for column in range(columns) for label in labels[column::columns]]

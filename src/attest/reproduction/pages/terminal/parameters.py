"""The parameters of models, counted without training, as text for the terminal."""

from collections.abc import Iterator, Sequence

from torch import nn

from attest.config.compose import compose
from attest.reproduction.pages.numbers import format_printed
from attest.reproduction.specs.metric_names import SIZE
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import cells, merge_overrides
from attest.reproduction.tables.model_sizes import build_modules, parameter_count

COUNTED = ("parameters", f"{SIZE}total")
"""The metrics of columns whose figures count all parameters without word vectors."""


def describe_table(name: str) -> str:
    """Return the number of parameters of each row of a table at paper scale, beside the paper's figure."""
    spec = load_table(name)
    lines = [f"{spec.title}: parameters without word vectors, at scale=paper", ""]
    has_panels = len(spec.panels("paper")) > 1
    for cell in {(cell.row, cell.panel.name): cell for cell in cells(spec, "paper")}.values():
        row = spec.rows[cell.row]
        title = f"{row.title}, {cell.panel.title}" if has_panels else row.title
        names = (name for name, column in cell.panel.columns.items() if column.metric in COUNTED)
        printed = format_printed(row.paper.get(next(names, "")))
        lines.append(
            f"  {title:<50} {parameter_count(cell.settings):>10,}" + (f"   paper {printed}m" if printed else "")
        )
    return "\n".join(lines)


def describe_model(overrides: Sequence[str]) -> str:
    """Return every parameter of a model with its shape, its size and the paper's symbol, and their sum."""
    settings = compose(merge_overrides(["scale=paper", *overrides]))
    rows = [row for part, module in build_modules(settings).items() for row in parameters(part, module)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=False)) + f"  {row[3]}" for row in rows
    ]
    total = f"{parameter_count(settings):,} parameters without word vectors, at scale={settings.scale}"
    return "\n".join([*lines, "", total])


def parameters(part: str, module: nn.Module) -> Iterator[tuple[str, str, str, str]]:
    """Yield the name, shape, size and symbol of each trained parameter."""
    for name, parameter in module.named_parameters():
        if parameter.requires_grad:
            shape = " x ".join(map(str, parameter.shape))
            yield f"{part}.{name}", shape, f"{parameter.numel():,}", symbol(module, name)


def symbol(module: nn.Module, name: str) -> str:
    """Return the paper's symbol for a parameter, from its own module or one that contains it; empty if there is
    none."""
    parts = name.split(".")
    for depth in range(len(parts) - 1, -1, -1):
        owner = module.get_submodule(".".join(parts[:depth]))
        paper_symbol = getattr(owner, "symbols", {}).get(".".join(parts[depth:]))
        if paper_symbol:
            return str(paper_symbol)
    return ""

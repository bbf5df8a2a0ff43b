"""Comparisons of rows as markdown."""

from attest.reproduction.comparisons import Compared, compared
from attest.reproduction.formats import MISSING, from_to, join, signed
from attest.reproduction.table import Table


def comparisons(table: Table) -> list[str]:
    """Rows against rows, paired by replicate."""
    if not (found := compared(table)):
        return []
    head = [
        "Compared",
        "Difference, ours",
        "Over items",
        *(["Difference, paper"] if table.shows_paper else []),
        "Finding",
        "What is said",
    ]
    rows = []
    for each in found:
        titles = f"{each.first.row.title} − {each.second.row.title}"
        texts = [
            titles if len(table.columns) == 1 else f"{titles}, {table.titled(each.column)}",
            paired(each),
            over_items(each),
        ]
        if table.shows_paper:
            texts.append("" if each.printed is None else f"{each.printed:+.{each.column.decimals}f}")
        rows.append(join([*texts, each.verdict, each.text]))
    folds = " Over folds it is wider, for what their training sets share." if any(each.folds for each in found) else ""
    explained = (
        "Paired over replicates, with the interval that holds the true mean in 95 of 100 such experiments: it decides "
        f"the finding.{folds} Over items: the interval for the same runs on other test items of the kind. More pairs "
        "would tell a difference of the size and spread seen so far."
    )
    return ["", explained, "", join(head), join(["---"] * len(head)), *rows]


def paired(each: Compared) -> str:
    """+1.2 (+0.3 to +2.1), 5 pairs."""
    if each.differences is None:
        return MISSING
    around = "" if each.interval is None else f" ({from_to(each.interval, each.column)})"
    pairs = f"{each.differences.n} pair{'s' * (each.differences.n > 1)}"
    return f"{signed(each.differences.mean, each.column)}{around}, {pairs}"


def over_items(each: Compared) -> str:
    return MISSING if each.over_items is None else from_to(each.over_items, each.column)

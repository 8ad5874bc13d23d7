"""Tables of libratus: how far its searches are from solved."""

from tests.documents.figures import data, percent, table


def turns() -> list[str]:
    """Return the exploitability of searches by algorithm and iterations."""
    found = data("libratus-turns")
    rows = []
    for name, turns in found["of_pot"].items():
        means = [sum(column) / len(column) for column in zip(*turns, strict=True)]
        rows.append([f"`{name}`", *map(percent, means)])
    return table(["", *(f"{count} iterations" for count in found["iterations"])], rows)

"""Tables of what `arena improve` costs, and what opponents win before and after it."""

from tests.documents.cells import data, number, percent, table, whole


def raises() -> list[str]:
    """Return the raises that were learned, and what each took."""
    rows = [
        [
            f"`{one['raise']}`",
            f"{one['pots']:.2f}",
            number(one["times"]),
            percent(one["share"]),
            f"{one['distance']:.3f}",
            number(one["information_sets"]),
        ]
        for run in data("improve")["runs"]
        for one in run["raises"]
    ]
    head = ["raise", "pots", "times", "of all there", "distance", "information sets"]
    return table(head, rows)


def winnings() -> list[str]:
    """Return what opponents win from the model, and how much more from the improved ones."""
    rows = [
        [
            one["opponent"],
            one["samples"],
            whole(one["before"]),
            *(whole(one[form]) if one[form] else "" for form in ("siblings", "alone")),
        ]
        for one in data("improve")["measured"]
    ]
    return table(["opponent", "samples", "wins before", "with siblings", "alone"], rows)


def longer() -> list[str]:
    """Return how much more opponents win where the first raise was learned longer."""
    rows = [
        [one["opponent"], one["samples"], whole(one["more"])]
        for one in data("improve")["longer"]["measured"]
    ]
    return table(["opponent", "samples", "wins more"], rows)

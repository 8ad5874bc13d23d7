"""Tables of what logged hands show of winning, after pictures of the opponent-modelling patent."""

from typing import Any

from tests.documents.figures import data, number, percent, table, whole

STREETS = ("before the flop", "flop", "turn", "river")
CHANCES = ("flop", "turn", "river")


def chance(row: dict[str, Any]) -> str:
    """Return how often something won, with its interval."""
    low, high = row["won_ci95"]
    return f"{row['won']:.3f} ({low:.3f} to {high:.3f})"


def categories() -> list[str]:
    """Return how often each category of hands is held and wins, by street after the flop."""
    found = data("categories")["streets"]
    by_street = [{row["category"]: row for row in found[street]} for street in CHANCES]
    names = dict.fromkeys(row["category"] for street in CHANCES for row in found[street])
    rows = []
    for name in names:
        cells = [name]
        for held in by_street:
            if (row := held.get(name)) is None:
                cells += ["", "", ""]
            else:
                rate = number(round(row["mbb_per_hand"])) if row["ci95"] is None else whole(row)
                cells += [percent(row["share"]), f"{row['won']:.3f}", rate]
        rows.append(cells)
    heads = [word for street in CHANCES for word in (f"{street}: share", "won", "mbb/h")]
    return table(["hand", *heads], rows)


def bets() -> list[str]:
    """Return how often each type of player wins by the size of its bets, over whole hands."""
    found = data("bets")
    types = found["types"]
    rows = []
    for place, size in enumerate(found["sizes"]):
        cells = [told["whole hand"][place] for told in types.values()]
        rows.append([size, *(chance(row) if row else "" for row in cells)])
    unit = "raise, pots" if found["no_limit"] else "bets and raises"
    return table([unit, *types], rows)


def sequences() -> list[str]:
    """Return how many bits actions and sequences of them tell of the strength."""
    bits = data("sequences")["bits"]
    measures = list(next(iter(bits.values())))
    rows = [
        [
            street,
            *(
                f"{told[name]['bits']:.3f}"
                + ("" if told[name]["ci95"] is None else f" ± {told[name]['ci95']:.3f}")
                for name in measures
            ),
        ]
        for street, told in bits.items()
    ]
    return table(["bits", *measures], rows)

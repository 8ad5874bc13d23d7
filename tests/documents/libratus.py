"""Tables of libratus: what it wins, and how far its searches are from solved."""

from tests.documents.figures import data, percent, table, whole


def match() -> list[str]:
    """Return what it wins from the blueprint, by estimators."""
    rows = [
        [one["estimator"], f"{one['hands']:,}".replace(",", " "), whole(one)]
        for one in data("libratus-match")["rates"]
    ]
    return table(["estimator", "hands", "`libratus` wins, mbb/h"], rows)


def lbr() -> list[str]:
    """Return what local best response wins from it, beside the blueprint."""
    found, blueprint = data("libratus-lbr"), data("lbr-hunl")
    rows = []
    for one in found["measured"]:
        column = blueprint["settings"].index(one["settings"])
        theirs = blueprint["measured"]["blueprint"][column]
        deep_stack = blueprint["published"]["DeepStack"][column]
        rows.append(
            [
                one["settings"],
                f"{one['pairs']} of {one['holes']} hands",
                whole(one),
                whole(theirs),
                str(deep_stack),
            ]
        )
    return table(
        ["setting", "pairs", "wins from `libratus`, mbb/h", "from `blueprint`", "from DeepStack"],
        rows,
    )


def few() -> list[str]:
    """Return the exploitability of the smallest tree after few iterations, and the blueprint's."""
    found = data("libratus-turns")
    means = [sum(column) / len(column) for column in zip(*found["smallest"], strict=True)]
    own = sum(found["blueprint"]) / len(found["blueprint"])
    return table(
        ["iterations", *map(str, found["few"]), "the blueprint"],
        [["per cent of the pot", *map(percent, means), percent(own)]],
    )


def turns() -> list[str]:
    """Return the exploitability of searches by algorithm and iterations."""
    found = data("libratus-turns")
    rows = []
    for name, turns in found["of_pot"].items():
        means = [sum(column) / len(column) for column in zip(*turns, strict=True)]
        named, _, portions = name.partition(", ")
        told = f"`{named}`" + (f", {portions}" if portions else "")
        rows.append([told, *map(percent, means)])
    return table(["", *(f"{count} iterations" for count in found["iterations"])], rows)

"""Tables of techniques of subgame solving."""

from tests.documents.cells import data, table


def techniques(name: str) -> list[str]:
    """Return the exploitability by technique and number of buckets, beside what was published."""
    found = data(name)
    published = found["published"]
    measured = found["exploitability_mbb_per_hand"]
    buckets = list(measured["blueprint"])
    rows = [
        [
            name,
            *(f"{row[one]:.1f}" for one in buckets),
            *(f"{value:g}" for value in published["mbb_per_hand"][name]),
        ]
        for name, row in measured.items()
    ]
    return table(
        [
            "technique",
            *(f"{one} buckets" for one in buckets),
            *(f"article, {one}" for one in published["buckets"]),
        ],
        rows,
    )


def nested() -> list[str]:
    """Return what nested solving and translation lose in two games, beside what was published."""
    games = data("nested"), data("nested-one-bet")
    published = games[0]["published_mbb_per_hand"]
    own = [game["blueprint_mbb_per_hand"] for game in games]
    rows = [["blueprint, nobody bets .75", f"{own[0]:.1f}", "", f"{own[1]:.1f}", "", "", ""]]
    for name in games[0]["exploitability_mbb_per_hand"]:
        cells = [name]
        for game, before in zip(games, own, strict=True):
            lost = game["exploitability_mbb_per_hand"][name]
            cells += [f"{lost:.1f}", f"{lost - before:.1f}"]
        cells.append(f"{games[0]['processor_seconds'][name] / 60:.1f}")
        rows.append([*cells, f"{published[name]:g}" if name in published else ""])
    sizes = [
        f"{game['bets']} bet{'s' * (game['bets'] > 1)}, {game['flops']} "
        f"flop{'s' * (game['flops'] > 1)}"
        for game in games
    ]
    head = ["", sizes[0], "added", sizes[1], "added", "minutes", "article"]
    return table(head, rows)


def nested_trees() -> list[str]:
    """Return how large both games are, and how long they were solved."""
    rows = [
        [
            f"{game['bets']}",
            f"{game['flops']}",
            f"{game['decisions']}",
            f"{game['abstraction_decisions']}",
            f"{game['iterations']}",
            f"{game['solved']}",
            f"{game['processor_seconds']['blueprint'] / 60:.1f}",
        ]
        for game in (data("nested"), data("nested-one-bet"))
    ]
    return table(
        [
            "bets on the flop",
            "flops",
            "decisions of the betting",
            "without .75",
            "iterations",
            "of each new solution",
            "minutes of the blueprint",
        ],
        rows,
    )

"""Tables of regret minimisers, and of choosing one of them for each iteration."""

from itertools import chain
from typing import Any, Final

from tests.documents.figures import data, rounded, table

RANDOM: Final = "random"


def figure(found: dict[str, Any], unit: float = 1e3) -> str:
    """Return a mean with its interval, in thousandths unless told."""
    mean = rounded(unit * found["mean"])
    return f"{mean} ± {rounded(unit * found['ci95'], 1)}" if found["ci95"] else mean


def times(found: dict[str, Any] | None) -> str:
    """Return a ratio with its interval."""
    return "-" if found is None else figure(found, 1.0)


def shares(game: dict[str, Any], entrant: dict[str, Any]) -> str:
    """Return the members that ran most, with their shares."""
    used = sorted(zip(entrant["uses"], game["pool"], strict=True), reverse=True)
    return ", ".join(f"`{name}` {100 * share:.0f} %" for share, name in used if share >= 0.01)


def named(game: dict[str, Any], name: str) -> dict[str, Any]:
    """Return an entrant."""
    found: dict[str, Any] = next(one for one in game["entrants"] if one["name"] == name)
    return found


def others(game: dict[str, Any]) -> str:
    """Return what the members alone come to, but for the best."""
    told = [named(game, name) for name in game["pool"] if name != game["best_member"]]
    told.sort(key=lambda entrant: entrant["exploitability"][-1]["mean"])
    return ", ".join(f"`{one['name']}` {figure(one['exploitability'][-1])}" for one in told)


def forms(game: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the forms of the choice."""
    return list(game["entrants"][-game["adaptive"] :])


def games(*names: str) -> list[str]:
    """Return what members alone, in turn and chosen come to on each game of some measurements."""
    rows = []
    for game_name, game in chain.from_iterable(data(name).items() for name in names):
        best = named(game, game["best_member"])
        plain = [named(game, one) for one in ("in turn", RANDOM)]
        for title, entrant in [
            (f"best alone: `{best['name']}`", best),
            *((one["name"], one) for one in plain),
            *((one["name"], one) for one in forms(game)),
        ]:
            if entrant is plain[0]:
                rows.append([f"`{game_name}`", "others alone", others(game), "", "", ""])
            rows.append(
                [
                    f"`{game_name}`",
                    title,
                    figure(entrant["exploitability"][-1]),
                    times(entrant["per_iteration"]),
                    times(entrant["same_time"]),
                    shares(game, entrant) if entrant in forms(game) else "",
                ]
            )
    head = ["game", "", "exploitability", "over the best", "in its time", "iterations by"]
    return table(head, rows)


def exploration() -> list[str]:
    """Return what each weight of the bonus comes to."""
    rows = [
        [
            f"`{name}`",
            entrant["name"].removeprefix("adaptive sum, 1/sqrt(n), "),
            times(entrant["per_iteration"]),
            shares(game, entrant),
        ]
        for name, game in data("minimisers-exploration").items()
        for entrant in forms(game)
    ]
    return table(["game", "weight and reward", "over the best", "iterations by"], rows)


def commands() -> list[str]:
    """Return the commands behind the tables of the page."""
    names = ("patent", "fast", "subgames", "turn-deep", "subgame1", "exploration")
    lines = [next(iter(data(f"minimisers-{name}").values()))["command"] for name in names]
    return ["```sh", *lines, "```"]

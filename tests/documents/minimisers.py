"""Tables of regret minimisers, and of choosing one of them for each iteration."""

from itertools import chain
from typing import Any, Final

from tests.documents.cells import data, rounded, table

RANDOM: Final = "random"


def figure(found: dict[str, Any], unit: float = 1e3) -> str:
    """Return a mean with its interval, in thousandths unless told."""
    mean = rounded(unit * found["mean"])
    return f"{mean} ± {rounded(unit * found['ci95'], 1)}" if found["ci95"] else mean


def times(found: dict[str, Any] | None) -> str:
    """Return a ratio with its interval."""
    return "-" if found is None else figure(found, 1.0)


def named(game: dict[str, Any], name: str) -> dict[str, Any]:
    """Return an entrant."""
    found: dict[str, Any] = next(one for one in game["entrants"] if one["name"] == name)
    return found


def forms(game: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the forms of the choice."""
    return list(game["entrants"][-game["adaptive"] :])


def games(*names: str) -> list[str]:
    """Return what members alone, in turn and chosen come to on each game of some measurements."""
    rows = []
    for game_name, game in chain.from_iterable(data(name).items() for name in names):
        best = named(game, game["best_member"])
        others = [named(game, one) for one in ("in turn", RANDOM)] + forms(game)
        alone = f"`{best['name']}` {figure(best['exploitability'][-1])}"
        rows.append([f"`{game_name}`", alone, *map(cell, others)])
    chosen = [form["name"].removeprefix("adaptive sum, ") for form in forms(game)]
    return table(["game", "best alone", "in turn", RANDOM, *chosen], rows)


def cell(entrant: dict[str, Any]) -> str:
    """Return the exploitability with its ratios to the best: by iterations, in its time."""
    ratios = ", ".join(times(entrant[how]) for how in ("per_iteration", "same_time"))
    return f"{figure(entrant['exploitability'][-1])} ({ratios})"


def commands() -> list[str]:
    """Return the commands behind the tables of the page."""
    names = ("patent", "fast", "subgames", "turn-deep", "subgame1", "exploration")
    lines = [next(iter(data(f"minimisers-{name}").values()))["command"] for name in names]
    return ["```sh", *lines, "```"]

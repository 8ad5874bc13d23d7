"""Tables of docs/rating.md, from what `arena rate --json` wrote."""

from typing import Any

from tests.documents.cells import data, number, table

_OPPONENTS = ("rule", "statistical", "solid", "O1", "O3", "O5", "O8", "cnn", "astar", "always-call")


def aivat() -> list[str]:
    """Return what AIVAT saves in matches of the blueprint."""
    rows = [
        ["itself", "both", *_savings(data("rate/aivat/both")["bots"][0]["win_rates"])],
        ["", "one", *_savings(_logs_of_self_play("one"))],
        ["", "nobody", *_savings(_logs_of_self_play("nobody"))],
    ]
    for bot in _OPPONENTS:
        match = data(f"rate/aivat/{bot}")
        known = "both" if bot in match["aivat"]["known"] else "one"
        rows.append([f"`{bot}`", known, *_savings(match["bots"][0]["win_rates"])])
    limit = data("rate/aivat/hulhe")["bots"][0]["win_rates"]
    rows.append(["`rule`, `--game hulhe`", "one", *_savings(limit)])
    head = ["`blueprint` against", "known", "raw, mbb/h", "all-in exp. in sets", "AIVAT in sets"]
    return table([*head, "SD of a hand, raw", "by AIVAT", "less by"], rows)


def _logs_of_self_play(name: str) -> dict[str, Any]:
    [game] = data(f"rate/aivat/{name}")["games"]
    [group] = [one for one in game["groups"] if one["player"] == "blueprint"]
    found: dict[str, Any] = group["estimators"]
    return found


def _savings(rates: dict[str, Any]) -> list[str]:
    raw, luckless = (rates[name]["sd_mbb_per_hand"] for name in ("raw", "aivat"))
    return [
        *(_interval(rates[name]) for name in ("raw", "allin_sets", "aivat_sets")),
        number(round(raw)),
        number(round(luckless)),
        f"{1 - luckless / raw:.0%}",
    ]


def _interval(found: dict[str, Any]) -> str:
    mean, half = round(found["mbb_per_hand"]), round(found["ci95_mbb_per_hand"])
    return f"{number(mean)} ± {number(half)}"

"""Tables of the modeller, and of the scripted opponents that it is measured against."""

import math
from collections.abc import Sequence
from typing import Any, Final

from agents.statistical.predicting.player_types import CLUSTERED, TYPES
from tests.documents.cells import data, percent, read, table, whole


def apart(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether the interval of one lies above that of the other, if both have one."""
    if None in (one["ci95"], other["ci95"]):
        return False
    return bool(one["mbb_per_hand"] - one["ci95"] > other["mbb_per_hand"] + other["ci95"])


def mean(column: Sequence[dict[str, Any]]) -> dict[str, float | None]:
    """Return the mean over opponents, each counted alike; None where one has no interval."""
    halves = [one["ci95"] for one in column]
    return {
        "mbb_per_hand": sum(one["mbb_per_hand"] for one in column) / len(column),
        "ci95": None if None in halves else math.hypot(*halves) / len(column),
    }


def modelling() -> list[str]:
    """Return what modelling wins, in limit and no-limit."""
    games = [
        data(f"versus-{game}")["opponents"] + data(f"orandom-{game}")["opponents"]
        for game in ("hulhe", "hunl")
    ]
    rows = []
    for one in zip(*games, strict=True):
        cells = []
        for found in one:
            (on, off), (gain,) = found["rates"].values(), found["gains"].values()
            cells += [whole(on), whole(off), whole(gain) + (" *" if apart(on, off) else "")]
        rows.append([f"`{one[0]['opponent']}`", *cells])
    means = [
        whole(mean(column))
        for opponents in games
        for column in zip(
            *([*one["rates"].values(), *one["gains"].values()] for one in opponents[:-1]),
            strict=True,
        )
    ]
    head = ["modelling", "without", "gain"]
    return table(
        ["opponent", f"limit: {head[0]}", *head[1:], f"no-limit: {head[0]}", *head[1:]],
        [*rows, ["mean of `O1` to `O8`", *means]],
    )


DEPARTURES: Final = ("departures-hulhe", "departures-hunl")
"""Files of docs/data, limit and no-limit, that the table of departures is made of."""


def departures() -> list[str]:
    """Return what each departure from the patent wins, in limit and no-limit."""
    return departure_rows(*map(data, DEPARTURES))


def departure_rows(limit: dict[str, Any], no_limit: dict[str, Any]) -> list[str]:
    """Return the table of what `arena statistical departures --json` wrote for two games."""
    rows = [
        [
            one["name"],
            f"{one['patent']} (`--{one['setting']} {one['value']:g}`)",
            one["default"],
            whole(one),
            whole(other),
        ]
        for one, other in zip(limit["departures"], no_limit["departures"], strict=True)
    ]
    together = ["all of them", f"`--preset {limit['preset']['name']}`", "the default"]
    rows.append([*together, whole(limit["preset"]), whole(no_limit["preset"])])
    head = ["departure", "in the patent", "here", "limit: gain", "no-limit: gain"]
    return table(head, rows)


PREDICTORS: Final = {
    "counters": ("the opponent's own counters", None),
    "ann": ("network, 48 hidden units", "ann"),
    "tree": ("decision tree", "tree"),
}
"""Predictor -> what it is, and the model that has its log-loss."""


def predictors() -> list[str]:
    """Return log-losses of predictors, and what each wins beside the counters."""
    rows = []
    for name, (title, model) in PREDICTORS.items():
        loss = ""
        if model is not None:
            note = read(f"agents/statistical/models/{model}.json")["evaluation"]
            loss = f"{note[model]['log_loss'][0]:.3f}"
        rows.append([f"`{name}`", title, loss, *_gains("predictor", name)])
    note = read("agents/statistical/models/ann.json")["evaluation"]["frequencies"]
    frequencies = ["", "table by street and raises", f"{note['log_loss'][0]:.3f}", "", ""]
    return table(["predictor", "", "log-loss, nats", *GAINS], [frequencies, *rows])


GAINS: Final = ("limit: gain", "no-limit: gain")
WEIGHTS_BY: Final = {
    "shown": ("shown hands choose among five ways", "as it plays"),
    "curves": ("curves of real players, action by action", "counters, counted curves"),
    "sequences": ("the same by sequences of actions", "counters, curves of sequences"),
    "tree": ("leaves of the decision tree", "tree of the hands before"),
}
"""Value of --weights -> what it is, and its name in the study of ranges."""


def weights() -> list[str]:
    """Return how much each way to weigh hands knows of those shown, and what it wins."""
    models = data("weights")["models"]
    rows = []
    for name, (title, model) in WEIGHTS_BY.items():
        nats, spread = models[model]["above_uniform"]
        rows.append([f"`{name}`", title, f"{nats:.3f} ± {spread:.3f}", *_gains("weights", name)])
    return table(["weights", "", "nats above uniform", *GAINS], rows)


def _gains(setting: str, value: str) -> list[str]:
    """Return the mean gains of a value in limit and no-limit; blank for what is compared with."""
    cells = []
    for game in ("hulhe", "hunl"):
        found = [
            one["gains"].get(f"{setting} {value}") for one in data(f"{setting}-{game}")["opponents"]
        ]
        cells.append("" if None in found else whole(mean(found)))
    return cells


CLUSTER_COLUMNS: Final = {
    "folds": "folds",
    "calls": "calls",
    "raises": "raises",
    "weak raises": "raises of weak hands",
    "winner raises": "raises of winners",
    "waits": "more on the river",
}
"""Number of a type's centre -> its column."""


def types() -> list[str]:
    """Return the five clusters, and how much of the professionals' play is of each."""
    centres = read("agents/statistical/models/types.json")["evaluation"]["centres"]
    windows = data("bets")["windows"]
    rows = []
    for name in TYPES:
        number = dict(zip(CLUSTERED, centres[name], strict=True))
        number["waits"] = 2 * number["waits"] - 1
        cells = [percent(number[column]) for column in CLUSTER_COLUMNS]
        rows.append([f"`{name}`", *cells, str(windows[name])])
    return table(["type", *CLUSTER_COLUMNS.values(), "windows of professionals"], rows)


WEIGHTS: Final = {
    "as it plays": "as it plays: shown hands choose how each opponent is read",
    "own counters": "own counters",
    "counters, counted curves": "own counters, curves of real players",
    "generic 2:5:3": "generic, 2 : 5 : 3",
    "counters, calls not mirrored": "own counters, calls not mirrored",
    "counters, absolute scale": "own counters, absolute strengths",
    "counters, sharp ramps": "own counters, sharp ramps",
    "counters, sharp and absolute": "own counters, sharp ramps and absolute strengths: the patent",
}


def ranges() -> list[str]:
    """Return how much the modeller knows of hands that DeepStack's log shows."""
    found = data("ranges-deepstack")["models"]
    rows = []
    for name, title in WEIGHTS.items():
        (uniform, spread), generic = found[name]["above_uniform"], found[name]["above_generic"]
        beside = f"{generic[0]:.3f} ± {generic[1]:.3f}" if any(generic) else ""
        rows.append([title, f"{uniform:.3f} ± {spread:.3f}", beside])
    return table(["weights", "above uniform", "above generic"], rows)


def pool() -> list[str]:
    """Return the habits of the scripted bots, and what each wins from all others."""
    rows = [
        [
            f"`{bot['name']}`",
            bot["quadrant"],
            *(percent(bot[name]) for name in ("vpip", "played", "raise_share")),
            f"{bot['aggression_factor']:.2f}",
            percent(bot["showdown_rate"]),
            whole(bot),
        ]
        for bot in data("pool")["bots"]
    ]
    return table(["bot", "plays", "VPIP", "played", "raises", "AF", "showdown", "won"], rows)

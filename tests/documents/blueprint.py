"""Tables of the blueprint: what was trained, and what it wins and loses."""

from dataclasses import replace
from typing import Final

from agents.blueprint_model.models import BIG_BLINDS_OF_STEM, shipped_model
from protocol.gamedefs import load_builtin
from tests.documents.cells import ROOT, data, number, rate, read, table, whole

MODELS: Final = "agents/blueprint_model/models"


def models() -> list[str]:
    """Return what was trained, and how large it is."""
    rows = []
    for name in (*BIG_BLINDS_OF_STEM, "hulhe", "leduc"):
        facts = read(f"{MODELS}/{name}.json")
        size = (ROOT / MODELS / f"{name}.blueprint").stat().st_size
        sets, hours = facts["information_sets"], facts["hours"]
        rows.append(
            [
                f"`{name}`",
                ", ".join(map(str, facts["cards"])) if name != "leduc" else "all hands",
                f"{sets / 1e6:.1f} M" if sets >= 1e6 else str(sets),
                f"{facts['iterations'] / 1e6:.0f} M",
                (f"{hours:.1f} h" if hours > 0.2 else f"{60 * hours:.0f} min")
                + (", two cores" if facts["workers"] == 2 else ", one core"),
                f"{size / 1e6:.1f} MB" if size > 1e6 else f"{size / 1e3:.0f} KB",
            ]
        )
    head = ["model", "buckets by street", "information sets", "iterations", "trained", "file"]
    return table(head, rows)


def strengths() -> list[str]:
    """Return what the blueprint and the rule bot win from the simple ones."""
    bots = data("matches-hunl")["bots"]
    opponents = ["always-call", "always-fold", "uniform-random", "biased-random", "rule"]
    rows = [
        [f"`{name}`", *(rate(bots[bot][name]) if name in bots[bot] else "" for bot in bots)]
        for name in opponents
    ]
    return table(["opponent", *(f"`{bot}` wins, mbb/h" for bot in bots)], rows)


def lbr() -> list[str]:
    """Return what local best response wins from the blueprint and from other programs."""
    found = data("lbr-hunl")
    rows = [[f"`{name}`", *map(rate, row)] for name, row in found["measured"].items()]
    blank = [""] * (len(found["settings"]) - len(found["published_settings"]))
    rows += [[name, *map(number, row), *blank] for name, row in found["published"].items()]
    return table(["", *found["settings"]], rows)


def pruning() -> list[str]:
    """Return what pruning makes of training, by how early an action is pruned."""
    measured = data("pruning")
    plain = measured["rows"][0]
    rows = [
        [
            way["name"],
            "-" if way["below"] is None else number(round(way["below"])),
            number(way["iterations"]),
            f"{way['iterations'] / plain['iterations']:.2f}",
            f"{plain['nodes_at_the_end'] / way['nodes_at_the_end']:.2f}",
            "-" if way["won"] is None else _with_interval(way["won"]),
            _with_interval(way["lbr"]),
        ]
        for way in measured["rows"]
    ]
    head = [
        *("pruned", "below, chips", "iterations", "of those without", "fewer nodes at the end"),
        *("wins from the one without", "LBR wins"),
    ]
    return table(head, rows)


def _with_interval(rate: list[float]) -> str:
    return f"{rate[0]:.0f} ± {rate[1]:.0f}"


def worst() -> list[str]:
    """Return the worst cases of the blueprint, as `arena lbr blueprint --worst --json` has them."""
    rows = []
    for one in data("worst-hunl")["measured_again"]:
        if "settings" in one:
            way, samples = f"LBR {one['settings']}", f"{one['pairs']} pairs"
        else:
            kind = "script" if "script" in one else "river"
            named = {"script": "script", "river": "best river after"}[kind]
            way, samples = f"{named} `{one[kind]}`", f"{one['boards']} boards"
        rows.append([way, whole(one), samples])
    return table(["", "wins from `blueprint`, mbb/h", "samples"], rows)


def depths() -> list[str]:
    """Return the worst case of each kind at other stacks, and what the rule bot loses there."""
    kinds = ("settings", "river", "script")
    rows = []
    for found in data("depths-hunl"):
        depth = found["big_blinds"]
        name = "worst-hunl" if depth == 200 else f"worst-hunl-{depth}"
        again = data(name)["measured_again"]
        worst = [
            max((one for one in again if kind in one), key=lambda one: one["mbb_per_hand"])
            for kind in kinds
        ]
        game = replace(load_builtin("hunl"), stacks=(100 * depth,) * 2)
        cells = [f"{whole(one)}, `{one[kind]}`" for kind, one in zip(kinds, worst, strict=True)]
        rows.append([str(depth), f"`{shipped_model(game).stem}`", *cells, rate(found["rule"])])
    head = ["big blinds", "model", "LBR", "best river after", "script", "wins from `rule`"]
    return table(head, rows)

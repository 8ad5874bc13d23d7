"""What parts of libratus win from one opponent: a tournament of bots with a part taken away.

The rows are those of table 3 of Brown and Sandholm: the blueprint, searches after bets of the tree
alone, and all searches; with unsafe ones beside them.  Takes two hours of a core; the tournament in
the work folder is resumed.

Source: Brown, Sandholm, "Superhuman AI for heads-up no-limit poker: Libratus beats top
professionals", Science 359, 2018.
"""

import json

import numpy as np

from agents.libratus.bot import Libratus
from agents.libratus.policy import TURN, Answer, LibratusPolicy
from dealer.arena import main as arena
from engine.console.exit_codes import INTERRUPTED
from engine.search.menus import USUAL_MENUS
from tests.studies.frame import finite

SECONDS = 0.2
BIG_BLIND = 100
POINTS = 200
BASE = "blueprint"
VARIANTS = (
    BASE,
    "on-tree=tests.studies.libratus_variants:OnTree",
    "unsafe=tests.studies.libratus_variants:Unsafe",
    "libratus-fast",
)
SMALL = {"opponent": "always-call", "hands": 2, "rounds": 1}


class OnTreePolicy(LibratusPolicy):
    """Searches only where each bet of the opponent is of a size that was thought of before."""

    def answer(self, state, board, budget=None):
        """Return the search's strategy, or the blueprint's, which translates the bets."""
        cards = tuple(map(int, board))
        if state.street >= TURN and not self._on_tree(state, cards):
            return Answer(self.blueprint.strategy(state, cards), None, "a bet off the tree")
        return super().answer(state, board, budget)

    def _on_tree(self, state, board):
        begins = {}
        for before, action, after in state.steps():
            root = begins.setdefault(before.street, before)
            theirs = before.street >= TURN and before.actor != state.actor and action.kind == "r"
            if theirs and after.to_match not in USUAL_MENUS.at(root)[0].raise_tos(before):
                return False
        turn = begins.get(TURN, state)
        return self.blueprint.node_of(turn, board[: state.game.board_seen(TURN)]) is not None


class OnTree(Libratus):
    """`libratus-fast` that leaves bets off the tree to the blueprint."""

    def __init__(self):
        """Search for `SECONDS`."""
        super().__init__(seconds=SECONDS)

    def start_match(self, game, seed):
        """Start as libratus does, with the other policy."""
        super().start_match(game, seed)
        self._policy = OnTreePolicy(self._policy.blueprint, self._policy.options)
        self._policy.rehearse()


class Unsafe(Libratus):
    """`libratus-fast` that takes the opponent's range as known in each search."""

    def __init__(self):
        """Search for `SECONDS`."""
        super().__init__(seconds=SECONDS, safety="unsafe")


def add_options(parser):
    """Add who plays how much."""
    add = parser.add_argument
    add("--opponent", default="astar", help="whom all play")
    add("--hands", type=int, default=1000, help="of each seat and round")
    add("--rounds", type=int, default=2)


def run(options):
    """Play what is left; return win rates, and how the winnings ran."""
    folder = options.work / "tournament"
    lineup = ["--challengers", str(len(VARIANTS)), *VARIANTS, options.opponent]
    length = ["--hands", str(options.hands), "--rounds", str(options.rounds)]
    words = ["tournament", "--style", "gauntlet", *lineup, *length, "--seed", "61", "--jobs", "1"]
    begun = folder.exists()
    code = arena(
        ["tournament", "--resume", str(folder), "--quiet"]
        if begun
        else [*words, "--quiet", "--out", str(folder)]
    )
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if code:
        raise ValueError(f"the tournament in {folder} ended with exit code {code}")
    standings = json.loads((folder / "standings.json").read_text(encoding="utf-8"))
    return (
        {"command": "arena " + " ".join(words)}
        | facts_of(standings)
        | running(folder, options.opponent, options.rounds)
    )


def facts_of(standings):
    """Return win rates, and differences to the base on the same deals."""
    won = {}
    for pairing in standings["pairings"]:
        rate = pairing["win_rates"][standings["rated_by"]]
        won[pairing["bot"]] = rounded(rate["mbb_per_hand"], rate["ci95_mbb_per_hand"])
    more = {
        one["other"]: rounded(-one["mbb_per_hand"], one["ci95"])
        for one in standings["challengers"]
        if one["challenger"] == BASE
    }
    pairing = standings["pairings"][0]
    return {
        "opponent": pairing["opponent"],
        "hands": pairing["hands"],
        "estimator": standings["rated_by"],
        "variants": {name: {"won": won[name], "more": more.get(name)} for name in won},
    }


def rounded(mean, half):
    """Return a win rate for JSON."""
    return {"mbb_per_hand": round(mean, 1), "ci95": None if half is None else finite(half, 1)}


def running(folder, opponent, rounds):
    """Return big blinds won up to some deals, raw, both seats added, all rounds in turn."""
    sums = {}
    for name in (variant.partition("=")[0] for variant in VARIANTS):
        match = folder / "pairings" / f"{name}.{opponent}"
        logs = [
            [match / f"{name}.{opponent}.{number}.{seat}.log" for seat in (0, 1)]
            for number in range(rounds)
        ]
        total = [np.add(*(chips(log, name) for log in pair)) for pair in logs]
        sums[name] = np.cumsum(np.concatenate(total)) / BIG_BLIND
    every = max(1, len(sums[BASE]) // POINTS)
    points = {name: [0.0, *row[every - 1 :: every].tolist()] for name, row in sums.items()}
    return {"running": {"every_deals": every, "big_blinds": points}}


def chips(path, name):
    """Return (hands,) what a player won in each hand of a log."""
    won = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("STATE:"):
            _, _, _, _, values, names = line.split(":")
            won.append(float(values.split("|")[names.split("|").index(name)]))
    return np.array(won)

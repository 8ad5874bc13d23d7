"""How the knowledge bots decide: spots where the play is plain, characters, memory."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from agents.compiled.spots import spots_of
from agents.opponents.knowledge_characters import CHARACTERS, COLUMN_NAMES, character_row
from agents.opponents.knowledge_kernels import FLAT, LARGE, PARAMS, SMALL, decide
from agents.opponents.knowledge_opponent import BETS, FOLDS, MEMORY, RAISES
from engine.equity.equity_tables import equity
from protocol.gamedefs import load_builtin
from tests.helpers.views import view_of

HUNL = load_builtin("hunl")
LIMIT = load_builtin("hulhe")
EVERYONE = tuple(CHARACTERS)


def plays(name, betting, hole, board="", game=HUNL, memory=None, decisions=200) -> Counter[str]:
    """Return how often a character takes each kind of action in a spot."""
    from engine.rules.fast_state import CALL, FOLD

    view = view_of(betting, hole, board, game)
    reading = spots_of(view)
    hole = np.array(view.hole, np.int64)
    spot = reading.spot._replace(p=equity(view.hole, view.board), hole=hole, hand=7)
    row = character_row(name, no_limit=game.no_limit)
    rng = np.random.default_rng(2)
    found: Counter[str] = Counter()
    for _ in range(decisions):
        kept = np.zeros(MEMORY) if memory is None else memory.copy()
        _replay(reading.taken, kept)
        kind, _ = decide(spot, row, kept, rng.random(4))
        found["f" if kind == FOLD else "c" if kind == CALL else "r"] += 1
    return found


def _replay(taken, memory) -> None:
    from agents.opponents.knowledge_kernels import observe

    kinds = {"f": ord("f"), "c": ord("c"), "r": ord("r")}
    for one in taken:
        spot = one.spot._replace(hand=7)
        observe(spot, kinds[one.action.kind], one.raise_to, one.mine, memory)


def knows(column, expected, done):
    """Return a memory in which all streets of a kind of count hold (expected, done)."""
    memory = np.zeros(MEMORY)
    for at in range(column, column + 16, 2):
        memory[at : at + 2] = expected, done
    return memory


@pytest.mark.parametrize("name", EVERYONE)
@pytest.mark.parametrize(
    ("betting", "game", "least"),
    [("", HUNL, 200), ("r250", HUNL, 150), ("", LIMIT, 200)],
    ids=["first in", "raised", "limit"],
)
def test_aces_raise_before_the_flop(name, betting, game, least):
    """First in and against a raise, but for the share of raises that the character calls."""
    flat = character_row(name, no_limit=game.no_limit)[FLAT]
    found = plays(name, betting, "AhAd", game=game)
    assert found["f"] == 0
    assert found["r"] >= least * (1.0 - flat) - 4.0 * (200.0 * flat * (1.0 - flat)) ** 0.5


PLAIN = {
    "the nuts never fold": [
        ("r20000", "AhAd", "", "f", 0, 0),
        ("r250c/r750r20000", "AhAd", "AcAsKh", "f", 0, 0),
        ("r250c/cc/cc/r20000", "AhAd", "AcAsKh2d7s", "f", 0, 0),
    ],
    "trash folds to big bets": [
        ("r20000", "7h2d", "", "f", 200, 200),
        ("r250c/r20000", "4h3d", "KcTs8s", "f", 200, 200),
        ("r250c/cc/cc/r2000", "4h3d", "KcTs8sJdQh", "f", 200, 200),
    ],
    "nothing is folded for free": [
        ("r250c/", "4h3d", "KcTs8s", "f", 0, 0),
        ("c", "7h2d", "", "f", 0, 0),
    ],
    "a flush draw has nine outs on the turn": [
        ("r250c/cc/r350", "4h3h", "KhTh8s2c", "f", 0, 19),
        ("r250c/cc/r20000", "4h3h", "KhTh8s2c", "f", 200, 200),
    ],
    "the nuts are raised on the river": [
        ("r250c/cc/cc/r500", "AhAd", "AcAsKh2d7s", "r", 200, 200),
    ],
    "the raiser goes on betting the flop": [
        ("r250c/c", "9h8h", "KhTh2s", "r", 101, 200),
        ("r250c/c", "QhJd", "Kc8s3d", "r", 101, 200),
    ],
    "a set in position is mostly raised, at times called": [
        ("r250c/r450", "8h8d", "Kc8s3d", "f", 0, 0),
        ("r250c/r450", "8h8d", "Kc8s3d", "c", 1, 200),
        ("r250c/r450", "8h8d", "Kc8s3d", "r", 1, 200),
    ],
}
"""Betting, hole cards, board, kind of action, and how often of 200 times it is taken."""


@pytest.mark.parametrize("what", PLAIN)
def test_no_character_gets_plain_spots_wrong(what):
    """Whoever plays."""
    for name, (betting, hole, board, kind, least, most) in product(EVERYONE, PLAIN[what]):
        assert least <= plays(name, betting, hole, board)[kind] <= most, (name, betting)


def test_a_row_has_a_number_per_column():
    """Every character, both kinds of game, all finite; no two alike.  Pressure bets larger."""
    rows = [character_row(name, no_limit=kind) for name in EVERYONE for kind in (True, False)]
    assert all(row.shape == (PARAMS,) == (len(COLUMN_NAMES),) for row in rows)
    assert np.isfinite(rows).all()
    assert len({tuple(row) for row in rows}) == len(rows)
    pressure, controller = (
        character_row(name, no_limit=True)[[SMALL, LARGE]] for name in ("pressure", "controller")
    )
    assert np.all(pressure > controller)
    with pytest.raises(ValueError, match="solid, trapper"):
        character_row("nobody", no_limit=True)


def test_the_trapper_slow_plays_most():
    """A set against a bet on a dry flop is called more often than by others; only it limps aces."""
    calls = {
        name: plays(name, "r250c/r450", "8h8d", "Kc8s3d", decisions=500)["c"] for name in EVERYONE
    }
    assert max(calls, key=calls.__getitem__) == "trapper"
    for game in (HUNL, LIMIT):
        limps = {name: plays(name, "", "AhAd", game=game)["c"] for name in EVERYONE}
        assert 20 < limps.pop("trapper") < 100
        assert not any(limps.values())


@pytest.mark.parametrize("name", EVERYONE)
def test_the_same_spot_is_played_otherwise_against_another_opponent(name):
    """Who folds much is bluffed more, who bets much called more, who raises much not believed."""
    air = (name, "r250c/cc/cc/c", "4h3d", "KhTh8s9c2s")
    folder = plays(*air, memory=knows(FOLDS, 30.0, 60.0))["r"]
    caller = plays(*air, memory=knows(FOLDS, 60.0, 3.0))["r"]
    assert folder > caller + 50
    pair = (name, "r250c/cc/cc/r700", "8h7d", "KhTh8s3c2s")
    maniac = plays(*pair, memory=knows(BETS, 40.0, 95.0))["f"]
    nit = plays(*pair, memory=knows(BETS, 80.0, 2.0))["f"]
    assert maniac < nit
    two_pair = (name, "r250c/cc/r450r1500", "Kd8d", "KhTh8s3c")
    maniac = plays(*two_pair, memory=knows(RAISES, 10.0, 60.0))["f"]
    nit = plays(*two_pair, memory=knows(RAISES, 60.0, 1.0))["f"]
    assert maniac <= nit

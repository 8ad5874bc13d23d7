"""How the knowledge bots decide: spots where the play is plain, characters, memory."""

from collections import Counter

import numpy as np
import pytest

from agents.compiled.spots import spots_of
from agents.opponents.knowledge_characters import CHARACTERS, COLUMN_NAMES, character_row
from agents.opponents.knowledge_kernels import FLAT, LARGE, PARAMS, SMALL, decide
from agents.opponents.knowledge_opponent import BETS, FOLDS, MEMORY, RAISES
from engine.equity.equity_tables import equity
from engine.rules.view import PlayerView, replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
LIMIT = load_builtin("hulhe")
EVERYONE = tuple(CHARACTERS)


def view_of(betting, hole, board="", game=HUNL) -> PlayerView:
    """Return the view of whoever acts after `betting`."""
    state = replay_betting(game, betting)
    shown = tuple(
        parse_cards(hole) if position == state.actor else () for position in range(game.players)
    )
    return PlayerView(state, 0, state.actor, shown, parse_cards(board))


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
class TestPlainSpots:
    """What no character gets wrong."""

    @pytest.mark.parametrize(
        ("betting", "game", "least"),
        [("", HUNL, 200), ("r250", HUNL, 150), ("", LIMIT, 200)],
        ids=["first in", "raised", "limit"],
    )
    def test_aces_raise_before_the_flop(self, name, betting, game, least):
        """First in and against a raise, but for the share of raises that the character calls."""
        flat = character_row(name, no_limit=game.no_limit)[FLAT]
        found = plays(name, betting, "AhAd", game=game)
        assert found["f"] == 0
        assert found["r"] >= least * (1.0 - flat) - 4.0 * (200.0 * flat * (1.0 - flat)) ** 0.5

    def test_the_best_hands_never_fold(self, name):
        """The nuts call any bet on every street."""
        assert plays(name, "r20000", "AhAd")["f"] == 0
        assert plays(name, "r250c/r750r20000", "AhAd", "AcAsKh")["f"] == 0
        assert plays(name, "r250c/cc/cc/r20000", "AhAd", "AcAsKh2d7s")["f"] == 0

    def test_trash_folds_to_big_bets(self, name):
        """Seven-deuce before the flop, no pair and no draw after it, the worst hand at the end."""
        assert plays(name, "r20000", "7h2d")["f"] == 200
        assert plays(name, "r250c/r20000", "4h3d", "KcTs8s")["f"] == 200
        assert plays(name, "r250c/cc/cc/r2000", "4h3d", "KcTs8sJdQh")["f"] == 200

    def test_nothing_is_folded_for_free(self, name):
        """A check costs nothing."""
        assert plays(name, "r250c/", "4h3d", "KcTs8s")["f"] == 0
        assert plays(name, "c", "7h2d")["f"] == 0

    def test_a_flush_draw_calls_a_small_bet_and_folds_to_a_huge_one(self, name):
        """Pot odds: nine outs on the turn."""
        assert plays(name, "r250c/cc/r350", "4h3h", "KhTh8s2c")["f"] < 20
        assert plays(name, "r250c/cc/r20000", "4h3h", "KhTh8s2c")["f"] == 200

    def test_the_nuts_are_raised_on_the_river(self, name):
        """No more streets to wait for."""
        assert plays(name, "r250c/cc/cc/r500", "AhAd", "AcAsKh2d7s")["r"] == 200

    def test_the_raiser_goes_on_betting_the_flop(self, name):
        """Draws and air of who raised before: bets far more often than not."""
        assert plays(name, "r250c/c", "9h8h", "KhTh2s")["r"] > 100
        assert plays(name, "r250c/c", "QhJd", "Kc8s3d")["r"] > 100

    def test_strong_hands_are_trapped_sometimes_but_not_always(self, name):
        """A set on a dry flop, in position against a bet: mostly raised, at times called."""
        trap = plays(name, "r250c/r450", "8h8d", "Kc8s3d")
        assert trap["f"] == 0
        assert trap["c"] > 0
        assert trap["r"] > 0


class TestCharacters:
    """What makes them differ."""

    def test_a_row_has_a_number_per_column(self):
        """Every character, both kinds of game, all finite; no two alike."""
        rows = [character_row(name, no_limit=kind) for name in EVERYONE for kind in (True, False)]
        assert all(row.shape == (PARAMS,) == (len(COLUMN_NAMES),) for row in rows)
        assert np.isfinite(rows).all()
        assert len({tuple(row) for row in rows}) == len(rows)

    def test_the_trapper_slow_plays_most(self):
        """A set against a bet on a dry flop is called more often than by others."""
        calls = {
            name: plays(name, "r250c/r450", "8h8d", "Kc8s3d", decisions=500)["c"]
            for name in EVERYONE
        }
        assert max(calls, key=calls.__getitem__) == "trapper"

    def test_only_the_trapper_limps_aces(self):
        """At times, in both kinds of game."""
        for game in (HUNL, LIMIT):
            limps = {name: plays(name, "", "AhAd", game=game)["c"] for name in EVERYONE}
            assert 20 < limps.pop("trapper") < 100
            assert not any(limps.values())

    def test_pressure_bets_larger_than_the_controller(self):
        """Both sizes after the flop."""
        pressure = character_row("pressure", no_limit=True)
        controller = character_row("controller", no_limit=True)
        assert np.all(pressure[[SMALL, LARGE]] > controller[[SMALL, LARGE]])

    def test_unknown_characters_are_refused(self):
        """With the names there are."""
        with pytest.raises(ValueError, match="solid, trapper"):
            character_row("nobody", no_limit=True)


@pytest.mark.parametrize("name", EVERYONE)
class TestMemory:
    """The same spot is played otherwise against another opponent."""

    def test_who_folds_much_is_bluffed_more(self, name):
        """Air on the river after two checks."""
        spot = (name, "r250c/cc/cc/c", "4h3d", "KhTh8s9c2s")
        folder = plays(*spot, memory=knows(FOLDS, 30.0, 60.0))["r"]
        caller = plays(*spot, memory=knows(FOLDS, 60.0, 3.0))["r"]
        assert folder > caller + 50

    def test_who_bets_much_is_called_more(self, name):
        """A middling pair against a river bet."""
        spot = (name, "r250c/cc/cc/r700", "8h7d", "KhTh8s3c2s")
        maniac = plays(*spot, memory=knows(BETS, 40.0, 95.0))["f"]
        nit = plays(*spot, memory=knows(BETS, 80.0, 2.0))["f"]
        assert maniac < nit

    def test_who_raises_much_is_not_believed(self, name):
        """Two pair against a raise of our bet on the turn."""
        spot = (name, "r250c/cc/r450r1500", "Kd8d", "KhTh8s3c")
        maniac = plays(*spot, memory=knows(RAISES, 10.0, 60.0))["f"]
        nit = plays(*spot, memory=knows(RAISES, 60.0, 1.0))["f"]
        assert maniac <= nit

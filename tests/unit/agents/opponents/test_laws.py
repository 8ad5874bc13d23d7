"""The laws of the pool: against a plain reading of their descriptions, and by hand."""

from functools import cache

import numpy as np
import pytest

from agents.opponents.laws import (
    MEMORY,
    PLAYED,
    PRESSURE,
    SEED,
    decide,
    finish,
    kept_share,
    observe,
    point_of_period,
)
from agents.roster.characters import PERIOD_HANDS, POOL, ScriptedProfile, find_character, parameters
from engine.compiled.jit import RUNS_AS_PYTHON
from engine.play.spot import Spot
from engine.rules.fast_state import CALL, FOLD, RAISE
from protocol.gamedefs import load_builtin
from tests.helpers.views import FIRST
from tests.oracles.pool import law_action

HUNL = load_builtin("hunl")
HULHE = load_builtin("hulhe")
KINDS = {FOLD: "fold", CALL: "call", RAISE: "raise"}
NO_DRAWS = np.zeros(4)
DISTINCT = [
    *(one for one in POOL if one.same_as is None and one.law != "wanderer"),
    ScriptedProfile("slow", "", "", played=0.8, raised=0.6, bluff=0.5, slow=0.7),
    ScriptedProfile("pressed", "", "", played=0.95, raised=0.3, bluff=0.5, pressure=1.7),
]


def spot(**changes) -> Spot:
    """Return the button's first decision with some fields changed."""
    return FIRST._replace(**changes)


RAISED = spot(button=0, pot=400, to_match=300, spent=100, to_call=200, low=500, raises=1)
"""The big blind, facing a raise."""
CHECKED = spot(street=1, pot=600, to_match=300, spent=300, to_call=0, low=400)
"""On the flop, nothing to call."""


def plays(name, where, draws=NO_DRAWS, game=HUNL):
    """Return the kind as a word and the raise-to that a bot of the pool chooses."""
    row = parameters(find_character(name), game)
    kind, chips = decide(where, row, np.zeros(MEMORY), np.asarray(draws, float))
    return KINDS[kind], chips


@cache
def random_spots(count, seed):
    """Return states that need not be reachable, with all relations between chips kept."""
    return tuple(_random_spots(count, np.random.default_rng(seed)))


def _random_spots(count, rng):
    for _ in range(count):
        big = int(rng.choice([2, 10, 100]))
        stack = big * int(rng.integers(5, 300))
        to_match = int(rng.integers(big, stack + 1))
        spent = int(rng.integers(0, to_match + 1)) if rng.random() < 0.7 else to_match
        raising = to_match < stack and rng.random() < 0.8
        low = min(to_match + int(rng.integers(big, 3 * big)), stack) if raising else 0
        yield spot(
            hand=int(rng.integers(2000)),
            street=int(rng.integers(4)),
            button=int(rng.integers(2)),
            big_blind=big,
            stack=stack,
            pot=to_match + spent,
            to_match=to_match,
            spent=spent,
            to_call=to_match - spent,
            low=low,
            high=stack if raising else 0,
            raises=int(rng.integers(4)),
            p=float(rng.random() ** 0.3),
            percentile=float(rng.random()),
        )


def remembered(where, theirs):
    """Return the memory after some raises of the other in the hand of a spot."""
    memory = np.zeros(MEMORY)
    for _ in range(theirs):
        observe(where, RAISE, 300, False, memory)
    return memory


@pytest.mark.parametrize("character", DISTINCT, ids=lambda one: one.name)
@pytest.mark.parametrize("game", [HUNL, HULHE], ids=["hunl", "hulhe"])
def test_each_law_does_what_its_description_says(character, game):
    """Kind and size agree with the plain reading in 400 random spots."""
    row = parameters(character, game)
    most = 20_000 if game is HUNL else 10 + 3 * 10 + 4 * 10 + 2 * 4 * 20
    numbers = {
        name: getattr(character, name)
        for name in ("played", "raised", "bluff", "small", "large", "slow", "pressure", "power")
    }
    for index, where in enumerate(random_spots(400, 5)):
        draws, theirs = np.random.default_rng(index).random(4), index % 5
        memory = remembered(where, theirs)
        kind, chips = decide(where, row, memory, draws)
        expected = law_action(character.law, where, draws, theirs=theirs, most=most, **numbers)
        assert (KINDS[kind], chips) == expected


LIMIT = spot(
    big_blind=10, pot=15, to_match=10, spent=5, to_call=5, low=20, high=20, stack=2**31 - 1
)
BY_HAND = [
    # O1 limps and checks without looking, calls a raise with chance p ** 50 (0.36417 of 0.98,
    # 0.000296 of 0.85), and gives up to a bet after the flop.
    ("O1", spot(p=0.3), [0.99] * 4, ("call", 0)),
    ("O1", CHECKED._replace(p=0.01), [0.99] * 4, ("call", 0)),
    ("O1", RAISED._replace(p=0.98), [0.3641, 0, 0, 0], ("call", 0)),
    ("O1", RAISED._replace(p=0.98), [0.3643, 0, 0, 0], ("fold", 0)),
    ("O1", RAISED._replace(p=0.85), [0.0003, 0, 0, 0], ("fold", 0)),
    ("O1", RAISED._replace(p=1.0), [0.999999, 0, 0, 0], ("call", 0)),
    (
        "O1",
        CHECKED._replace(p=0.8, to_match=600, to_call=300, pot=900, raises=1),
        [0.5] * 4,
        ("fold", 0),
    ),
    # O3 raises by the pot when nobody has, and again by twice the pot.
    ("O3", spot(), NO_DRAWS, ("raise", 300)),
    ("O3", spot(button=0, pot=200, spent=100, to_call=0), NO_DRAWS, ("raise", 300)),
    ("O3", CHECKED, NO_DRAWS, ("raise", 900)),
    ("O3", RAISED, NO_DRAWS, ("raise", 1500)),
    # The candid statistician puts in p ** 7 of 19 950 chips, in whole big blinds: 558.5 of 0.6,
    # 46.0 of 0.42, 74.5 of 0.45, 145.3 of 0.495, 155.9 of 0.5, where 150 make a raise; O4 p ** 8.
    ("candid-statistician", spot(p=0.6), NO_DRAWS, ("raise", 650)),
    ("candid-statistician", spot(p=0.42), NO_DRAWS, ("fold", 0)),
    ("candid-statistician", spot(p=0.45), NO_DRAWS, ("call", 0)),
    ("candid-statistician", spot(p=0.495), NO_DRAWS, ("call", 0)),
    ("candid-statistician", spot(p=0.50), NO_DRAWS, ("raise", 250)),
    ("candid-statistician", spot(p=1.0), NO_DRAWS, ("raise", 20_050)),
    ("O4", spot(p=0.47), NO_DRAWS, ("fold", 0)),
    ("O4", spot(p=0.50), NO_DRAWS, ("call", 0)),
    ("O4", spot(p=0.54), NO_DRAWS, ("call", 0)),
    ("O4", spot(p=0.55), NO_DRAWS, ("raise", 250)),
    # In limit the cap on betting counts for the stack: 40 + 40 + 80 + 80 chips a hand.
    ("candid-statistician", LIMIT._replace(p=0.6), NO_DRAWS, ("call", 0)),
    ("candid-statistician", LIMIT._replace(p=0.57), NO_DRAWS, ("fold", 0)),
    # Where no raise is legal, a weak hand is given up: a bluff is never a call.
    ("O6", RAISED._replace(percentile=0.1, low=0, high=0), NO_DRAWS, ("fold", 0)),
    # Half the pot of 600 after calling; between half and all of it where the law is wider.
    ("O5", RAISED._replace(percentile=0.99), [0, 0.9, 0, 0], ("raise", 600)),
    ("O6", RAISED._replace(percentile=0.99), [0, 0.0, 0, 0], ("raise", 600)),
    ("O6", RAISED._replace(percentile=0.99), [0, 0.5, 0, 0], ("raise", 750)),
]


@pytest.mark.parametrize(("name", "where", "draws", "action"), BY_HAND)
def test_laws_by_hand(name, where, draws, action):
    """Numbers that were worked out apart."""
    game = HULHE if where.big_blind == 10 else HUNL
    assert plays(name, where, draws, game) == action


class TestBands:
    """O5 to O8: the bounds of their table."""

    @pytest.mark.parametrize(
        ("name", "kept", "raised"),
        [("O5", 0.85 * 0.5, 0.2), ("O6", 0.75 * 0.5**0.5, 2 / 3)],
    )
    def test_bounds(self, name, kept, raised):
        """Just below and just above each bound, facing 200 in a pot of 400."""
        never = [0.999, 0.5, 0.5, 0.5]
        for better, kind in (
            (kept + 1e-6, "fold"),
            (kept - 1e-6, "call"),
            (kept * raised + 1e-6, "call"),
            (kept * raised - 1e-6, "raise"),
        ):
            where = RAISED._replace(percentile=1 - better)
            assert plays(name, where, never)[0] == kind

    def test_a_band_gives_up_more_the_more_a_bet_asks(self):
        """By price, street, and raises of the other before; weak styles faster than aggressive."""

        def kept_by(name, where, theirs=1):
            row = parameters(find_character(name), HUNL)
            return row[PLAYED] * kept_share(where, row[PRESSURE], remembered(where, theirs))

        cheap = CHECKED._replace(pot=700, to_call=100)
        dear = cheap._replace(pot=1200, to_call=600)
        for name in ("O5", "O6", "O7", "O8"):
            played = find_character(name).played
            assert kept_by(name, CHECKED) == played
            assert played > kept_by(name, cheap) > kept_by(name, dear) > 0
            assert kept_by(name, dear) > kept_by(name, dear._replace(street=3))
            assert kept_by(name, dear, 1) > kept_by(name, dear, 2) > kept_by(name, dear, 3)
        for weak, aggressive in (("O5", "O6"), ("O7", "O8")):
            left = [
                kept_by(name, dear) / find_character(name).played for name in (weak, aggressive)
            ]
            assert left[0] < left[1]

    def test_raises_are_counted_in_their_own_hand(self):
        """Neither one's own nor those of another hand count."""
        row = parameters(find_character("O5"), HUNL)
        where = RAISED
        memory = remembered(where._replace(hand=1), 3)
        observe(where._replace(hand=1), RAISE, 300, True, memory)
        observe(where._replace(hand=1), CALL, 0, False, memory)
        assert kept_share(where, row[PRESSURE], memory) == 0.5
        assert kept_share(where._replace(hand=1), row[PRESSURE], memory) == pytest.approx(0.5**1.5)

    @pytest.mark.parametrize(("name", "chance"), [("O5", 0), ("O6", 0.2), ("O7", 0), ("O8", 0.1)])
    def test_bluffs_are_made_with_the_weakest_quarter(self, name, chance):
        """And with no other hand that is given up."""
        weak = RAISED._replace(percentile=0.2)
        below = max(chance - 0.001, 0)
        assert (plays(name, weak, [below, 0, 0, 0])[0] == "raise") == (chance > 0)
        assert plays(name, weak, [chance + 0.001, 0, 0, 0]) == ("fold", 0)
        if name == "O8":
            assert plays(name, weak._replace(percentile=0.3)) == ("fold", 0)


class TestPlane:
    """What is measured is what was asked for."""

    @pytest.mark.parametrize("played", [0.0, 0.1, 0.45, 0.75, 1.0])
    @pytest.mark.parametrize("raised", [0.0, 0.2, 2 / 3, 1.0])
    def test_shares_played_and_raised(self, played, raised):
        """Over 400 hands evenly spread, to one of them."""
        row = parameters(ScriptedProfile("x", "", "", played=played, raised=raised), HUNL)
        memory, count = np.zeros(MEMORY), 400
        kinds = [
            decide(RAISED._replace(percentile=float(u)), row, memory, NO_DRAWS)[0]
            for u in (np.arange(count) + 0.5) / count
        ]
        stayed = sum(kind != FOLD for kind in kinds)
        raises = sum(kind == RAISE for kind in kinds)
        assert abs(stayed - count * played) <= 1
        assert abs(raises - stayed * raised) <= 1

    def test_bluffs_come_on_top(self):
        """A bluff rate of 0.2 over the weakest quarter adds a twentieth of all hands."""
        row = parameters(ScriptedProfile("x", "", "", played=0.5, bluff=0.2), HUNL)
        rng, count = np.random.default_rng(2), 4000
        raises = sum(
            decide(
                RAISED._replace(percentile=float(rng.random())),
                row,
                np.zeros(MEMORY),
                rng.random(4),
            )[0]
            == RAISE
            for _ in range(count)
        )
        assert abs(raises / count - 0.05) < 4 * (0.05 * 0.95 / count) ** 0.5


class TestWanderer:
    """O_random."""

    def test_stays_for_a_period_and_moves_on(self):
        """The point in its memory is that of the period of the hand, in any order of hands."""
        row = parameters(find_character("O_random"), HUNL, seed=9)
        memory = np.zeros(MEMORY)
        for hand in (0, PERIOD_HANDS - 1, PERIOD_HANDS, 7 * PERIOD_HANDS + 3, 3):
            decide(spot(hand=hand), row, memory, NO_DRAWS)
            assert tuple(memory[1:3]) == point_of_period(int(row[SEED]), hand // PERIOD_HANDS)
        assert memory[0] == 1

    def test_plays_the_band_of_its_point(self):
        """The same actions as a fixed character with those numbers."""
        row = parameters(find_character("O_random"), HUNL, seed=4)
        memory = np.zeros(MEMORY)
        for where in random_spots(200, 6):
            played, raised = point_of_period(int(row[SEED]), where.hand // PERIOD_HANDS)
            fixed = ScriptedProfile("x", "", "", played=played, raised=raised, large=1.0)
            draws = np.random.default_rng(where.hand).random(4)
            assert decide(where, row, memory, draws) == decide(
                where, parameters(fixed, HUNL), np.zeros(MEMORY), draws
            )

    def test_points_cover_the_plane_evenly(self):
        """Means, spreads and correlation of 4000 points, and other points for another seed."""
        points = np.array([point_of_period(123, period) for period in range(4000)])
        assert points.min() >= 0
        assert points.max() < 1
        assert abs(points.mean(axis=0) - 0.5).max() < 0.02
        assert abs(points.var(axis=0) - 1 / 12).max() < 0.005
        assert abs(np.corrcoef(points.T)[0, 1]) < 0.06
        assert point_of_period(124, 0) != point_of_period(123, 0)


def test_the_pool_learns_nothing():
    """Observing and finishing leave the memory as it was."""
    memory = np.arange(MEMORY, dtype=float)
    observe(spot(), CALL, 0, False, memory)
    finish(memory, 0.5, 100.0)
    assert memory.tolist() == list(range(MEMORY))


def test_the_laws_compile_to_the_one_signature_of_bulk_play():
    """All paths return two int64; nothing else was compiled along the way."""
    if not RUNS_AS_PYTHON:
        (found,) = decide.nopython_signatures
        assert str(found.return_type) == "UniTuple(int64 x 2)"

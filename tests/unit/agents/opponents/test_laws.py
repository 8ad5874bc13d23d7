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
    """Return the button's first decision in hunl, 50 of 100 chips in, with some fields changed."""
    fields = {
        "hand": 0,
        "street": 0,
        "button": 1,
        "big_blind": 100,
        "stack": 20_000,
        "pot": 150,
        "to_match": 100,
        "spent": 50,
        "to_call": 50,
        "low": 200,
        "high": 20_000,
        "raises": 0,
        "raises_before": 0,
        "aggressor": -1,
        "p": 0.5,
        "percentile": 0.5,
        "hole": np.array([51, 46]),
        "board": np.full(5, -1),
    }
    return Spot(**(fields | changes))


BIG_BLIND_RAISED = {
    "button": 0,
    "pot": 400,
    "to_match": 300,
    "spent": 100,
    "to_call": 200,
    "low": 500,
    "raises": 1,
}
FLOP_CHECKED = {
    "street": 1,
    "pot": 600,
    "to_match": 300,
    "spent": 300,
    "to_call": 0,
    "low": 400,
}


def plays(name, where, draws=NO_DRAWS, game=HUNL, memory=None):
    """Return the kind as a word and the raise-to that a bot of the pool chooses."""
    character = find_character(name) if isinstance(name, str) else name
    memory = np.zeros(MEMORY) if memory is None else memory
    kind, chips = decide(where, parameters(character, game), memory, np.asarray(draws, float))
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


class TestLimper:
    """O1."""

    def test_limps_and_checks_without_looking(self):
        """The worst hand limps on the button and checks whatever is free."""
        assert plays("O1", spot(p=0.3), [0.99] * 4) == ("call", 0)
        assert plays("O1", spot(**FLOP_CHECKED, p=0.01), [0.99] * 4) == ("call", 0)

    def test_calls_a_raise_with_chance_p_to_the_fiftieth(self):
        """0.98 ** 50 = 0.36417, 0.85 ** 50 = 0.000296 (worked out apart)."""
        facing = spot(**BIG_BLIND_RAISED, p=0.98)
        assert plays("O1", facing, [0.3641, 0, 0, 0]) == ("call", 0)
        assert plays("O1", facing, [0.3643, 0, 0, 0]) == ("fold", 0)
        assert plays("O1", facing._replace(p=0.85), [0.0003, 0, 0, 0]) == ("fold", 0)
        assert plays("O1", facing._replace(p=1.0), [0.999999, 0, 0, 0]) == ("call", 0)

    def test_a_bet_after_the_flop_is_a_raise_to_it(self):
        """It gives up there as well."""
        facing = spot(**FLOP_CHECKED)._replace(to_match=600, to_call=300, pot=900, raises=1)
        assert plays("O1", facing._replace(p=0.8), [0.5] * 4) == ("fold", 0)


class TestManiac:
    """O3."""

    def test_raises_by_the_pot_when_nobody_has(self):
        """The button calls 50 and adds 200; after a limp 100 are matched and 200 added."""
        assert plays("O3", spot()) == ("raise", 300)
        limped = spot(button=0, pot=200, spent=100, to_call=0)
        assert plays("O3", limped) == ("raise", 300)
        assert plays("O3", spot(**FLOP_CHECKED)) == ("raise", 900)

    def test_raises_again_by_twice_the_pot(self):
        """After a raise to 300: 300 matched, the pot is then 600, and 1200 more."""
        assert plays("O3", spot(**BIG_BLIND_RAISED)) == ("raise", 1500)


class TestCandid:
    """The candid statistician: p ** 7 of the stack; O4: p ** 8."""

    def test_puts_in_the_nearest_number_of_big_blinds(self):
        """0.6 ** 7 = 0.0279936; of 19 950 chips 558.5: six big blinds, 650 in all."""
        assert plays("candid-statistician", spot(p=0.6)) == ("raise", 650)

    def test_folds_calls_and_raises_as_the_hand_grows(self):
        """0.42 ** 7 * 19 950 = 46.0; 0.45: 74.5; 0.495: 145.3; 0.5: 155.9, and 150 are needed."""
        assert plays("candid-statistician", spot(p=0.42)) == ("fold", 0)
        assert plays("candid-statistician", spot(p=0.45)) == ("call", 0)
        assert plays("candid-statistician", spot(p=0.495)) == ("call", 0)
        assert plays("candid-statistician", spot(p=0.50)) == ("raise", 250)

    def test_the_nuts_go_all_in(self):
        """p = 1 is ready for 199.5 big blinds on top of 50: 200 of them, cut down to the stack."""
        assert plays("candid-statistician", spot(p=1.0)) == ("raise", 20_050)

    def test_o4_asks_for_more(self):
        """0.5 ** 8 * 19 950 = 77.9, 0.53: 124.2, 0.54: 144.2, 0.55: 167.0; 150 make a raise."""
        assert plays("O4", spot(p=0.47)) == ("fold", 0)
        assert plays("O4", spot(p=0.50)) == ("call", 0)
        assert plays("O4", spot(p=0.54)) == ("call", 0)
        assert plays("O4", spot(p=0.55)) == ("raise", 250)

    def test_in_limit_the_cap_on_betting_counts_for_the_stack(self):
        """Limit hold'em 5/10: 40 + 40 + 80 + 80 chips a hand; 0.7 ** 7 * 235 = 19.4 of 5."""
        where = spot(
            big_blind=10, pot=15, to_match=10, spent=5, to_call=5, low=20, high=20, stack=2**31 - 1
        )
        assert plays("candid-statistician", where._replace(p=0.7), game=HULHE)[0] == "raise"
        assert plays("candid-statistician", where._replace(p=0.6), game=HULHE) == ("call", 0)
        assert plays("candid-statistician", where._replace(p=0.57), game=HULHE) == ("fold", 0)


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
            where = spot(**BIG_BLIND_RAISED, percentile=1 - better)
            assert plays(name, where, never)[0] == kind

    def test_a_band_gives_up_more_the_more_a_bet_asks(self):
        """By price, street, and raises of the other before; weak styles faster than aggressive."""

        def kept_by(name, where, theirs=1):
            row = parameters(find_character(name), HUNL)
            return row[PLAYED] * kept_share(where, row[PRESSURE], remembered(where, theirs))

        cheap = spot(**FLOP_CHECKED)._replace(pot=700, to_call=100)
        dear = cheap._replace(pot=1200, to_call=600)
        for name in ("O5", "O6", "O7", "O8"):
            played = find_character(name).played
            assert kept_by(name, spot(**FLOP_CHECKED)) == played
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
        where = spot(**BIG_BLIND_RAISED)
        memory = remembered(where._replace(hand=1), 3)
        observe(where._replace(hand=1), RAISE, 300, True, memory)
        observe(where._replace(hand=1), CALL, 0, False, memory)
        assert kept_share(where, row[PRESSURE], memory) == 0.5
        assert kept_share(where._replace(hand=1), row[PRESSURE], memory) == pytest.approx(0.5**1.5)

    @pytest.mark.parametrize(("name", "chance"), [("O5", 0), ("O6", 0.2), ("O7", 0), ("O8", 0.1)])
    def test_bluffs_are_made_with_the_weakest_quarter(self, name, chance):
        """And with no other hand that is given up."""
        weak = spot(**BIG_BLIND_RAISED, percentile=0.2)
        below = max(chance - 0.001, 0)
        assert (plays(name, weak, [below, 0, 0, 0])[0] == "raise") == (chance > 0)
        assert plays(name, weak, [chance + 0.001, 0, 0, 0]) == ("fold", 0)
        if name == "O8":
            assert plays(name, weak._replace(percentile=0.3)) == ("fold", 0)

    def test_a_bluff_is_never_a_call(self):
        """Where no raise is legal, a weak hand is given up."""
        allin = spot(**BIG_BLIND_RAISED, percentile=0.1)._replace(low=0, high=0)
        assert plays("O6", allin) == ("fold", 0)

    def test_sizes(self):
        """Half the pot of 600 after calling; between half and all of it where the law is wider."""
        where = spot(**BIG_BLIND_RAISED, percentile=0.99)
        assert plays("O5", where, [0, 0.9, 0, 0]) == ("raise", 600)
        assert plays("O6", where, [0, 0.0, 0, 0]) == ("raise", 600)
        assert plays("O6", where, [0, 0.5, 0, 0]) == ("raise", 750)


class TestPlane:
    """What is measured is what was asked for."""

    @pytest.mark.parametrize("played", [0.0, 0.1, 0.45, 0.75, 1.0])
    @pytest.mark.parametrize("raised", [0.0, 0.2, 2 / 3, 1.0])
    def test_shares_played_and_raised(self, played, raised):
        """Over 400 hands evenly spread, to one of them."""
        row = parameters(ScriptedProfile("x", "", "", played=played, raised=raised), HUNL)
        memory, count = np.zeros(MEMORY), 400
        kinds = [
            decide(spot(**BIG_BLIND_RAISED, percentile=float(u)), row, memory, NO_DRAWS)[0]
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
                spot(**BIG_BLIND_RAISED, percentile=float(rng.random())),
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

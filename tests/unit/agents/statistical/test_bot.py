"""The statistical modeller at the table."""

import time

import numpy as np
import pytest

from agents.baselines.always_call import AlwaysCall
from agents.baselines.always_fold import AlwaysFold
from agents.baselines.biased_random import BiasedRandom, UniformRandom
from agents.statistical.base_strategy import TABLES, bin_of
from agents.statistical.bot import PREDICTORS, Settings, Statistical, build
from agents.statistical.habits import CALL, FOLD, RAISE, cell_of
from agents.statistical.matches import play_match, play_tables, rotations
from agents.statistical.memory import MemoryDamaged, load_opponents
from agents.statistical.strength import StrengthReader, combo_strengths
from engine.cards import parse_combo
from engine.rules.view import PlayerView, replay_betting
from protocol.cards import parse_cards
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
LIMIT = load_builtin("hulhe")
SHORT = parse_gamedef(
    b"GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 750 1200\nblind = 100 50\n"
    b"firstPlayer = 2 1 1 1\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\n"
    b"numBoardCards = 0 3 1 1\nEND GAMEDEF\n"
)
SEEN = StrengthReader()
"""Matches of one seed have the same boards; what is found out about them is shared."""
GAMES = {"no-limit": HUNL, "limit": LIMIT, "short stacks": SHORT}


def spot(betting, hole, board="", game=HUNL):
    """The view of whoever acts after `betting`."""
    state = replay_betting(game, betting)
    shown = [(), ()]
    shown[state.actor] = parse_cards(hole)
    return PlayerView(state, 0, state.actor, tuple(shown), parse_cards(board))


def knowing(settings=None, kind=CALL, times=30):
    """A bot that has played long enough, against somebody who always did the same."""
    bot = Statistical(settings, strengths=SEEN)
    bot.start_match(HUNL, 1)
    for bin_ in range(20):
        for _ in range(5):
            bot.counters.add_own((bin_ + 0.5) / 20)
    for cell in range(12):
        for _ in range(times):
            bot.counters.add(True, cell, kind)
            bot.counters.add(False, cell, kind)
    return bot


@pytest.mark.parametrize("opponent", [UniformRandom, BiasedRandom])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_action_is_legal(game, opponent):
    """Over whole matches with everything that can be set; `play_hand` refuses what is not."""
    for settings in [
        Settings(bin_samples=0),
        Settings(bin_samples=0, scale="absolute", candidates=True, confidence=0),
        Settings(bin_samples=0, mirrored=False, values=False, tolerance=0, rotate_every=1),
    ]:
        bot = Statistical(settings, strengths=SEEN)
        play_match(game, 1, 25, [bot, opponent()])
        assert bot.counters.hands == 25
        assert bot.counters.counts.sum() > 25


def test_two_modellers_play_each_other():
    """To the end, with the chips of one lost by the other."""
    bots = [Statistical(Settings(bin_samples=0), strengths=SEEN) for _ in range(2)]
    won = play_match(HUNL, 1, 25, bots)
    assert (won.sum(axis=1) == 0).all()


def test_the_same_seed_plays_the_same_match():
    """All randomness follows from it."""
    matches = [
        play_match(HUNL, seed, 25, [Statistical(strengths=SEEN), AlwaysCall()])
        for seed in (1, 1, 2)
    ]
    np.testing.assert_array_equal(matches[0], matches[1])
    assert (matches[0] != matches[2]).any()


def test_it_begins_in_phase_one_with_the_chances_of_its_table():
    """The first decision of a match, over many matches: within four standard deviations."""
    strength = combo_strengths(())[parse_combo("8s7d")]
    bot = Statistical()
    kinds = []
    for seed in range(500):
        bot.start_match(HUNL, seed)
        kinds.append("fcr".index(bot.act(spot("", "8s7d")).kind))
        assert bot.phase == 1
    expected = np.mean([table[bin_of(strength)] for table in TABLES.values()], axis=0)
    found = np.bincount(kinds, minlength=3) / len(kinds)
    np.testing.assert_allclose(found, expected, atol=0.08)


def test_phase_two_compares():
    """Against somebody who calls with everything: raise what is better, check what is worse."""
    bot = knowing()
    assert bot.act(spot("cc/", "AhAd", "Ac7h2s")).kind == "r"
    assert bot.phase == 2
    assert bot.act(spot("cc/", "4h3d", "Ac7hTs")).kind == "c"


def test_phase_two_believes_in_the_raise_of_whoever_never_raises():
    """A hand that beats most gives up; against one who always raises it goes on."""
    hole, board, betting = "8h8d", "AcKhTs", "cc/r1000"
    assert knowing(kind=CALL).act(spot(betting, hole, board)).kind == "f"
    assert knowing(kind=RAISE).act(spot(betting, hole, board)).kind != "f"


def test_phase_two_waits_for_confidence():
    """In cells in which the opponent was hardly seen phase 1 goes on."""
    bot = knowing(times=1)
    bot.act(spot("cc/r200", "AhAd", "Ac7h2s"))
    assert bot.phase == 1
    bot = knowing(Settings(confidence=0), times=0)
    bot.act(spot("cc/r200", "AhAd", "Ac7h2s"))
    assert bot.phase == 2


def test_without_modelling_phase_one_never_ends():
    """Whatever was counted."""
    bot = knowing(Settings(modelling=False))
    bot.act(spot("cc/", "AhAd", "Ac7h2s"))
    assert bot.phase == 1


def test_pot_odds_keep_it_from_folding():
    """A little to call into a big pot, with a hand that is somewhat behind."""
    view = spot("r2000c/r2200", "QhJd", "Tc8h2s")
    assert knowing(kind=CALL).act(view).kind == "c"
    without = Settings(values=False, tolerance=0)
    assert knowing(without, kind=CALL).act(view).kind == "f"


def test_whoever_folds_is_raised():
    """With the worst hand too, before the flop and after it; not by the comparison alone."""
    for view in (spot("", "3h2d"), spot("cc/c", "3h2d", "AcKdTs")):
        assert knowing(kind=FOLD).act(view).kind == "r"
        assert knowing(kind=CALL).act(view).kind != "r"
        assert knowing(Settings(values=False), kind=FOLD).act(view).kind != "r"


def test_every_decision_of_the_opponent_is_counted_once():
    """Through `act` and `end_hand`, folds as well; counters of both positions."""
    bot = Statistical(strengths=SEEN)
    play_match(HUNL, 1, 30, [bot, AlwaysFold()])
    counters = bot.counters
    assert counters.hands == 30
    assert counters.showdowns < 30
    assert counters.counts[:, :, FOLD].sum() > 5
    assert counters.counts[:, :, RAISE].sum() == 0
    button_folds = counters.counts[1, cell_of(0, 0), FOLD]
    assert button_folds == 15  # each time it is the small blind


def test_shown_hands_are_learnt():
    """One who always calls shows every hand that we do not fold."""
    bot = Statistical(Settings(bin_samples=0, confidence=0), strengths=SEEN)
    play_match(HUNL, 1, 25, [bot, AlwaysCall()])
    assert bot.counters.showdowns > 10
    assert bot.counters.shown.sum() == bot.counters.shown[:, CALL].sum() > 25


def test_opponents_are_remembered(tmp_path):
    """From match to match, by name; another name is somebody else."""
    path = tmp_path / "met"
    for hands in (20, 40):
        bob = Statistical(memory=path, opponent="Bob", strengths=SEEN)
        play_match(HUNL, 1, 20, [bob, AlwaysCall()])
        assert load_opponents(path)["Bob"].hands == hands
    ann = Statistical(memory=path, opponent="Ann", strengths=SEEN)
    play_match(HUNL, 1, 5, [ann, AlwaysCall()])
    assert {name: held.hands for name, held in load_opponents(path).items()} == {
        "Bob": 40,
        "Ann": 5,
    }
    path.write_bytes(b"no")
    with pytest.raises(MemoryDamaged, match="met"):
        Statistical(memory=path).start_match(HUNL, 1)


def test_a_connection_that_begins_in_the_middle_of_a_hand():
    """The betting so far is caught up with; a hand without an end is given up for the next."""
    bot = Statistical()
    bot.start_match(HUNL, 1)
    bot.act(spot("r250c/c", "AhAd", "Ac7h2s"))
    assert bot.counters.counts.sum() == 2
    bot.act(spot("", "KhKd"))
    bot.act(spot("r250", "KhKd"))
    assert bot.counters.counts.sum() == 3


@pytest.mark.parametrize("name", ["leduc", "limit3", "kuhn"])
def test_other_games_are_refused(name):
    """Hold'em for two only."""
    with pytest.raises(ValueError, match="hold'em for two"):
        Statistical().start_match(load_builtin(name), 1)


@pytest.mark.parametrize(
    "setting",
    [
        {"tolerance": -0.1},
        {"tolerance": 2},
        {"confidence": 1},
        {"bin_samples": -1},
        {"scale": "sideways"},
        {"predictor": "guess"},
        {"rotate_every": 0},
    ],
)
def test_settings_out_of_range_are_refused(setting):
    """At once, by name."""
    with pytest.raises(ValueError, match=next(iter(setting)).split("_")[-1][:5]):
        Statistical(Settings(**setting))


@pytest.mark.parametrize("name", PREDICTORS[1:])
def test_a_trained_predictor_can_foretell_the_opponent(name):
    """It plays by the model that comes along."""
    bot = Statistical(Settings(bin_samples=0, confidence=0, predictor=name), strengths=SEEN)
    play_match(HUNL, 1, 8, [bot, AlwaysCall()])
    assert bot.phase == 2


def test_shown_hands_tell_how_to_read_the_opponent():
    """Each is scored under every way to read actions, before it is learnt from."""
    bot = Statistical(Settings(bin_samples=0), strengths=SEEN)
    play_match(HUNL, 1, 25, [bot, AlwaysCall()])
    counters = bot.counters
    assert counters.scored == counters.showdowns
    assert (counters.scores < 0).all()
    unread = Statistical(Settings(bin_samples=0, learn_reading=False), strengths=SEEN)
    play_match(HUNL, 1, 25, [unread, AlwaysCall()])
    assert unread.counters.scored == 0


def test_the_reading_that_foretold_best_is_played_by():
    """Curves for whoever shows hands as real players do; ramps as long as nothing was shown."""
    view = spot("r250c/cc/cc/r500", "AdQc", "3h4cJhKs9c")
    jacks, bluff, middling = map(parse_combo, ("JsJc", "5s6s", "4d5d"))
    for foretold, by_curves in (([-5.0] * 5, False), ([-9.0] * 4 + [-5.0], True)):
        bot = knowing()
        bot.counters.add_scores(foretold)
        assert bot.counters.reading.by_curves == by_curves
        bot.act(view)
        weights = bot._reader.weights.weights
        assert weights[jacks] > weights[middling]
        assert (weights[bluff] > weights[middling]) == by_curves


def test_options_of_the_command_line(tmp_path):
    """Those of `agents.roster`, numbers as floats; without any the defaults."""
    assert build().settings == Settings()
    bot = build(tolerance=0.1, modelling=0.0, mirrored=1.0, confidence=0.2, memory=None)
    assert bot.settings == Settings(modelling=False, tolerance=0.1, confidence=0.2)
    with pytest.raises(ValueError, match="modelling"):
        build(modelling=2)


def test_a_decision_takes_less_than_fifty_milliseconds():
    """On average, flops never seen before included."""
    spent = []

    class Timed(Statistical):
        def act(self, view):
            began = time.perf_counter()
            action = super().act(view)
            spent.append(time.perf_counter() - began)
            return action

    bot = Timed(Settings(bin_samples=0, confidence=0))
    bot.warm_up()
    play_match(HUNL, 2, 25, [bot, BiasedRandom()])
    assert sum(spent) / len(spent) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("game", [HUNL, LIMIT], ids=["no-limit", "limit"])
@pytest.mark.parametrize("opponent", [AlwaysCall, AlwaysFold])
def test_modelling_wins_more_than_the_tables(game, opponent):
    """The same 600 deals in duplicate; the interval of the difference is above zero."""
    won = [
        play_tables(
            game,
            7,
            600,
            rotations(
                [
                    lambda on=on: Statistical(Settings(modelling=on), strengths=SEEN),
                    opponent,
                ]
            ),
        ).mean(axis=1)[:, 0]
        for on in (True, False)
    ]
    difference = won[0] - won[1]
    assert difference.mean() > 1.96 * difference.std(ddof=1) / len(difference) ** 0.5

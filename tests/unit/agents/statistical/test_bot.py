"""The statistical modeller at the table."""

from functools import partial

import numpy as np
import pytest

from agents.baselines.always_call import AlwaysCall
from agents.baselines.always_fold import AlwaysFold
from agents.baselines.biased_random import BiasedRandom, UniformRandom
from agents.opponents.bot import PoolBot
from agents.statistical.bot import Settings, Statistical
from agents.statistical.counting.counters import OpponentCounters, bin_of
from agents.statistical.counting.opponent_store import MemoryDamaged, MemoryUnusable, load_opponents
from agents.statistical.counting.situations import CALL, FOLD, RAISE, actions_of, cell_of
from agents.statistical.deciding.base_strategy import TABLES
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.ranges.interpretation_choice import InterpretationChoice, best_key
from agents.statistical.variants import ModellerVariant, VariantSettings, bot_with
from engine.equity.preflop_measures import MEASURES, preflop_percentiles
from engine.equity.strength import StrengthReader, combo_strengths
from engine.estimates.winrate import win_rate
from engine.hands.cards import parse_combo
from engine.play.learners import play_learning_match, play_tables, rotations
from engine.rules.view import PlayerView, replay_betting
from protocol.cards import parse_cards
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin
from tests.helpers.decisions import acted
from tests.helpers.views import view_of

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


def view_of_end(betting, position=0):
    """What one with aces sees of a hand that is over, on a dealer who shows the other's kings."""
    state = replay_betting(HUNL, betting)
    cards = tuple(map(parse_cards, ("AcAd", "KcKd")))
    board = parse_cards("2c7d9hJsQd")[: HUNL.board_seen(state.street)]
    return PlayerView(state, 0, position, cards if position == 0 else cards[::-1], board)


def knowing(settings=None, kind=CALL, times=30):
    """A bot that has played long enough, against somebody who always did the same."""
    bot = bot_with(settings or Settings(), strengths=SEEN)
    bot.start_match(HUNL, 1)
    for bin_ in range(20):
        for _ in range(5):
            bot.counters.add_own((bin_ + 0.5) / 20)
    for cell in range(12):
        for _ in range(times):
            bot.counters.add(acted(True, cell, kind))
            bot.counters.add(acted(False, cell, kind))
    return bot


@pytest.mark.parametrize("opponent", [UniformRandom, BiasedRandom])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_action_is_legal(game, opponent):
    """Over whole matches with everything that can be set; `play_hand` refuses what is not."""
    for settings in [
        Settings(),
        VariantSettings(bin_samples=0),
        VariantSettings(bin_samples=0, candidates=True, confidence=0),
        VariantSettings(bin_samples=0, mirrored=False, values=False, tolerance=0),
    ]:
        bot = bot_with(settings, strengths=SEEN)
        play_learning_match(game, 1, 10, [bot, opponent()])
        assert bot.counters.hands == 10
        assert bot.counters.counts.sum() > 10


def test_the_same_seed_plays_the_same_match():
    """All randomness follows from it."""
    matches = [
        play_learning_match(HUNL, seed, 25, [Statistical(strengths=SEEN), AlwaysCall()])
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
        kinds.append("fcr".index(bot.act(view_of("", "8s7d")).kind))
        assert bot.phase == 1
    expected = np.mean([table[bin_of(strength)] for table in TABLES.values()], axis=0)
    found = np.bincount(kinds, minlength=3) / len(kinds)
    np.testing.assert_allclose(found, expected, atol=0.08)


def test_phase_two_compares():
    """Against somebody who calls with everything: raise what is better, check what is worse."""
    bot = knowing()
    assert bot.act(view_of("cc/", "AhAd", "Ac7h2s")).kind == "r"
    assert bot.phase == 2
    assert bot.act(view_of("cc/", "4h3d", "Ac7hTs")).kind == "c"


def test_phase_two_believes_in_the_raise_of_whoever_never_raises():
    """A hand that beats most gives up; against one who always raises it goes on."""
    hole, board, betting = "8h8d", "AcKhTs", "cc/r1000"
    assert knowing(kind=CALL).act(view_of(betting, hole, board)).kind == "f"
    assert knowing(kind=RAISE).act(view_of(betting, hole, board)).kind != "f"


@pytest.mark.parametrize(
    ("settings", "times", "phase"),
    [(None, 1, 1), (Settings(confidence=0), 0, 2), (Settings(modelling=False), 30, 1)],
)
def test_phase_two_waits_for_confidence(settings, times, phase):
    """Where the opponent was hardly seen phase 1 goes on; without modelling it never ends."""
    bot = knowing(settings, times=times)
    bot.act(view_of("cc/r200", "AhAd", "Ac7h2s"))
    assert bot.phase == phase


def test_pot_odds_keep_it_from_folding():
    """A little to call into a big pot, with a hand that is somewhat behind."""
    view = view_of("r2000c/r2200", "QhJd", "Tc8h2s")
    assert knowing(kind=CALL).act(view).kind == "c"
    without = VariantSettings(values=False, tolerance=0)
    assert knowing(without, kind=CALL).act(view).kind == "f"


def test_whoever_folds_is_raised():
    """With the worst hand too, before the flop and after it; not by the comparison alone."""
    for view in (view_of("", "3h2d"), view_of("cc/c", "3h2d", "AcKdTs")):
        assert knowing(kind=FOLD).act(view).kind == "r"
        assert knowing(kind=CALL).act(view).kind != "r"
        assert knowing(VariantSettings(values=False), kind=FOLD).act(view).kind != "r"


def test_every_decision_of_the_opponent_is_counted_once():
    """Through `act` and `end_hand`, folds as well; counters of both positions."""
    bot = Statistical(strengths=SEEN)
    play_learning_match(HUNL, 1, 30, [bot, AlwaysFold()])
    counters = bot.counters
    assert counters.hands == 30
    assert counters.showdowns < 30
    assert counters.counts[:, :, FOLD].sum() > 5
    assert counters.counts[:, :, RAISE].sum() == 0
    button_folds = counters.counts[1, cell_of(0, 0), FOLD]
    assert button_folds == 15  # each time it is the small blind


def test_shown_hands_are_learnt():
    """One who always calls shows every hand that we do not fold; each is scored in every way."""
    settings = VariantSettings(bin_samples=0, confidence=0, predictor="ann")
    bot = ModellerVariant(settings, strengths=SEEN)
    play_learning_match(HUNL, 1, 25, [bot, AlwaysCall()])
    assert bot.phase == 2
    assert bot.counters.scored == bot.counters.showdowns > 10
    assert bot.counters.shown.sum() == bot.counters.shown[:, CALL].sum() > 25
    assert (bot.counters.scores < 0).all()


def test_opponents_are_remembered(tmp_path):
    """From match to match, by name; another name is somebody else.  What is not in the file yet is
    written at the next match, or when the bot goes."""
    path = tmp_path / "met"
    for hands in (20, 40):
        bob = Statistical(memory=path, opponent="Bob", strengths=SEEN)
        play_learning_match(HUNL, 1, 20, [bob, AlwaysCall()])
        bob.start_match(HUNL, 2)
        assert load_opponents(path)["Bob, no-limit"].hands == hands
    ann = Statistical(memory=path, opponent="Ann", strengths=SEEN)
    play_learning_match(HUNL, 1, 5, [ann, AlwaysCall()])
    del ann
    assert {name: held.hands for name, held in load_opponents(path).items()} == {
        "Bob, no-limit": 40,
        "Ann, no-limit": 5,
    }
    path.write_bytes(b"no")
    with pytest.raises(MemoryDamaged, match="met"):
        Statistical(memory=path).start_match(HUNL, 1)


def test_the_type_is_remembered(tmp_path):
    """It is told before the first hand of the next match; in games of another kind it is not."""
    path = tmp_path / "met"
    bot = Statistical(memory=path, strengths=SEEN)
    play_learning_match(HUNL, 1, 12, [bot, AlwaysCall()])
    told = bot.notes()
    del bot
    later = Statistical(memory=path, strengths=SEEN)
    later.start_match(HUNL, 1)
    assert later.notes() == {**told, "phase": 1}
    assert told["type_hands"] > 5
    later.start_match(LIMIT, 1)
    assert later.notes() == {"phase": 1}


def test_a_file_that_cannot_be_written_ends_no_match(tmp_path, capsys):
    """It is told once, and in the notes as long as it lasts; what cannot work from the start is
    refused there."""
    folder = tmp_path / "folder"
    with pytest.raises(MemoryUnusable, match="no folder"):
        Statistical(memory=folder / "met").start_match(HUNL, 1)
    folder.mkdir()
    bot = Statistical(memory=folder / "met", strengths=SEEN)
    bot.start_match(HUNL, 1)
    (folder / ".met.lock").unlink()
    folder.rmdir()
    bot.end_hand(view_of_end("r200f"))
    with pytest.raises(MemoryUnusable, match="no folder"):
        bot.start_match(HUNL, 2)
    assert capsys.readouterr().err.count("\n") == 1
    assert bot.notes()["memory_error"] == "No such file or directory"
    folder.mkdir()
    bot.start_match(HUNL, 2)
    assert "memory_error" not in bot.notes()
    assert load_opponents(folder / "met")["anybody, no-limit"].hands == 1


def test_a_connection_that_begins_in_the_middle_of_a_hand():
    """The betting so far is caught up with; a hand without an end is given up for the next."""
    bot = Statistical()
    bot.start_match(HUNL, 1)
    bot.act(view_of("r250c/c", "AhAd", "Ac7h2s"))
    assert bot.counters.counts.sum() == 2
    bot.act(view_of("", "KhKd"))
    bot.act(view_of("r250", "KhKd"))
    assert bot.counters.counts.sum() == 3


def test_settings_out_of_range_are_refused():
    """At once, by name."""
    for name, value in (
        ("tolerance", -0.1),
        ("tolerance", 2),
        ("confidence", 1),
        ("predictor", "guess"),
        ("preflop", "points"),
    ):
        with pytest.raises(ValueError, match=name[:5]):
            Statistical(Settings(**{name: value}))


@pytest.mark.parametrize("measure", MEASURES)
def test_hands_before_the_flop_are_measured(measure):
    """What the bot goes by is the percentile of the measure that was set."""
    bot = Statistical(Settings(preflop=measure), strengths=SEEN)
    bot.start_match(HUNL, 1)
    bot.act(view_of("", "KhKd"))
    share = preflop_percentiles(measure)[parse_combo("KhKd")]
    assert bot.counters.own_bins.nonzero()[0].tolist() == [bin_of(share)]
    assert SEEN.preflop == MEASURES[0]


def test_hands_are_scored_by_what_was_known_before_them():
    """None of their own actions counts, those seen while the hand was played neither."""
    bot = Statistical(strengths=SEEN)
    bot.start_match(HUNL, 1)
    over = view_of_end("cr400c/cr900c/cc/cc")
    for betting in ("cr400", "cr400c/", "cr400c/cr900", "cr400c/cr900c/"):
        view = replay_betting(HUNL, betting)
        if view.actor == 0:
            board = over.board[: HUNL.board_seen(view.street)]
            bot.act(PlayerView(view, 0, 0, (over.shown[0], ()), board))
    assert bot.counters.counts.sum() > 0
    bot.end_hand(over)
    stranger = OpponentCounters()
    choice = InterpretationChoice(load_shipped("curves"))
    actions = [one for one in actions_of(over.state, over.board) if one.actor == 1]
    choice.learn(stranger, over, actions, OpponentCounters(), SEEN)
    np.testing.assert_array_equal(bot.counters.scores, stranger.scores)
    np.testing.assert_array_less(stranger.scores, 0)


def test_nothing_is_learnt_from_hands_that_should_not_be_shown():
    """A dealer that reveals what was folded; at a showdown the same cards count."""
    bot = Statistical(strengths=SEEN)
    bot.start_match(HUNL, 1)
    bot.end_hand(view_of_end("cr400f"))
    assert bot.counters.shown.sum() == bot.counters.showdowns == bot.counters.scored == 0
    bot.end_hand(view_of_end("cr400c/cc/cc/cc"))
    assert bot.counters.showdowns == bot.counters.scored == 1


def test_the_interpretation_that_predicted_best_is_played_by():
    """Curves for whoever shows hands as real players do; ramps as long as nothing was shown."""
    view = view_of("r250c/cc/cc/r500", "AdQc", "3h4cJhKs9c")
    jacks, bluff, middling = map(parse_combo, ("JsJc", "5s6s", "4d5d"))
    for predicted, by_curves in (([-5.0] * 5, False), ([-9.0] * 4 + [-5.0], True)):
        bot = knowing()
        bot.counters.add_scores(predicted)
        assert best_key(bot.counters).by_curves == by_curves
        bot.act(view)
        weights = bot.opponent_range.weights
        assert weights[jacks] > weights[middling]
        assert (weights[bluff] > weights[middling]) == by_curves


WON_MORE_FROM = {
    "always-call": AlwaysCall,
    "always-fold": AlwaysFold,
    **{name: partial(PoolBot, name) for name in ("O1", "O2", "O5", "O6", "O7", "O8")},
}


@pytest.mark.slow
@pytest.mark.parametrize("game", [HUNL, LIMIT], ids=["no-limit", "limit"])
@pytest.mark.parametrize("name", WON_MORE_FROM)
def test_modelling_wins_more_than_the_tables(game, name):
    """The same deals in duplicate; the interval of the difference is above zero."""
    opponent = WON_MORE_FROM[name]
    deals = 2000 if name == "O8" else 600  # what is won from O8 swings most
    won = [
        play_tables(
            game,
            7,
            deals,
            rotations(
                [
                    lambda on=on: Statistical(Settings(modelling=on), strengths=SEEN),
                    opponent,
                ]
            ),
        ).mean(axis=1)[:, 0]
        for on in (True, False)
    ]
    gain = win_rate(won[0] - won[1], max(game.blinds), hands_per_sample=2)
    assert gain.mbb_per_hand > gain.ci95

"""The modeller against several opponents."""

from itertools import product

import pytest

from agents.baselines.always_call import AlwaysCall
from agents.statistical.bot import Settings, Statistical
from agents.statistical.building import build
from agents.statistical.counting.situations import CALL, FOLD, RAISE
from agents.statistical.deciding.action_values import Showdowns
from agents.statistical.deciding.table import Stay, raise_value
from agents.statistical.variants import ModellerVariant, VariantSettings
from engine.equity.strength import StrengthReader
from engine.play.learners import play_learning_match
from engine.rules.view import PlayerView, replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

THREE = load_builtin("nolimit3")
SIX = load_builtin("nolimit6")
SEEN = StrengthReader()
HOLES = ("AcAd", "KcKd", "7h2s")


def seen_by(position, betting, hand_id=0):
    """What a position sees of a hand of three, with all boards dealt from the same cards."""
    state = replay_betting(THREE, betting)
    board = parse_cards("2c7d9hJsQd")[: THREE.board_seen(state.street)]
    shown = [
        place == position or (state.showdown and not folded)
        for place, folded in enumerate(state.folded)
    ]
    holes = [
        parse_cards(hole) if visible else () for hole, visible in zip(HOLES, shown, strict=True)
    ]
    return PlayerView(state, hand_id, position, tuple(holes), board)


def started(settings=None):
    """A bot at a table of three."""
    bot = Statistical(settings, strengths=SEEN)
    bot.start_match(THREE, 1)
    return bot


def test_each_opponent_has_counters_of_its_own():
    """By its distance from the own position, which moves from hand to hand."""
    bot = started()
    for hand_id, betting in enumerate(("", "c", "cr300")):
        position = replay_betting(THREE, betting).actor
        view = seen_by(position, betting, hand_id)
        bot.act(view)
        bot.end_hand(view)
    first, second = (bot._table.opponents[away].counters.counts for away in (1, 2))
    assert first.sum(axis=(0, 1)).tolist() == [0, 1, 0]
    assert second.sum(axis=(0, 1)).tolist() == [0, 1, 1]


def test_weights_follow_each_opponent_left():
    """Who raised is stronger than who called, on the flop that all three see."""
    betting = "cr300cc/c"
    history = replay_betting(THREE, betting).history
    raiser, caller = history[1].state.actor, history[2].state.actor
    (viewer,) = {0, 1, 2} - {raiser, caller}
    bot, view = started(), seen_by(viewer, betting)
    left = bot._table.follow(view)
    strengths = SEEN.read(view.board)
    raised, called = (
        bot._table.opponents[(position - viewer) % 3].weights.mean_strength(strengths)
        for position in (raiser, caller)
    )
    assert len(left) == 2
    assert raised > called


def test_shown_hands_are_learned_of_each():
    """At the end of a hand of three that were called down."""
    bot = started()
    bot.end_hand(seen_by(0, "ccc/ccc/ccc/ccc"))
    assert [opponent.counters.showdowns for opponent in bot._table.opponents.values()] == [1, 1]
    assert all(opponent.counters.hands == 1 for opponent in bot._table.opponents.values())


def test_a_raise_wins_what_its_outcomes_win():
    """Worked out over all ways in which two opponents fold, lose or win."""
    answers, pot, cost = [Stay(0.3, 0.6, 200), Stay(0.5, 0.4, 150)], 500, 250
    expected = 0.0
    for outcomes in product(("folds", "loses", "wins"), repeat=2):
        chance, won, beaten = 1.0, pot, False
        for outcome, answer in zip(outcomes, answers, strict=True):
            stays = 1 - answer.folds
            chance *= {
                "folds": answer.folds,
                "loses": stays * answer.equity,
                "wins": stays * (1 - answer.equity),
            }[outcome]
            won += answer.adds if outcome == "loses" else 0
            beaten |= outcome == "wins"
        expected += chance * (-cost if beaten else won)
    assert raise_value(answers, pot, cost) == pytest.approx(expected)


def test_a_call_wins_the_pot_as_often_as_it_beats_all():
    """Less its chips; a raise has a value as well, and a fold none."""
    bot = started()
    view = seen_by(replay_betting(THREE, "cr300").actor, "cr300")
    bot._table.follow(view)
    values = {value.kind: value.chips for value in bot._table.values(view, Showdowns(view), 0.4)}
    assert values.keys() == {FOLD, CALL, RAISE}
    assert values[CALL] == pytest.approx(0.4 * (view.pot + view.to_call) - view.to_call)
    assert values[FOLD] == 0


@pytest.mark.parametrize(("game", "others"), [(THREE, 2), (SIX, 5)])
def test_it_plays_to_the_end_in_both_phases(game, others):
    """Legal actions only; phase 2 comes once all bins are filled."""
    bot = Statistical(Settings(confidence=0.0), strengths=SEEN)
    play_learning_match(game, 2, 25 if others == 2 else 8, [bot, *(AlwaysCall(),) * others])
    assert bot.phase in (1, 2)
    counters = [opponent.counters for opponent in bot._table.opponents.values()]
    assert len(counters) == others
    assert all(one.showdowns > 3 for one in counters)
    assert not any(one.counts[..., RAISE].any() for one in counters)


def test_what_is_for_two_is_refused(tmp_path):
    """A file of opponents, and the patent's options; in a line."""
    bot = Statistical(memory=tmp_path / "met.opponents", strengths=SEEN)
    with pytest.raises(ValueError, match="file of opponents is for games of two"):
        bot.start_match(THREE, 1)
    variant = ModellerVariant(VariantSettings(candidates=True), strengths=SEEN)
    with pytest.raises(ValueError, match="are for games of two"):
        variant.start_match(THREE, 1)
    build(weights="curves").start_match(THREE, 1)


def test_the_same_seed_plays_the_same():
    """Hand by hand."""
    won = [
        play_learning_match(THREE, 4, 10, [Statistical(strengths=SEEN), AlwaysCall(), AlwaysCall()])
        for _ in range(2)
    ]
    assert (won[0] == won[1]).all()

"""What is changed against a type of player, and how the type is learnt at the table."""

import json

import numpy as np
import pytest

from agents.baselines.always_call import AlwaysCall
from agents.log import open_agent_log
from agents.session import Session
from agents.statistical.bot import Settings, Statistical
from agents.statistical.building import build
from agents.statistical.counting.play_summary import PlaySummary
from agents.statistical.counting.situations import CALL, FOLD, RAISE, actions_of
from agents.statistical.deciding import counter_policies
from agents.statistical.deciding.action_values import Value
from agents.statistical.deciding.counter_policies import (
    COUNTER_POLICIES,
    HANDS,
    CounterPolicy,
    TypeWatch,
    countered,
)
from agents.statistical.learning.log_decisions import collect_decisions
from agents.statistical.learning.type_clustering import windows_of
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.predicting.player_types import TYPES
from agents.training.logs import hand_of_line
from engine.equity.strength import StrengthReader
from engine.hands.cards import combo_of, parse_combo
from engine.play.learners import play_learning_match
from engine.rules.view import replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.views import view_of

HUNL = load_builtin("hunl")
STRENGTHS = StrengthReader()
POLICY = CounterPolicy(call=0.1, bluff=0.2, value=0.4, caution=0.5)


def spot(betting):
    """The view of whoever acts after `betting`, with aces."""
    seen = HUNL.board_seen(replay_betting(HUNL, betting).street)
    return view_of(betting, "AcAd", "2c7d9hJsQd"[: 2 * seen])


def changes(betting, ahead, policy):
    """What is added, in pots, to a fold, a call and raises of half a pot and two pots."""
    view = spot(betting)
    actions = ((FOLD, 0.0), (CALL, 0.0), (RAISE, 0.5), (RAISE, 2.0))
    values = [Value(kind, fraction, 10.0) for kind, fraction in actions]
    found = countered(values, view, ahead, policy)
    assert [(one.kind, one.fraction) for one in found] == list(actions)
    return [(one.chips - 10) / view.pot for one in found]


@pytest.mark.parametrize(
    ("betting", "ahead", "policy", "expected"),
    [
        ("cr300c/r600", True, POLICY, [0, 0.1, 0.2 - 0.5, 0.4 - 0.5]),
        ("cr300c/r600", False, POLICY, [0, 0.1, 0.2 - 0.5, 0.2 - 0.5]),
        ("cr300c/", True, POLICY, [0, 0, 0.2, 0.4]),
        ("", False, POLICY, [0, 0.1, 0.2, 0.2]),
        ("cr300c/r600", True, COUNTER_POLICIES["regular"], [0, 0, 0, 0]),
    ],
)
def test_changes_are_shares_of_the_pot(betting, ahead, policy, expected):
    """A bet is called more, hands ahead are raised more the larger, others as bluffs.

    A check is no call, and nobody has raised on that street; a blind is no raise.
    """
    assert changes(betting, ahead, policy) == pytest.approx(expected)


def test_every_type_is_countered_as_the_sources_say():
    """Call more against aggressive players and bluffers, bluff more against conservative ones."""
    assert tuple(COUNTER_POLICIES) == TYPES
    assert COUNTER_POLICIES["regular"] == CounterPolicy()
    for name in ("aggressive", "bluffer"):
        assert COUNTER_POLICIES[name].call >= 0
    assert COUNTER_POLICIES["conservative"].bluff >= 0
    trapper = COUNTER_POLICIES["trapper"]
    assert trapper.bluff <= 0 <= trapper.value
    assert trapper.caution >= 0


def called_down():
    """A hand in which the other player only called, and showed kings."""
    state = replay_betting(HUNL, "cc/cc/cc/cc")
    actions = [one for one in actions_of(state, parse_cards("2c7d9hJsQd")) if one.actor == 1]
    return actions, parse_combo("KcKd"), STRENGTHS


def test_the_table_and_the_log_tell_the_same_numbers():
    """A watch sees in its opponent's hands what the reader of logs sees."""
    watch = TypeWatch(load_shipped("types"), PlaySummary(HUNL.no_limit))
    lines = random_log(HUNL, 7, 40, np.random.default_rng(3))
    records = [one for one in map(parse_log_line, lines) if isinstance(one, HandRecord)]
    name = records[0].names[0]
    hands = []
    for record in records:
        hand = hand_of_line(HUNL, record)
        hands.append(hand)
        watched = record.names.index(name)
        done = actions_of(hand.state, hand.cards.board)
        actions = [action for action in done if action.actor == watched]
        combo = combo_of(*hand.cards.holes[watched]) if hand.state.showdown else None
        watch.add_hand(actions, combo, STRENGTHS)
    assert watch.assignment.hands > 30
    decisions = collect_decisions(hands)
    windows = windows_of(decisions, watch.assignment.hands)
    (point,) = windows.points[windows.players == decisions.names.index(name)]
    assert watch._summary.numbers() == pytest.approx(point, abs=1e-5)


def test_a_policy_waits_for_enough_hands(monkeypatch):
    """A caller, regular here, has a policy after HANDS hands; for whoever goes on, at once."""
    monkeypatch.setattr(counter_policies, "CONFIDENCE", 0.0)
    types, summary = load_shipped("types"), PlaySummary(HUNL.no_limit)
    watch = TypeWatch(types, summary)
    watch.add_hand([], None, STRENGTHS)  # the button folds at once
    assert (watch.policy, watch.assignment, watch.notes()) == (None, None, {})
    for hands in range(1, HANDS + 1):
        assert watch.policy is None
        watch.add_hand(*called_down())
        assert watch.notes()["type_hands"] == hands
    assert watch.policy == COUNTER_POLICIES["regular"]
    assert watch.notes()["opponent_type"] == "regular"
    later = TypeWatch(types, PlaySummary.of_plain(summary.plain(), HUNL.no_limit))
    assert (later.assignment, later.policy) == (watch.assignment, watch.policy)
    monkeypatch.setattr(counter_policies, "CONFIDENCE", 1.1)
    assert watch.policy is None


def test_the_bot_tells_the_type_and_can_do_without():
    """`notes` go to the log; with `types` 0 nobody is watched."""
    bot = Statistical(strengths=STRENGTHS)
    play_learning_match(HUNL, 1, 12, [bot, AlwaysCall()])
    notes = bot.notes()
    assert notes["phase"] in (1, 2)
    assert notes["opponent_type"] in TYPES
    assert 0 < notes["type_confidence"] <= 1
    assert notes["type_hands"] > 5
    for settings in (Settings(types=False), Settings(modelling=False)):
        bot = Statistical(settings, strengths=STRENGTHS)
        play_learning_match(HUNL, 1, 3, [bot, AlwaysCall()])
        assert bot.notes() == {"phase": 1}
    assert build(types=0.0).settings == Settings(types=False)
    with pytest.raises(ValueError, match="types 2"):
        build(types=2)


def test_notes_stand_in_the_log_of_the_session(tmp_path):
    """Beside state and action, of each reply and each hand."""
    bot = Statistical(strengths=STRENGTHS)
    bot.start_match(HUNL, 1)
    path = tmp_path / "bot.log"
    with open_agent_log(path, pytest.fail) as log:
        session = Session(bot, HUNL, log)
        session.connected()
        session.receive(b"MATCHSTATE:1:0::|AcAd\r\n")
        session.receive(b"MATCHSTATE:1:0:cr300f:|AcAd\r\nMATCHSTATE:0:1:f:KcKd|\r\n")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert {line["event"] for line in lines} == {"replied", "hand_over"}
    assert all(line["phase"] in (1, 2) for line in lines)
    assert any(line.get("opponent_type") in TYPES for line in lines)

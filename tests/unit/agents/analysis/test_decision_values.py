"""What a mistake cost, against the values of actions."""

import json

import pytest

from agents.analysis.decision_values import hand_values_told
from agents.analysis.hand_strategies import decisions, hand_strategies
from agents.analysis.strategy_program import StrategyAnswers
from agents.blueprint_model import action_values
from agents.blueprint_model.action_values import ActionValuer
from agents.blueprint_model.policy import blueprint_of
from agents.errors import GameNotPlayed
from agents.roster.strategies import read_strategy, seat
from agents.training.logs import hand_of_line
from engine.hands.cards import combo_of
from protocol.gamedef import format_gamedef
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line

HUNL = load_builtin("hunl")
LINE = "STATE:3:r200c/cr400c/cr1100c/cr2000f:AhKd|QsQd/9c8c2d/3h/4h:0|0:a|b"


@pytest.fixture(scope="module")
def blueprint():
    """The shipped one."""
    _, (player,) = seat((read_strategy("blueprint"),), HUNL)
    return player.policy


@pytest.fixture(autouse=True)
def fewer(monkeypatch):
    """What is drawn takes less time."""
    monkeypatch.setattr(action_values, "_DRAWN_BOARDS", 6)


def hand(line):
    """The hand of a line."""
    return hand_of_line(HUNL, parse_log_line(line), over=False)


def test_a_mistake_costs_what_the_best_action_is_worth_more(blueprint):
    """In the order of the strategy's actions; exact from the turn on."""
    told = hand_values_told(blueprint, hand(LINE))
    strategies = hand_strategies(blueprint, hand(LINE))
    valuer = ActionValuer(blueprint)
    for found, strategy, one in zip(
        told, strategies, decisions(blueprint, hand(LINE)), strict=True
    ):
        assert found["action"] == strategy["action"]
        values = valuer.values(one.state, one.board, one.hole, one.theirs)
        by_text = {a.text: v for a, v in zip(values.actions, values.chips, strict=True)}
        wanted = [by_text.get(text) for text in strategy["actions"]]
        assert found["values"] == pytest.approx(wanted, abs=0.006)
        best = max(by_text.values())
        assert by_text[found["best"]] == best
        done = by_text[strategy["as"]]
        assert found["cost"] == pytest.approx(best - done, abs=0.006)
        sampled = len(one.board) < 4
        assert (found["errors"] is not None) == sampled
        assert (found["cost_error"] > 0) == (sampled and best != done)
        held = one.strategy.probabilities[combo_of(*one.hole)]
        costs = [0.0 if value is None else best - value for value in wanted]
        valued = [chance * (value is not None) for chance, value in zip(held, wanted, strict=True)]
        own = sum(chance * cost for chance, cost in zip(valued, costs, strict=True)) / sum(valued)
        assert found["own_cost"] == pytest.approx(own, abs=0.006)
    json.dumps(told)


def test_cards_that_are_seen_of_the_other_do_not_count(blueprint):
    """Nor what was done later; a hand whose cards are not seen has no values."""
    hidden = LINE.replace("AhKd|", "|").replace("3h/4h", "3h/5s")
    told = hand_values_told(blueprint, hand(LINE))
    own = [one["action"] for one in hand_strategies(blueprint, hand(LINE)) if one["position"] == 1]
    assert (
        hand_values_told(blueprint, hand(hidden))[:-1]
        == [one for one in told if one["action"] in own][:-1]
    )
    assert hand_values_told(blueprint, hand("STATE:0:r200c/cc/cc/cc:|/9c8c2d/3h/4h:0|0:a|b")) == []


def test_libratus_is_valued_by_its_blueprint_and_a_script_says_that_it_cannot(blueprint):
    """In one line, by the program too."""
    _, (libratus, script) = seat((read_strategy("libratus"), read_strategy("script:C")), HUNL)
    assert blueprint_of(libratus.policy) is libratus.policy.blueprint
    assert blueprint_of(blueprint) is blueprint
    with pytest.raises(GameNotPlayed, match="only blueprint and libratus"):
        hand_values_told(script.policy, hand(LINE))
    answer = StrategyAnswers(format_gamedef(HUNL), "script:C").answer(f"values {LINE}")
    assert answer == {"error": "only blueprint and libratus say what actions are worth"}
    line = "STATE:3:f:|QsQd:0|0:a|b"
    [told] = StrategyAnswers(format_gamedef(HUNL), "blueprint").answer(f"values {line}")[
        "decisions"
    ]
    assert (told["action"], told["values"][0]) == (0, 0.0)
    assert told["cost"] > 100

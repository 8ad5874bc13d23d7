"""What is told of a hand, against the strategy itself, combo by combo."""

import json
import sys
from io import BytesIO, TextIOWrapper

import numpy as np
import pytest

from agents.analysis.hand_strategies import hand_strategies
from agents.analysis.strategy_program import StrategyAnswers, main
from agents.training.logs import hand_of_line
from engine.betting.policy import Strategy
from engine.hands.cards import COMBO_CARDS, COMBOS, combo_of
from engine.hands.starting_hands import STARTING_HAND_NAMES
from engine.rules.state import HandState
from protocol.actions import CALL, FOLD
from protocol.betting import parse_betting
from protocol.cards import CARD_TEXT
from protocol.gamedef import format_gamedef
from protocol.gamedefs import builtin_path, load_builtin
from protocol.handlog import parse_log_line
from protocol.matchstate import parse_card_text
from tests.helpers.random_policy import RandomPolicy

HUNL = load_builtin("hunl")
TEXT = format_gamedef(HUNL)
LINE = "STATE:3:r250c/cr700c/r900c/c:AhKd|QsQd/9c8c2d/3h/4h:0|0:a|b"
MENU = "STATE:3:r200c/r400:|/9c8c2d:0|0:a|b"


def told(policy, line):
    """What is told of a line."""
    return hand_strategies(policy, hand_of_line(HUNL, parse_log_line(line), over=False))


def name_of(combo):
    """The starting hand of a combo, from the texts of its cards."""
    one, other = sorted(COMBO_CARDS[combo].tolist(), reverse=True)
    (high, suit), (low, suit_of_low) = CARD_TEXT[one], CARD_TEXT[other]
    return high + low + ("" if high == low else "s" if suit == suit_of_low else "o")


def counted(actions, taken, state):
    """The action that one counts as: the nearest raise by the threshold of sizes."""
    if taken in actions:
        return taken
    raises = [action for action in actions if action.raise_to]
    pot = state.pot + state.to_call
    below = [one for one in raises if one.raise_to < taken.raise_to]
    above = [one for one in raises if one.raise_to > taken.raise_to]
    if not (below and above):
        return (below or above)[-1 if below else 0]
    small, size, large = (
        (one.raise_to - state.to_match) / pot for one in (below[-1], taken, above[0])
    )
    middle = (small + large + 2 * small * large) / (small + large + 2)
    return below[-1] if size <= middle else above[0]


@pytest.mark.parametrize("line", [LINE, MENU])
def test_ranges_are_what_a_loop_over_all_combos_says(line):
    """Weights, shares and cards of each decision; raises of other sizes count as the nearest."""
    policy = RandomPolicy(5)
    record = parse_log_line(line)
    cards = parse_card_text(record.cards, HUNL)
    played = [*(action for street in parse_betting(record.betting) for action in street), None]
    state, reach = HandState.start(HUNL), np.ones((2, COMBOS))
    decisions = told(policy, line)
    assert len(decisions) == len(played)
    for number, (found, taken) in enumerate(zip(decisions, played, strict=True)):
        board = cards.board[: HUNL.board_seen(state.street)]
        actions, rows = policy.strategy(state, board)
        assert (found["action"], found["position"]) == (number, state.actor)
        assert found["taken"] == (taken.text if taken else None)
        order = [actions.index(one) for one in sorted(actions, key=lambda one: one.raise_to)]
        assert found["actions"] == [actions[at].text for at in order]
        sums, left = dict.fromkeys(STARTING_HAND_NAMES, 0.0), {}
        shares = {name: np.zeros(len(actions)) for name in STARTING_HAND_NAMES}
        for combo in range(COMBOS):
            if not set(COMBO_CARDS[combo].tolist()) & set(board):
                name, weight = name_of(combo), reach[state.actor, combo]
                left[name] = left.get(name, 0) + 1
                sums[name] += weight
                shares[name] += weight * rows[combo, order]
        means = {name: sums[name] / left.get(name, 1) for name in sums}
        most = max(means.values())
        for at, name in enumerate(STARTING_HAND_NAMES):
            assert found["range"][at] == pytest.approx(means[name] / most, abs=6e-5)
            share = shares[name] / sums[name] if sums[name] else shares[name]
            assert found["shares"][at] == pytest.approx(share, abs=6e-5)
        every = sum(shares.values()) / sum(sums.values())
        assert found["all"] == pytest.approx(every, abs=6e-5)
        hole = cards.holes[state.actor]
        held = rows[combo_of(*hole), order] if hole else None
        assert found["held"] == (pytest.approx(held, abs=6e-5) if hole else None)
        if taken:
            as_if = counted(actions, taken, state)
            assert found["as"] == as_if.text
            reach[state.actor] *= rows[:, actions.index(as_if)]
            state = state.apply(taken)


class OneHand:
    """Calls with one combo and folds all others."""

    def __init__(self, combo):
        self.combo = combo

    def strategy(self, state, _):
        """Return the same at each decision, folds even where it could check."""
        rows = np.zeros((COMBOS, 2), np.float32)
        rows[:, 1] = 1
        rows[self.combo] = (1, 0)
        return Strategy((CALL, FOLD), rows)


def test_what_is_never_done_leaves_a_range_and_a_dead_range_is_all_hands():
    """A raise that it has no like of; a board that has a card of the only hand."""
    first, _, second, *_ = told(OneHand(combo_of(51, 47)), "STATE:0:r300c/c:|/9c8c2d:0|0:a|b")
    assert (first["taken"], first["as"]) == ("r300", None)
    assert [one for one in second["range"] if one] == [1.0]
    assert second["range"][STARTING_HAND_NAMES.index("AKs")] == 1.0
    dead = told(OneHand(combo_of(51, 47)), "STATE:0:cc/c:|/As8c2d:0|0:a|b")[2]
    assert min(dead["range"]) == 1.0
    assert dict(zip(dead["actions"], dead["all"], strict=True)) == {"f": 1, "c": 0}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("STATE", "not a line of a match log"),
        ("# name/game/hands/seed m hunl 10 7", "STATE line"),
        ("STATE:0:c:AhKd:0|0:a|b", "positions"),
        ("STATE:0:r1:|:0|0:a|b", "a raise must be"),
        ("STATE:0:cc:|:0|0:a|b", "board cards are missing"),
        ("STATE:0:c:AhKd|AhQd:0|0:a|b", "twice"),
        ("STATE:0:200|200:50|100:c:|:0|0:a|b", "stacks and blinds"),
        ("STATE:0:fc:|:0|0:a|b", "over"),
        ("STATE:0:c:|:0|0|0:a|b|c", "positions"),
        ("STATE:0:c:||:0|0|0:a|b|c", "positions"),
    ],
)
def test_a_line_that_is_no_such_hand_is_an_error_in_words(line, words):
    """The next one is answered as ever."""
    answers = StrategyAnswers(TEXT, "always-call")
    assert words in answers.answer(line)["error"]
    assert len(answers.answer(MENU)["decisions"]) == 4


@pytest.mark.parametrize(
    ("game", "bot", "words"),
    [
        (TEXT, "ashe", "tells no strategy"),
        (TEXT, "script:x", "x"),
        (TEXT, "blueprint --model missing", "missing"),
        (builtin_path("kuhn").read_text(), "always-call", "hold'em"),
        ("x", "always-call", "invalid number of rounds"),
    ],
)
def test_a_strategy_that_cannot_be_opened_is_an_error_in_words(game, bot, words):
    """With each line."""
    assert words in StrategyAnswers(game, bot).answer(MENU)["error"]


def test_a_strategy_by_the_clock_is_told_as_one():
    """With each answer; by a number of iterations it repeats."""
    fold = "STATE:3:f:|:0|0:a|b"
    note = StrategyAnswers(TEXT, "libratus --seconds 0.5").answer(fold)["note"]
    assert "libratus decides by the clock" in note
    assert "note" not in StrategyAnswers(TEXT, "libratus --iterations 2").answer(fold)


def test_the_program_answers_line_by_line(monkeypatch, capsys):
    """Whatever the bytes of a line are."""
    lines = BytesIO(f"{MENU}\n".encode() + b"\xff\x00\n" + f"{LINE}\n".encode())
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(lines))
    monkeypatch.setattr(sys, "argv", ["", TEXT, "script:C"])
    assert main() == 0
    one, wrong, other = map(json.loads, capsys.readouterr().out.splitlines())
    assert (len(one["decisions"]), len(other["decisions"])) == (4, 9)
    assert list(wrong) == ["error"]

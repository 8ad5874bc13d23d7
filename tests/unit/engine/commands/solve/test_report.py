"""Decisions of a solution: found by their betting, and shown."""

import re

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import build_betting_tree, subgame_root
from engine.cfr.solver import solve
from engine.cfr.variants import VARIANTS
from engine.commands.solve import decisions
from engine.commands.solve.decisions import decision_at, expected_net_chips, find_route
from engine.commands.solve.report import action_name, decision_lines, node_json
from engine.commands.solve.request import ReportSection
from engine.hands.cards import COMBOS, combo_text, parse_combo
from engine.hands.range_text import parse_range
from engine.range_solver.solver import RangeSolver
from engine.range_solver.strategy import RangeStrategy
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

POT = 500


def solved(board, oop, ip, menu, iterations):
    """A solution of a small spot."""
    cards = parse_cards(board)
    root = subgame_root(load_builtin("hunl"), len(cards) - 2, POT, (700, 700))
    tree = build_betting_tree(root, menu)
    solver = RangeSolver(tree, cards, np.stack([parse_range(oop), parse_range(ip)]))
    solve(solver, VARIANTS["dcfr+"], iterations)
    return RangeStrategy.of(solver)


def way_to(strategy, look):
    """How one comes to a decision."""
    return find_route(strategy.tree, strategy.board, strategy.ranges, look)


def decision(strategy, node="", dealt="", hands=None, combos=False):
    """A decision and the look that finds it."""
    look = ReportSection(node, parse_cards(dealt), hands, combos)
    return decision_at(strategy, way_to(strategy, look)), look


def always(strategy, combos, action):
    """The same solution, but some combos of player 0 take one action at the root."""
    shares = [tuple(side.copy() for side in sides) for sides in strategy._shares]
    place = strategy.game.places[0]
    held = np.isin(strategy.game.boards[0].hands[0].combo[0], combos)
    shares[0][0][0, place.first : place.first + place.actions, held] = 0
    shares[0][0][0, place.first + action, held] = 65535
    return RangeStrategy(strategy.game, shares, strategy.values, strategy.exploitability)


@pytest.fixture(scope="module")
def bluffs():
    """The best hand or the worst one bets the pot into a hand that beats only the worst one."""
    menu = menu_of((1.0,), max_raises=1)
    return solved("KsKh7d7c2s", "AhAd,4h3h", "QcQd", menu, 3000)


@pytest.fixture(scope="module")
def turn():
    """A spot in which cards are still to come."""
    return solved("KsJs7d2c", "AA,KQs", "QQ,AhKh", menu_of((1.0, ALL_IN), max_raises=2), 100)


def test_shares_and_chips_are_those_of_the_known_equilibrium(bluffs):
    """Half as many bluffs as good bets; three quarters of the pot for the one who bets."""
    facts = node_json(*decision(bluffs))
    assert [action["word"] for action in facts["actions"]] == ["c", "r750"]
    assert [action["of_pot"] for action in facts["actions"]] == [None, 1.0]
    assert {name: hand["share"] for name, hand in facts["hands"].items()} == {"AA": 0.5, "43s": 0.5}
    assert facts["all"]["ev"] == pytest.approx(375, abs=2)
    assert facts["hands"]["AA"]["ev"] == pytest.approx(750, abs=4)
    assert facts["hands"]["43s"]["ev"] == pytest.approx(0, abs=4)
    assert facts["hands"]["AA"]["probabilities"][1] == pytest.approx(1, abs=0.01)
    assert facts["hands"]["43s"]["probabilities"][1] == pytest.approx(0.5, abs=0.02)
    assert expected_net_chips(bluffs) == pytest.approx((375, 125), abs=2)
    facing = node_json(*decision(bluffs, "r750"))
    assert facing["player"] == "in position"
    assert facing["hands"]["QQ"]["probabilities"] == pytest.approx([0.5, 0.5], abs=0.02)
    assert facing["hands"]["QQ"]["ev"] == pytest.approx(0, abs=30)  # it may as well fold


def test_hands_count_as_often_as_they_are_dealt_beside_another(turn):
    """Kings and queens are rarer than aces: they block more of the other player's hands."""
    ours, theirs = ([combo_text(combo) for combo in np.flatnonzero(side)] for side in turn.ranges)
    assert (len(ours), len(theirs)) == (9, 7)
    pairs = {
        held: sum(not {held[:2], held[2:]} & {other[:2], other[2:]} for other in theirs)
        for held in ours
    }
    found, _ = decision(turn)
    for held, count in pairs.items():
        weight = found.weights[parse_combo(held)]
        assert weight == pytest.approx(count / sum(pairs.values()))
    assert found.weights.sum() == pytest.approx(1)
    assert sum(expected_net_chips(turn)) == pytest.approx(POT, abs=1e-3)


def test_a_table_has_the_words_for_the_next_look(bluffs):
    """Names, per cents of the pot and words of the wire above the numbers."""
    lines = decision_lines(*decision(bluffs))
    assert re.match("KsKh7d7c2s: out of position .*500 ", lines[0])
    assert lines[1].split() == ["hand", "share", "EV", "check", "bet", "500"]
    assert lines[2].split() == ["%", "of", "pot", "100"]
    assert lines[3].split() == ["--node", "c", "r750"]
    assert lines[4].split()[:3] == ["all", "100.00", "%"]
    assert [line.split()[0] for line in lines[5:]] == ["AA", "43s"]
    assert len({len(line) for line in lines[4:]}) == 1
    facing = decision_lines(*decision(bluffs, "r750"))
    assert facing[0] == ("KsKh7d7c2s after r750: in position acts, 1000 in the pot, 500 to call")
    assert facing[1].split() == ["hand", "share", "EV", "fold", "call", "500"]


def test_a_table_and_its_json_agree(turn):
    """Up to the digits that are shown."""
    found, look = decision(turn, "c")
    facts = node_json(found, look)
    rows = {line.split()[0]: line for line in decision_lines(found, look)[4:]}
    assert set(rows) == {"all", *facts["hands"]}
    for name, hand in [("all", facts["all"]), *facts["hands"].items()]:
        numbers = [float(word) for word in rows[name].replace("%", "").split()[1:]]
        assert numbers[0] == pytest.approx(100 * hand["share"], abs=0.0051)
        assert numbers[1] == pytest.approx(hand["ev"], abs=0.051)
        assert numbers[2:] == pytest.approx([100 * p for p in hand["probabilities"]], abs=0.051)
    shares = [hand["share"] for hand in facts["hands"].values()]
    assert sum(shares) == pytest.approx(1)


def test_only_the_hands_asked_for_are_shown(turn):
    """The row for all stays that for all."""
    found, look = decision(turn, hands=parse_range("AA") > 0)
    assert [line.split()[0] for line in decision_lines(found, look)[4:]] == ["all", "AA"]


def test_hands_that_do_not_come_there_are_told(bluffs):
    """They are in the range, but never check, so that nobody can bet into them."""
    aces = parse_range("AA") > 0
    betting = always(bluffs, np.flatnonzero(aces), 1)
    found, look = decision(betting, "cr750", hands=aces)
    assert found.reached
    assert node_json(found, look)["hands"] == {}
    assert decision_lines(found, look)[-1] == "none of the --hands comes here"


def test_decisions_on_later_streets_are_found_by_the_cards_that_came(turn):
    """Both players' ranges have lost what they would not have played."""
    found, look = decision(turn, "cr750c", "2h")
    lines = decision_lines(found, look)
    assert re.match("KsJs7d2c2h after cr750c/: out of position .*1500 ", lines[0])
    assert found.weights.sum() == pytest.approx(1)
    assert found.weights[parse_combo("KhQh")] > 0
    gone, _ = decision(turn, "cr750c/", "Kh")
    assert gone.weights[parse_combo("KhQh")] == 0


def test_values_behind_the_root_average_to_those_at_the_root(turn):
    """What the second player wins at the root is its mean over what the first one does there."""
    root = node_json(*decision(turn))["all"]["probabilities"]
    tree = turn.tree
    answers = [node_json(*decision(turn, tree.action_text(a)))["all"] for a in tree.children(0)]
    mean = sum(share * one["ev"] for share, one in zip(root, answers, strict=True))
    assert mean == pytest.approx(expected_net_chips(turn)[1], abs=0.05)


def test_values_that_would_take_long_are_left_out(turn, monkeypatch):
    """As early on a flop; those of the root are part of the solution."""
    monkeypatch.setattr(decisions, "_MOST_BOARDS_BELOW", 1)
    assert decision(turn, "c")[0].expected is None
    assert "EV" not in decision_lines(*decision(turn, "c"))[1]
    assert decision(turn)[0].expected is not None


def test_where_nobody_comes_the_hands_are_those_of_the_root(bluffs):
    """And that is said."""
    passive = always(bluffs, np.arange(COMBOS), 0)
    found, look = decision(passive, "r750")
    assert not found.reached
    assert found.weights[parse_combo("QdQc")] == 1
    assert "never reached" in decision_lines(found, look)[1]
    assert node_json(found, look)["reached"] is False


def test_actions_have_names(turn):
    """Raises are told in chips of the street, not of the hand."""
    tree = turn.tree
    names = {
        tree.betting(node): action_name(tree, node)
        for node in range(1, tree.nodes)
        if tree.action_text(node)
    }
    assert names["c"] == "check"
    assert names["r750"] == "bet 500"
    assert names["r750f"] == "fold"
    assert names["r750c"] == "call 500"
    assert names["r950"] == names["r750r950"] == "all-in"
    assert names["r950c"] == "call 700"
    assert names["cc/r750"] == "bet 500"


def test_a_bet_that_takes_the_shorter_stack_is_all_in():
    """Whoever makes it."""
    root = subgame_root(load_builtin("hunl"), 3, POT, (700, 300))
    tree = build_betting_tree(root, menu_of((0.5, ALL_IN)))
    names = {tree.betting(node): action_name(tree, node) for node in range(1, tree.nodes)}
    assert names["r550"] == names["cr550"] == "all-in"
    assert names["r500"] == names["cr500"] == "bet 250"


@pytest.mark.parametrize(
    ("node", "dealt", "hands", "why"),
    [
        ("r501", "", None, "--node 'r501': after '' there is c, r750, r950"),
        ("♠", "", None, "--node '♠': after '' there is"),
        ("r750f", "", None, "--node 'r750f': the betting is over there"),
        ("r950c", "", None, "--node 'r950c': the betting is over there"),
        ("", "2h", None, "--dealt: the decision at the root comes 0 cards after --board, 1 card"),
        ("cc", "", None, "--dealt: the decision after 'cc' comes 1 card after --board, 0 cards"),
        ("cc/", "2h3h", None, "comes 1 card after --board, 2 cards named"),
        ("cc", "Ks", None, "--dealt Ks: the board has such a card already"),
        ("", "", "55", "--hands: none of them is held out of position there"),
        ("c", "", "AA", "--hands: none of them is held in position there"),
        ("cc", "Kh", "KhQh", "--hands: none of them is held out of position there"),
    ],
)
def test_decisions_that_are_not_there_are_refused(turn, node, dealt, hands, why):
    """Before anything is solved for them."""
    wanted = None if hands is None else parse_range(hands) > 0
    with pytest.raises(ValueError) as error:
        way_to(turn, ReportSection(node, parse_cards(dealt), wanted, combos=False))
    assert why in str(error.value)


def test_cards_that_leave_no_hands_are_refused():
    """The only hand holds them."""
    strategy = solved("KsJs7d2c", "AhAd", "QQ", menu_of((1.0,), max_raises=1), 2)
    with pytest.raises(ValueError, match="--dealt Ah: leaves no hand"):
        way_to(strategy, ReportSection("cc", parse_cards("Ah"), None, combos=False))

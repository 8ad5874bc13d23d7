"""Trees of games that game files express."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import InvalidGame
from engine.small_games import poker_tree as module
from engine.small_games.best_response import expected_value, exploitability
from engine.small_games.game_tree import TERMINAL
from engine.small_games.kuhn import kuhn
from engine.small_games.leduc import leduc
from engine.small_games.many_player_form import many_player_form
from engine.small_games.many_player_values import expected_values, gains, mean_gain
from engine.small_games.poker_tree import check_size, poker_tree
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tabular import TabularSolver
from engine.small_games.tree_values import reaches
from protocol.cards import parse_cards
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import builtin_aliases, load_builtin

SMALL = ("kuhn", "kuhn3", "leduc", "fixed-queen")
TWO_HOLE_CARDS = """
nolimit
numPlayers = 2
numRounds = 2
stack = 4 5
blind = 1 2
firstPlayer = 2 1
numSuits = 2
numRanks = 3
numHoleCards = 2
numBoardCards = 0 1
"""
ODD_STACKS = """
nolimit
numPlayers = 3
numRounds = 2
stack = 2 4 3
blind = 1 2 0
firstPlayer = 3 1
numSuits = 1
numRanks = 5
numHoleCards = 1
numBoardCards = 0 1
"""


@pytest.mark.parametrize(("name", "by_hand"), [("kuhn", kuhn()), ("leduc", leduc())])
def test_games_are_those_that_were_written_by_hand(name, by_hand):
    """The same value and exploitability, of the uniform profile and of fifty iterations."""
    tree = poker_tree(load_builtin(name))
    solvers = [TabularSolver(tree), TabularSolver(by_hand)]
    uniform = [solver.exploitability(StrategyKind.AVERAGE) for solver in solvers]
    assert uniform[0] == pytest.approx(uniform[1], abs=1e-12)
    for solver in solvers:
        solve(solver, VARIANTS["dcfr"], 50)
    values = [expected_value(solver.form, solver.average()) for solver in solvers]
    assert values[0] == pytest.approx(values[1], abs=1e-9)
    found = [solver.exploitability(StrategyKind.AVERAGE) for solver in solvers]
    assert found[0] == pytest.approx(found[1], abs=1e-9)


@pytest.mark.parametrize(
    ("name", "info_sets"), [("kuhn", 12), ("kuhn3", 48), ("leduc", 288), ("fixed-queen", 6)]
)
def test_trees_have_the_known_number_of_information_sets(name, info_sets):
    """48 for Kuhn poker for three: four cards, twelve points of the betting."""
    assert poker_tree(load_builtin(name)).info_sets == info_sets


def three_player_kuhn(bets):
    """A profile of Kuhn poker for three: how often to bet or call; aces call, others fold."""
    tree = poker_tree(load_builtin("kuhn3"))
    profile = tree.uniform()
    for number, name in enumerate(tree.info_set_names):
        betting, card = name.split(":")
        often = bets.get(name, float("r" in betting and card == "A"))
        profile[tree.actions_of(number)] = (1 - often, often)
    return many_player_form(tree), profile


@pytest.mark.parametrize("aces", [Fraction(0), Fraction(1, 2)])
def test_an_equilibrium_of_kuhn_poker_for_three_gains_nothing(aces):
    """Of the family of Szafron, Gibson and Sturtevant, by how often the second player bets aces.

    Its bluffs and the calls of the last king follow; the third player gets what the others lose.
    """
    form, profile = three_player_kuhn(
        {
            "c:A": aces,
            "c:J": aces / 4,
            "c:Q": aces / 4,
            "cc:A": 1,
            "cc:J": Fraction(1, 2),
            "r:K": Fraction(3, 8),
            "rf:K": Fraction(1, 8),
            "crf:K": Fraction(1, 2),
            "ccrf:K": Fraction(1, 2) + aces * 3 / 8,
        }
    )
    np.testing.assert_allclose(gains(form, profile), 0, atol=1e-12)
    first = -(1 + aces / 2) / 48
    expected = [first, Fraction(-1, 48), -first + Fraction(1, 48)]
    np.testing.assert_allclose(expected_values(form, profile), [float(v) for v in expected])


def test_the_patents_game_has_its_path_probability():
    """A jack half of the time, the queen's pass at 0.3, the jack's bet at 0.2."""
    tree = poker_tree(load_builtin("fixed-queen"))
    profile = tree.uniform()
    profile[tree.actions_of(tree.info_set_of(":Q"))] = (0.3, 0.7)
    profile[tree.actions_of(tree.info_set_of("c:J"))] = (0.8, 0.2)
    node = tree.histories.index((parse_cards("Qs"), parse_cards("Js"), "c", "r"))
    assert reaches(tree, profile)[:, node].prod() == pytest.approx(0.03)
    owners = {
        name.split(":")[1]: int(owner)
        for name, owner in zip(tree.info_set_names, tree.owner, strict=True)
    }
    assert owners == {"Q": 0, "J": 1, "K": 1}


@pytest.mark.parametrize("text", [TWO_HOLE_CARDS, ODD_STACKS])
def test_cards_told_by_rank_change_nothing(text, monkeypatch):
    """Neither values nor what best responses gain; with one suit it is the same tree."""
    game = parse_gamedef(text)
    by_rank = poker_tree(game)
    monkeypatch.setattr(module, "told_by_rank", lambda game: False)
    by_card = poker_tree(game)
    forms = [many_player_form(tree) for tree in (by_rank, by_card)]
    values = [expected_values(form, form.tree.uniform()) for form in forms]
    np.testing.assert_allclose(*values)
    assert by_card.info_sets >= by_rank.info_sets
    found = [mean_gain(form, form.tree.uniform()) for form in forms]
    assert found[0] == pytest.approx(found[1])


@pytest.mark.parametrize(
    "game",
    [*map(load_builtin, SMALL), parse_gamedef(TWO_HOLE_CARDS), parse_gamedef(ODD_STACKS)],
    ids=[*SMALL, "two hole cards", "odd stacks"],
)
def test_no_chips_come_from_nowhere_and_no_tree_is_larger_than_counted(game):
    """Payoffs sum to zero; a bound of as many nodes as counted lets the game through."""
    tree = poker_tree(game)
    np.testing.assert_allclose(tree.payoffs[tree.player == TERMINAL].sum(axis=1), 0, atol=1e-9)
    assert module._count_nodes(game, 10**6) >= tree.nodes
    with pytest.raises(InvalidGame, match=r"more than .* nodes"):
        check_size(game, tree.nodes - 1)


@pytest.mark.parametrize(
    "game",
    [
        *(load_builtin(a) for a in builtin_aliases() if load_builtin(a).is_holdem),
        replace(load_builtin("leduc"), no_limit=True, stacks=(10**9, 10**9)),
    ],
)
def test_large_games_are_refused(game):
    """Before anything is written out."""
    with pytest.raises(InvalidGame, match="too large to be written out"):
        poker_tree(game)


def test_two_players_of_a_game_file_share_one_pot():
    """So that the sequence form takes them."""
    form = sequence_form(poker_tree(parse_gamedef(TWO_HOLE_CARDS)))
    assert exploitability(form, form.tree.uniform()) > 0

"""Re-solving through a hand, for an owner who knows little: that any hand may be held."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from engine.cfr.variants import VARIANTS
from engine.hands.cards import COMBOS
from engine.hands.ranges import floored
from engine.rules.state import HandState
from engine.search.session import (
    ANY_HAND_SHARE,
    LEAST_ITERATIONS,
    Beginning,
    Pace,
    ReSolvingSession,
    SessionSettings,
)
from engine.search.subgame_search import Budget, SafetyKind, SearchRoot, SearchSettings, search
from protocol.actions import CALL, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

BOARD = parse_cards("KsJs7d2c3h")
GAME = load_builtin("hunl")
BET = raise_to(789)


class AnyHand:
    """An owner for whom both players hold anything; searches go to the hand's end."""

    def __init__(self):
        self.asked = []

    def beginning(self, state, board, opponent):
        """Remember who was asked for."""
        self.asked.append((state, tuple(board), opponent))
        return Beginning(np.ones((2, COMBOS)))

    def ending(self, state):
        """None."""
        return None


def session_of(safety="resolve", owner=None):
    """A session of two iterations."""
    settings = SearchSettings(VARIANTS["lcfr"], SafetyKind(safety), most_nodes=80)
    settings = SessionSettings(settings, Budget(iterations=2), first_street=2, floor=0.02)
    return ReSolvingSession(owner or AnyHand(), settings)


def seen(state):
    """The board of a state's street."""
    return BOARD[: state.game.board_seen(state.street)]


@pytest.fixture(scope="module")
def turn():
    """A turn that was checked to."""
    state = HandState.start(GAME)
    for _ in range(4):
        state = state.apply(CALL)
    assert state.street == 2
    return state


def test_later_decisions_begin_after_the_opponents_exact_action(turn):
    """The first where the street began, with ranges; the next ones with values instead."""
    owner = AnyHand()
    session = session_of(owner=owner)
    facing = turn.apply(CALL).apply(BET)
    arrival = session.solution(turn, seen(turn))
    assert arrival.origin.state == turn
    assert arrival.origin.alternatives is None
    nested = session.solution(facing, seen(facing))
    assert nested.origin.state == facing
    assert nested.origin.searcher == turn.actor
    share = arrival.strategy(turn, seen(turn))
    checked = share.probabilities[:, share.actions.index(CALL)]
    np.testing.assert_allclose(
        nested.origin.ranges[turn.actor], arrival.origin.ranges[turn.actor] * checked
    )
    assert nested.origin.alternatives.any()
    river = facing.apply(CALL)
    later = session.solution(river, seen(river))
    assert later.origin.state == river
    assert later.origin.board == BOARD
    assert owner.asked == [(turn, seen(turn), 1 - turn.actor)]


def test_gifts_raise_alternatives(turn):
    """By what the opponent gave away where the turn was checked through; others stay."""
    settings = session_of().settings
    river = turn.apply(CALL).apply(CALL)
    plain, raised = (
        ReSolvingSession(AnyHand(), replace(settings, gifts=gifts)) for gifts in (False, True)
    )
    more = raised.solution(river, BOARD).origin.alternatives
    less = plain.solution(river, BOARD).origin.alternatives
    gifts = raised.solution(turn, seen(turn)).gifts(river, BOARD)
    assert gifts.max() > 0
    np.testing.assert_allclose(more, less + gifts)


def test_a_river_has_values_of_its_own_bets(turn, monkeypatch):
    """By a search from before the opponent's action; later decisions have those of the solution."""
    session = session_of()
    arrival = session.solution(turn, seen(turn))
    river = turn.apply(CALL).apply(CALL)
    first = session.solution(river, BOARD)
    ranges, coarse = arrival.onward(river, BOARD)
    ranges[1 - river.actor] = floored(ranges[1 - river.actor], BOARD, ANY_HAND_SHARE)
    settings = replace(session.settings.search, most_nodes=800)
    fine = search(
        SearchRoot(river, BOARD, river.actor, ranges), river, settings, session.settings.budget
    )
    values = fine.onward(river, BOARD).values
    np.testing.assert_array_equal(first.origin.alternatives, values)
    assert not np.allclose(values, coarse)
    raised = river.apply(CALL).apply(BET)
    later = session.solution(raised, BOARD)
    np.testing.assert_array_equal(
        later.origin.alternatives, first.onward(river.apply(CALL), BOARD).values
    )
    session.forget()
    session.solution(turn, seen(turn))
    monkeypatch.setattr(session, "_fine_solution", lambda *_: None)
    np.testing.assert_array_equal(session.solution(river, BOARD).origin.alternatives, coarse)


def test_values_of_too_few_iterations_are_not_taken(turn, monkeypatch):
    """Those of the solution before are better; in limit hold'em it has all bets anyway."""
    session = session_of()
    arrival = session.solution(turn, seen(turn))
    river = turn.apply(CALL).apply(CALL)
    hasty = search(arrival.origin, turn, session.settings.search, Budget(1))
    monkeypatch.setattr("engine.search.session.search", lambda *_, **__: hasty)
    origin = SearchRoot(river, BOARD, river.actor, np.ones((2, COMBOS)))
    settings = session.settings.search
    assert session._fine_solution(origin, river, settings, Budget(1)) is hasty
    assert session._fine_solution(origin, river, settings, Budget(seconds=9.0)) is None
    monkeypatch.undo()
    state = HandState.start(load_builtin("hulhe"))
    while state.street < 3:
        last, state = state, state.apply(CALL)
        if last.street == 2 and last.actor == 0:
            arrival = session.solution(last, seen(last))
    coarse = arrival.onward(state, BOARD).values
    np.testing.assert_array_equal(session.solution(state, BOARD).origin.alternatives, coarse)


def test_an_unsafe_search_begins_before_the_opponents_action(turn):
    """With its range there, and its exact bet in the tree."""
    session = session_of("unsafe")
    facing = turn.apply(CALL).apply(BET)
    origin = session.solution(facing, seen(facing)).origin
    assert origin.state == turn.apply(CALL)
    assert origin.alternatives is None


def test_what_it_never_did_is_searched_from_the_streets_beginning(turn):
    """A log may hold bets of its own that its trees do not have."""
    odd = turn.apply(raise_to(431)).apply(raise_to(1500))
    origin = session_of().solution(odd, seen(odd)).origin
    assert origin.state == turn
    assert origin.alternatives is None


def test_a_solution_is_kept_until_it_is_forgotten(turn):
    """The same question has the same answer, without another search."""
    session = session_of()
    first = session.solution(turn, seen(turn))
    assert session.solution(turn, seen(turn)) is first
    session.forget()
    again = session.solution(turn, seen(turn))
    assert again is not first
    np.testing.assert_array_equal(
        again.strategy(turn, seen(turn)).probabilities,
        first.strategy(turn, seen(turn)).probabilities,
    )


def test_solutions_beyond_the_memory_are_forgotten(turn, monkeypatch):
    """The oldest first; the answers are the same."""
    session = session_of()
    first = session.solution(turn, seen(turn)).strategy(turn, seen(turn))
    monkeypatch.setattr("engine.search.session.MOST_SOLUTION_BYTES", 0)
    later = turn.apply(CALL)
    session.solution(later, seen(later))
    assert len(session._solutions) == 1
    again = session.solution(turn, seen(turn)).strategy(turn, seen(turn))
    np.testing.assert_array_equal(again.probabilities, first.probabilities)


def test_iterations_do_not_depend_on_the_clock(turn):
    """Neither the tree nor whether there is a search, whatever searches took before."""
    strategies = []
    for overhead in (0.0, 100.0):
        session = session_of()
        session._paces = {street: Pace(overhead, 1.0) for street in (2, 3)}
        solution = session.solution(turn, seen(turn), Budget(2, seconds=50.0))
        assert solution.iterations == 2
        strategies.append(solution.strategy(turn, seen(turn)).probabilities)
    np.testing.assert_array_equal(*strategies)


@pytest.mark.parametrize("trouble", ["time", "memory"])
def test_without_a_search_it_says_what_lacked(turn, monkeypatch, trouble):
    """Where there is no time for an iteration, and where memory runs out."""
    session = session_of()
    if trouble == "memory":

        def out_of_memory(*arguments, **options):
            raise MemoryError

        monkeypatch.setattr("engine.search.session.search", out_of_memory)
    budget = Budget(seconds=0.0 if trouble == "time" else math.inf)
    assert session.solution(turn, seen(turn), budget) is None
    assert session.lack(turn, seen(turn)) == trouble


def test_what_was_forgotten_is_solved_again_within_the_same_time(turn, monkeypatch):
    """As by a bot that was started again in the middle of a hand: all of it takes one budget."""
    session = session_of()
    later = turn.apply(CALL).apply(CALL).apply(CALL)
    later = later.apply(raise_to(later.raise_range()[0]))
    now, limits = [0.0], []

    def searched(origin, state, settings, budget, factors, **options):
        limits.append(budget.seconds)
        now[0] += budget.seconds
        return search(origin, state, settings, Budget(iterations=LEAST_ITERATIONS), factors)

    monkeypatch.setattr("engine.search.session.monotonic", lambda: now[0])
    monkeypatch.setattr("engine.search.session.search", searched)
    assert session.solution(later, seen(later), Budget(seconds=8.0)) is not None
    assert len(limits) > 1
    assert sum(limits) == pytest.approx(8.0)


PACE = Pace(0.5, 0.001)


def solution(iterations, nodes, seconds, set_up):
    """A solution of so many nodes."""
    tree = SimpleNamespace(nodes=nodes)
    solver = SimpleNamespace(game=SimpleNamespace(tree=tree))
    return SimpleNamespace(iterations=iterations, seconds=seconds, set_up=set_up, solver=solver)


def test_trees_fit_the_time_that_is_left():
    """After the overhead; none where there is no time."""
    assert PACE.most_nodes(2.5, 20) == pytest.approx(100)
    assert PACE.most_nodes(0.4, 20) < 0
    assert PACE.most_nodes(float("inf"), 20) == float("inf")


def test_the_slower_figure_counts():
    """Of what was and of what a search says."""
    slower = PACE.after(solution(10, 100, 2.5, 1.0), 2.2)
    assert slower == pytest.approx((0.7, 0.0015))
    assert PACE.after(solution(10, 100, 0.2, 0.1), 0.3) == PACE


def test_a_pause_of_the_machine_is_no_pace():
    """Twice as slow is the most that a search tells."""
    assert PACE.after(solution(10, 100, 60.0, 1.0), 90.0) == pytest.approx((1.0, 0.002))


def test_slowness_is_forgotten():
    """So that one hiccup does not end all searching."""
    pace = Pace(100.0, 10.0)
    for _ in range(60):
        pace = pace.eased()
    assert pace.most_nodes(2.0, 15) > 100

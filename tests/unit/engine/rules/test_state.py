"""The betting of one hand."""

import pickle  # noqa: TID251 - a state sent to worker processes must survive it

import pytest

from engine.errors import IllegalAction
from engine.rules.state import HandState
from engine.rules.view import replay_betting
from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
LIMIT = load_builtin("hulhe")


def after(game, *actions):
    state = HandState.start(game)
    for action in actions:
        state = state.apply(action)
    return state


def three_players(stacks="700 1500 4000", blinds="50 100 0"):
    return parse_gamedef(
        f"nolimit\nnumPlayers=3\nnumRounds=4\nstack={stacks}\nblind={blinds}\nfirstPlayer=3 1 1 1\n"
        "numSuits=4\nnumRanks=13\nnumHoleCards=2\nnumBoardCards=0 3 1 1\n"
    )


def test_reverse_blinds_heads_up():
    """The small blind, position 1, opens; position 0 opens the later streets."""
    state = HandState.start(HUNL)
    assert (state.actor, state.to_call, state.pot, state.raise_range()) == (
        1,
        50,
        150,
        (200, 20000),
    )
    assert after(HUNL, CALL, CALL).actor == 0


def test_folding_needs_something_to_call():
    """Nobody folds for nothing."""
    state = after(HUNL, CALL)
    assert not state.can_fold
    with pytest.raises(IllegalAction, match="nothing to call"):
        state.apply(FOLD)


def test_illegal_raises_are_refused_with_the_range():
    """The message tells what would have been legal."""
    with pytest.raises(IllegalAction, match=r"200\.\.20000"):
        HandState.start(HUNL).apply(raise_to(199))
    with pytest.raises(IllegalAction, match="no raise is possible"):
        after(HUNL, raise_to(20000)).apply(raise_to(20000))
    with pytest.raises(IllegalAction, match="over"):
        after(HUNL, FOLD).apply(CALL)


def test_the_sixty_fourth_action_of_a_street_is_no_raise():
    """The street is cut off before it gets too long."""
    state = HandState.start(HUNL)
    for step in range(63):
        assert state.can_raise
        state = state.apply(raise_to(200 + 100 * step))
    assert state.street_is_full
    assert state.raise_range() is None


def test_all_in_by_blinds_goes_straight_to_the_showdown():
    """Mend 4: nobody can act, so nobody is asked."""
    game = three_players("50 100 80", "50 100 80")
    state = HandState.start(game)
    assert (state.over, state.showdown, state.betting, state.street) == (True, True, "///", 3)


def test_a_limit_raise_never_lowers_the_bet():
    """Mend 5: who cannot exceed the bet cannot raise, only call all-in."""
    game = parse_gamedef(
        "limit\nnumPlayers=3\nnumRounds=4\nstack=200 25 200\nblind=5 10 0\nraiseSize=10 10 20 20\n"
        "firstPlayer=3 1 1 1\nmaxRaises=3 4 4 4\nnumSuits=4\nnumRanks=13\nnumHoleCards=2\n"
        "numBoardCards=0 3 1 1\n"
    )
    state = after(game, RAISE, RAISE)
    assert (state.to_match, state.actor) == (30, 1)
    assert not state.can_raise
    assert state.apply(CALL).spent == (30, 25, 20)


def test_states_are_values():
    """Equal histories give equal, hashable states; applying leaves the old one alone."""
    start = HandState.start(HUNL)
    assert start.apply(CALL) == start.apply(CALL)
    assert hash(start.apply(CALL)) == hash(start.apply(CALL))
    assert start.betting == ""


def test_a_state_remembers_how_it_came_about():
    """Its history is every action with the state before; `steps` adds the state after."""
    actions = (CALL, raise_to(300), CALL, CALL)
    state = after(HUNL, *actions)
    assert tuple(action for _, action in state.history) == actions
    assert [before.betting for before, _ in state.history] == ["", "c", "cr300", "cr300c/"]
    for before, action, reached in state.steps():
        assert before.apply(action) == reached
    assert list(state.steps())[-1][2] is state
    assert list(state.steps(since=3)) == list(state.steps())[3:]
    assert list(state.steps(since=4)) == []


def test_the_history_takes_no_part_in_comparing_states():
    """Equal facts make equal states with equal hashes, and the text shows no earlier state."""
    state = after(HUNL, CALL, CALL)
    bare = state._replace(history=())
    assert state == bare
    assert (state != bare) is False
    assert hash(state) == hash(bare)
    assert state != after(HUNL, CALL)
    assert state != tuple(state)
    assert repr(state) == repr(bare)
    assert repr(state).count("HandState") == 1


@pytest.mark.parametrize("since", [0, 3])
def test_a_state_survives_a_trip_to_another_process_with_its_history(since):
    """Wherever its history begins; it is sent as its actions, not as every state on the way."""
    actions = [CALL, raise_to(300), CALL, *[CALL] * 5]
    first = after(HUNL, *actions[:since])._replace(history=())
    state = first
    for action in actions[since:]:
        state = state.apply(action)
    sent = pickle.dumps(state)
    assert len(sent) < len(pickle.dumps(first)) + 100
    back = pickle.loads(sent)
    assert back == state
    assert back.history == state.history
    assert list(back.steps()) == list(state.steps())


def test_facts_of_earlier_actions():
    """Limp, raise, call; check, bet, raise: worked out once, for all later states of the hand."""
    state = replay_betting(HUNL, "cr300c/cr600r1800")
    facts = [past.facts for past in state.history]
    assert [(one.street, one.actor) for one in facts] == [
        (0, 1), (0, 0), (0, 1), (1, 0), (1, 1), (1, 0),
    ]  # fmt: skip
    assert [one.pot for one in facts] == [150, 200, 400, 600, 600, 900]
    assert [one.to_call for one in facts] == [50, 0, 200, 0, 0, 300]
    assert [one.low for one in facts] == [200, 200, 500, 400, 400, 900]
    assert {one.high for one in facts} == {20_000}
    assert facts[-1].chips_left == (19_700, 19_400)
    assert [one.raises_before for one in facts] == [0, 0, 0, 1, 1, 1]
    assert [one.raiser_before for one in facts] == [-1, -1, -1, 0, 0, 0]
    assert [past.raise_to for past in state.history] == [0, 300, 0, 0, 600, 1800]
    assert state.apply(CALL).history[2].facts is facts[2]


def test_limit_raises_have_totals():
    """Though their text has none, and no raise is legal after the last."""
    history = replay_betting(LIMIT, "rrrc/").history
    assert [past.raise_to for past in history] == [20, 30, 40, 0]
    assert [(past.facts.low, past.facts.high) for past in history][-1] == (0, 0)

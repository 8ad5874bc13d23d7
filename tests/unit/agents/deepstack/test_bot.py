"""The deepstack bot at a table and as a policy: each decision solved anew, and always an answer."""

from dataclasses import replace
from math import inf
from time import sleep

import numpy as np
import pytest

from agents.deepstack.bot import DeepStack
from agents.deepstack.options import networks_of
from agents.deepstack.policy import (
    DeepStackPolicy,
    by_odds,
    is_played,
    policy_for,
    why_not_played,
)
from agents.errors import AgentError, GameNotPlayed
from agents.seat.faults import BotErrorContext
from engine.abstraction.board_buckets import BoardBuckets
from engine.betting.policy import check_strategy
from engine.errors import ArtifactMismatch, OutOfMemory
from engine.hands.cards import combo_of, parse_combo
from engine.play.budget import TimeBudget
from engine.play.simulate import play_hands
from engine.rules.dealing import Deal
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from engine.search import network_leaves
from engine.search.network_leaves import NETWORK_OF_STREET
from engine.search.subgame_search import Budget, NotSearched
from protocol.actions import CALL, FOLD, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

GAME = load_builtin("hunl")
START = HandState.start(GAME)
FLOP = tuple(parse_cards("Kh8s3d"))


@pytest.fixture(scope="module")
def policy():
    """Few iterations a decision."""
    return policy_for(GAME, iterations=8)


def played(*actions):
    """The state after some actions."""
    state = START
    for action in actions:
        state = state.apply(action)
    return state


def view_of(state, hand_id=0, hole="AsQd"):
    """What the actor sees with some hand."""
    holes = [tuple(parse_cards("9s9c"))] * 2
    holes[state.actor] = tuple(parse_cards(hole))
    deal = Deal(tuple(holes), (*FLOP, *parse_cards("2c7h")))
    return PlayerView.of(state, deal, state.actor, hand_id)


def test_the_same_seed_and_iterations_play_the_same():
    """Hand by hand."""
    won = []
    for _ in range(2):
        bots = [DeepStack(iterations=5), DeepStack(iterations=5)]
        for bot in bots:
            bot.start_match(GAME, 7)
        won.append(play_hands(GAME, 3, 4, [bot.act for bot in bots]).tolist())
    assert won[0] == won[1]


@pytest.mark.parametrize(
    ("actions", "board"),
    [
        ((), ()),
        ((raise_to(317),), ()),
        ((CALL, raise_to(201), raise_to(19_999)), ()),
        ((CALL, CALL), FLOP),
        ((raise_to(250), CALL, CALL, raise_to(777)), FLOP),
        ((raise_to(250), CALL, CALL, CALL, CALL, raise_to(350)), (*FLOP, 0)),
        ((raise_to(250), CALL) + (CALL, CALL) * 2 + (raise_to(20_000),), (*FLOP, 0, 1)),
    ],
)
def test_all_hands_are_told_everywhere(policy, actions, board):
    """Legal actions and probabilities, whatever was bet before."""
    state = played(*actions)
    strategy = policy.strategy(state, board)
    check_strategy(strategy, state, board)
    assert len(strategy.actions) > 1


def test_an_odd_raise_before_the_flop_is_answered_by_its_chips(policy):
    """What the hand asks for is in the tree: more calls where less is asked, not as if rounded."""
    folded = []
    for total in (210, 307, 1013):
        strategy = policy.strategy(played(raise_to(total)), ())
        folded.append(strategy.probabilities[:, strategy.actions.index(FOLD)].mean())
        assert any(action.kind == "r" for action in strategy.actions)
    assert folded[0] < folded[1] < folded[2]


def test_strong_hands_are_not_folded(policy):
    """Before the flop and on it."""
    for actions, board in (((raise_to(400),), ()), ((CALL, CALL, raise_to(250)), FLOP)):
        strategy = policy.strategy(played(*actions), board)
        fold = strategy.probabilities[:, strategy.actions.index(FOLD)]
        assert fold[parse_combo("KsKc")] < 0.02
        assert fold[parse_combo("7h2c")] > 0.2


def test_suits_are_played_alike_before_the_flop(policy):
    """Ranges there are of starting hands."""
    strategy = policy.strategy(played(raise_to(300)), ())
    first, second = (strategy.probabilities[parse_combo(hand)] for hand in ("As4s", "Ah4h"))
    np.testing.assert_allclose(first, second, atol=1e-3)


def test_without_time_it_answers_by_the_odds():
    """At once, and says so; it has an answer with time again."""
    bot = DeepStack(seconds=0.2)
    bot.start_match(GAME, 1)
    assert bot.notes() == {}
    view = view_of(played(raise_to(300), CALL, raise_to(600)))
    assert bot.act(view, TimeBudget(0.0)).kind in "fc"
    assert bot.notes() == {"decided_by": "odds", "because": "no time"}
    bot.act(view, TimeBudget(20.0))
    assert bot.notes()["decided_by"] == "search"


def test_a_flop_is_made_ready_once_before_the_time_is_parted(monkeypatch):
    """By few boards where there is little time; and not at all where a search would be in vain."""
    policy = policy_for(GAME, seconds=2.0)
    made, left = [], []
    slow = network_leaves.BoardBuckets.of

    def counted(board, **which):
        made.append(board)
        sleep(0.05)
        return slow(board, **which)

    def starved(*_):
        left.append(_[-1].seconds)
        raise NotSearched("no time")

    monkeypatch.setattr(network_leaves.BoardBuckets, "of", counted)
    monkeypatch.setattr(network_leaves, "allin_matrix", None)
    monkeypatch.setattr(policy.resolving, "solution", starved)
    answer = policy.answer(played(CALL, CALL, raise_to(300)), FLOP, Budget(seconds=0.3))
    assert answer.why == "no time"
    assert made == [FLOP]
    assert left[0] < 0.25
    monkeypatch.setattr(network_leaves, "BoardBuckets", None)
    facing = played(CALL, CALL, raise_to(300))
    answer = policy.answer(facing, parse_cards("2c7h9d"), Budget(seconds=0.02))
    assert answer.why == "no time"
    assert len(left) == 1


def test_boards_are_answered_by_the_odds_without_buckets(monkeypatch):
    """They take too long where there is no time."""
    policy = policy_for(GAME, seconds=0.1)
    monkeypatch.setattr(BoardBuckets, "of", None)
    state = played(CALL, CALL, CALL, CALL, CALL, CALL, raise_to(300))
    board = (*FLOP, *parse_cards("2c7h"))
    answer = policy.answer(state, board, Budget(seconds=0))
    calls = answer.strategy.probabilities[:, 1]
    assert calls[parse_combo("KsKc")] == 1
    assert calls[parse_combo("5s4c")] == 0


@pytest.mark.parametrize("error", [MemoryError, OutOfMemory])
@pytest.mark.parametrize("where", ["_make_ready", "resolving.solution"])
def test_without_memory_it_answers_by_the_odds(monkeypatch, policy, error, where):
    """And says so, whether the board is made ready or the decision searched."""

    def starved(*_):
        raise error("nothing is left")

    *above, name = where.split(".")
    monkeypatch.setattr(policy.resolving if above else policy, name, starved)
    answer = policy.answer(played(raise_to(300)), ())
    assert answer.notes("odds") == {"decided_by": "odds", "because": "no memory"}
    assert set(answer.strategy.actions) == {FOLD, CALL}


def test_a_start_without_memory_says_what_is_needed(monkeypatch):
    """In a line, as a file's fault is told."""

    def failing(*_):
        raise MemoryError

    monkeypatch.setattr("engine.search.continual.ContinualResolving.solution", failing)
    bot = DeepStack(iterations=8)
    with (
        pytest.raises(AgentError, match=r"^deepstack needs \d+ MB of memory"),
        BotErrorContext(bot, "start_match"),
    ):
        bot.start_match(GAME, 3)


def test_the_own_range_is_by_what_was_played(policy):
    """Traces of the first iteration, which are not played, are not in it either."""
    actions, shares = policy.strategy(START, ())
    raised = next(action for action in actions if action.kind == "r")
    taken = shares[:, actions.index(raised)]
    assert (taken == 0).any()
    later = ((raise_to(2000), ()), (CALL, FLOP))
    for answer, board in later:
        state = START.apply(raised).apply(answer)
        state = state if state.actor == START.actor else state.apply(CALL)
        solution = policy.answer(state, board).solution
        np.testing.assert_allclose(solution.origin.ranges[START.actor], taken)


def test_the_odds_are_what_a_call_must_win():
    """Against any hand: a small bet is called by nearly all, one of many pots by the strongest."""
    small, large = (by_odds(played(CALL, CALL, raise_to(total)), FLOP) for total in (200, 20_000))
    calls = [strategy.probabilities[:, 1].mean() for strategy in (small, large)]
    assert calls[0] > calls[1] > 0.1
    assert large.probabilities[parse_combo("KsKc"), 1] == 1
    checked = by_odds(played(CALL, CALL), FLOP)
    assert checked.actions == (CALL,)


@pytest.mark.parametrize(
    ("budget", "allowed"),
    [
        (TimeBudget(), 2.0),
        (TimeBudget(seconds=1.0), 0.5),
        (TimeBudget(seconds=7.0, hand=4.0), 1.0),
        (TimeBudget(seconds=0.0), 0.0),
    ],
)
def test_the_dealers_clock_counts_for_more_than_its_own(monkeypatch, budget, allowed):
    """Half of the time of an answer, a quarter of what is left of the hand's."""
    monkeypatch.setattr(DeepStackPolicy, "rehearse", lambda policy: None)
    bot, asked = DeepStack(), []
    bot.start_match(GAME, 7)
    answer = bot._policy.answer
    bot._policy.answer = lambda state, board, limit: (
        asked.append(limit),
        answer(state, board, Budget(1)),
    )[1]
    bot.act(view_of(START), budget)
    assert asked[0].seconds == pytest.approx(allowed)
    assert asked[0].iterations == inf


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (load_builtin("hulhe"), "no-limit"),
        (load_builtin("leduc"), "no-limit"),
        (load_builtin("nolimit3"), "for two"),
        (replace(GAME, stacks=(500, 500)), "5"),
        (replace(GAME, stacks=(40_000, 40_000)), "400"),
        (replace(GAME, first_positions=(1, 1, 1, 1)), "first position"),
    ],
)
def test_other_games_are_refused(game, said):
    """In a line."""
    assert said in why_not_played(game)
    assert not is_played(game)
    with pytest.raises(GameNotPlayed, match=said):
        policy_for(game)


@pytest.mark.parametrize("name", NETWORK_OF_STREET)
@pytest.mark.parametrize("content", [b"", b"not a network"])
def test_damaged_networks_are_named(tmp_path, name, content):
    """Before the match."""
    from engine.search.network_leaves import street_end_network

    for street, other in enumerate(NETWORK_OF_STREET):
        street_end_network(street).save(tmp_path / other)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ArtifactMismatch, match=name):
        DeepStack(networks=str(tmp_path))


def test_a_network_of_another_street_is_refused(tmp_path):
    """It is of other boards."""
    from engine.search.network_leaves import street_end_network

    for name in NETWORK_OF_STREET:
        street_end_network(2).save(tmp_path / name)
    with pytest.raises(ArtifactMismatch, match="boards of 4 cards"):
        DeepStack(networks=str(tmp_path))


def test_a_folder_may_have_some_networks(tmp_path):
    """The others are the shipped ones; a folder without any is refused."""
    from engine.search.network_leaves import street_end_network

    with pytest.raises(ValueError, match=r"turn-end\.network is there"):
        DeepStack(networks=str(tmp_path))
    street_end_network(1).save(tmp_path / NETWORK_OF_STREET[1])
    preflop, flop, turn = networks_of(str(tmp_path))
    assert (preflop, turn) == (street_end_network(0), street_end_network(2))
    assert flop is street_end_network(1, tmp_path)


def test_options_that_cannot_be_are_refused():
    """Before the match."""
    for options in ({"seconds": 0}, {"iterations": 0}, {"iterations": 1.5}):
        with pytest.raises(ValueError, match="want"):
            DeepStack(**options)
    with pytest.raises(RuntimeError, match="start_match"):
        DeepStack().act(view_of(START))


def test_a_drawn_action_is_one_of_the_hand(policy):
    """In the shares of its row."""
    bot = DeepStack(iterations=8)
    bot.start_match(GAME, 3)
    state = played(raise_to(300))
    shares = policy.strategy(state, ()).probabilities[combo_of(*parse_cards("7h2c"))]
    bot._policy.resolving.forget = lambda: None  # all hands are the same here
    drawn = [bot.act(view_of(state, hand, "7h2c")) for hand in range(60)]
    actions = policy.strategy(state, ()).actions
    often = np.array([drawn.count(action) / 60 for action in actions])
    np.testing.assert_allclose(often, shares, atol=0.25)

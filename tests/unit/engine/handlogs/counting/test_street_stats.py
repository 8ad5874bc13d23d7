"""Streets counted in compiled code, against the slow obvious way."""

import numpy as np
import pytest

from engine.handlogs.counting.street_stats import street_stats
from engine.handlogs.counting.tally import Tally
from engine.rules import fast_state as fast
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.random_logs import random_log
from tests.oracles.street_stats import count_streets

KINDS = {
    fast.TRACE_FOLD: "folds",
    fast.TRACE_CHECK: "checks",
    fast.TRACE_CALL: "calls",
    fast.TRACE_RAISE: "raises",
}
ENDS = ("folded", "uncontested", "shown_down")


def counted(game, lines):
    """A tally of hands with their actions, and their results."""
    tally = Tally(game, expectation=False, keep_actions=True)
    tally.begin_session()
    data = np.frombuffer("\n".join([*lines, ""]).encode(), np.uint8)
    assert tally.scan(data, 0) == (len(data), len(lines))
    return tally, tally.results()


def random_hands(game, hands=120):
    """Lines of random hands."""
    lines = random_log(game, 5, hands, np.random.default_rng(hands))
    return [line for line in lines if line.startswith("STATE")]


def stats_of(game, lines):
    """The rows of a log."""
    tally, results = counted(game, lines)
    return street_stats(results, tally.actions(), tally.players, game.streets, game.big_blind)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "limit3", "hunl", "nolimit6"])
def test_streets_are_those_of_the_oracle(name):
    """Every count, every end and what was won there."""
    game = load_builtin(name)
    lines = random_hands(game)
    expected, _ = count_streets(game, [parse_log_line(line) for line in lines])
    for row in stats_of(game, lines):
        wanted = expected[row.player, row.street]
        assert row.hands == len(lines)
        assert row.reached == wanted["reached"]
        for kind in KINDS.values():
            assert getattr(row, kind) == wanted[kind]
        for how in ENDS:
            end = getattr(row, how)
            assert end.hands == wanted[how]
            chips = end.won.mbb_per_hand * row.hands * game.big_blind / 1000
            assert chips == pytest.approx(wanted[f"{how} chips"], abs=1e-6)


def test_all_ends_add_up():
    """To every hand and to the win rate of the player; an end has the interval of its hands."""
    game = load_builtin("nolimit6")
    lines = random_hands(game)
    rows = stats_of(game, lines)
    tally, results = counted(game, lines)
    for player, name in enumerate(tally.players):
        own = [row for row in rows if row.player == name]
        ends = [getattr(row, how) for row in own for how in ENDS]
        assert sum(end.hands for end in ends) == len(lines)
        chips = results.chips[results.players == player]
        rate = 1000 * chips.mean() / game.big_blind
        assert sum(end.won.mbb_per_hand for end in ends) == pytest.approx(rate)
        assert sum(row.won.mbb_per_hand for row in own) == pytest.approx(rate)
    one = stats_of(load_builtin("hunl"), ["STATE:0:f:2c3c|4c5c:50|-50:Ann|Bob"])[0]
    assert (one.uncontested.hands, one.uncontested.won.mbb_per_hand) == (1, 500)
    assert one.uncontested.won.ci95 == np.inf


def test_a_run_out_ends_where_the_betting_closed():
    """The board that comes after an all-in is no street that was reached."""
    game = load_builtin("hunl")
    line = "STATE:0:r20000c///:2c3c|4c5c/6d7d8h/9s/Ts:0|0:Ann|Bob"
    rows = stats_of(game, [line])
    assert [row.reached for row in rows if row.player == "Ann"] == [1, 0, 0, 0]
    assert rows[0].shown_down.hands == 1


def test_actions_are_kept_however_many():
    """The codes of a hand are whole where the room for them is used up."""
    game = load_builtin("hunl")
    lines = random_hands(game, 60)
    _, taken = count_streets(game, [parse_log_line(line) for line in lines])
    tally, results = counted(game, lines * 400)
    actions = tally.actions()
    assert len(results) == len(actions.closed) == 24_000
    kinds = [KINDS[kind] for kind in actions.kind.tolist()]
    found = list(zip(actions.position.tolist(), kinds, actions.street.tolist(), strict=True))
    assert len(found) > 1 << 16
    assert found == [action for hand in taken for action in hand] * 400
    lengths = np.bincount(actions.hand, minlength=len(results))
    assert lengths.tolist() == list(map(len, taken)) * 400
    part = actions.part(60, 120)
    assert part.hand.tolist() == actions.hand[: len(part.hand)].tolist()
    assert part.closed.tolist() == actions.closed[:60].tolist()


def test_without_hands_there_are_no_rows():
    """As before the first hand of a match."""
    assert stats_of(load_builtin("hunl"), []) == []

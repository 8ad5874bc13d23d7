"""Compiled matches are those of the slow rules, whatever the policies do."""

import os
import signal
import threading

import numpy as np
import pytest

from engine.equity.equity_tables import equity_tables
from engine.errors import InvalidGame
from engine.parallel.halting import Halt
from engine.play.compiled_match import HANDS_AT_ONCE, play_matches
from engine.play.compiled_policy import CompiledPolicy, Family
from engine.rules.dealing_blocks import DealBlocks
from engine.rules.fast_state import CALL
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin
from tests.helpers.bulk_policies import WILD, plain, wild
from tests.oracles.bulk import play_slowly

HANDS = 10


def holdem(*lines):
    """Return a game of hold'em for two."""
    common = ("numPlayers = 2", "numRounds = 4", "firstPlayer = 2 1 1 1", "numSuits = 4")
    rest = ("numRanks = 13", "numHoleCards = 2", "numBoardCards = 0 3 1 1", "END GAMEDEF")
    return parse_gamedef("\n".join(("GAMEDEF", *lines, *common, *rest)))


GAMES = {
    "no-limit": load_builtin("hunl"),
    "limit": load_builtin("hulhe"),
    "short": holdem("nolimit", "stack = 700 700", "blind = 100 50"),
    "uneven": holdem("nolimit", "stack = 20000 650", "blind = 50 100"),
    "blinds are all": holdem("nolimit", "stack = 50 100", "blind = 50 100"),
    "short limit": holdem(
        "limit", "stack = 70 90", "blind = 10 5", "raiseSize = 10 10 20 20", "maxRaises = 3 4 4 4"
    ),
}


@pytest.fixture(scope="module")
def tables():
    """The tables, from the cache folder after the first time."""
    return equity_tables()


@pytest.mark.parametrize("name", GAMES)
def test_matches_are_those_of_the_slow_rules(tables, name):
    """Chips, betting, and all that either player was told are those of the oracle."""
    game, pair = GAMES[name], (wild(size=0.8, seed=3), wild(0.02, 0.7, 0.4, 2**64 - 1))
    (found,) = play_matches(game, [pair], HANDS, 5, duplicate=True, record=True, tables=tables)
    for seating in range(2):
        won, betting, memories = play_slowly(game, pair, HANDS, 5, seating)
        assert found.won[seating].tolist() == won
        for hand in range(HANDS):
            letters = [chr(kind) for kind, _ in found.records[seating].actions_of(hand)]
            assert letters == [letter for letter in betting[hand] if letter in "fcr"]
        for player in range(2):
            assert found.memories[seating][player].tolist() == memories[player].tolist()


def test_different_families_play_each_other(tables):
    """A pair of policies of two families is played as by the oracle."""
    pair = (plain(), wild())
    (found,) = play_matches(GAMES["no-limit"], [pair], HANDS, 8, tables=tables)
    won, _, memories = play_slowly(GAMES["no-limit"], pair, HANDS, 8)
    assert found.won[0].tolist() == won
    assert found.memories[0][0].tolist() == memories[0].tolist()


def test_given_cards_are_dealt_instead_of_the_seeds(tables):
    """Those of another seed make its match, in blocks as well."""
    hands = HANDS_AT_ONCE + HANDS
    pair = (wild(), plain())
    cards = np.empty((hands, 9), np.uint8)
    DealBlocks(GAMES["no-limit"], 6).deal(cards)
    given, seeded = (
        play_matches(GAMES["no-limit"], [pair], hands, seed, tables=tables, **dealt)[0]
        for seed, dealt in ((5, {"cards": cards}), (6, {}))
    )
    assert np.array_equal(given.won, seeded.won)
    with pytest.raises(ValueError, match=r"cards of shape \(4106, 9\): want \(3, 9\)"):
        play_matches(GAMES["no-limit"], [pair], 3, 5, tables=tables, cards=cards)


def test_results_do_not_depend_on_threads_or_company(tables):
    """Many matches on several threads are what each of them is alone."""
    game, hands = GAMES["no-limit"], HANDS_AT_ONCE + 300
    pairs = [(plain(0.1 * n, seed=n), plain(0.5, seed=50 + n)) for n in range(4)]
    seeds = [7, 7, 8, 9]
    together = play_matches(game, pairs, hands, seeds, duplicate=True, tables=tables, threads=3)
    for pair, seed, found in zip(pairs, seeds, together, strict=True):
        (alone,) = play_matches(
            game, [pair], hands, seed, duplicate=True, record=True, tables=tables, threads=1
        )
        assert np.array_equal(found.won, alone.won)
        assert found.seed == seed
        for ours, theirs in zip(found.memories, alone.memories, strict=True):
            assert np.array_equal(ours, theirs)


def test_duplicate_cancels_the_luck_of_equal_players(tables):
    """Two players alike who draw nothing at random win exactly nothing over both seatings."""
    pair = (plain(noise=0.0, seed=1), plain(noise=0.0, seed=2))
    (found,) = play_matches(GAMES["no-limit"], [pair], 500, 3, duplicate=True, tables=tables)
    assert found.won.shape == (2, 500)
    assert np.any(found.won[0] != 0)
    assert not np.any(found.won.sum(axis=0))


def test_progress_and_nothing_to_play(tables):
    """The share of finished seatings is told; no hands and no matches are fine."""
    told = []
    pairs = [(plain(), wild())] * 2
    found = play_matches(
        GAMES["limit"], pairs, 0, 1, duplicate=True, record=True, tables=tables,
        progress=told.append,
    )  # fmt: skip
    assert told == [0.25, 0.5, 0.75, 1.0]
    assert found[0].won.shape == (2, 0)
    assert len(found[0].records[0].actions) == 0
    assert play_matches(GAMES["limit"], [], 5, 1, tables=tables) == []


def test_ctrl_c_ends_matches_however_long(tables, monkeypatch):
    """The hands under way are played, far from all, and no thread goes on after that."""
    blocks = []

    class Counting(Halt):
        def __call__(self):
            blocks.append(1)
            return super().__call__()

    monkeypatch.setattr("engine.play.compiled_match.Halt", Counting)
    game, pair = GAMES["limit"], (wild(), wild())
    play_matches(game, [pair], 1, 1, tables=tables)
    before = threading.active_count()
    stopper = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    stopper.start()
    with pytest.raises(KeyboardInterrupt):
        play_matches(game, [pair] * 4, 4_000_000, 1, tables=tables, threads=2)
    assert 0 < len(blocks) < 4 * 4_000_000 / 4096 / 2
    stopper.join()
    assert threading.active_count() == before
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_whoever_is_asked_can_end_matches(tables):
    """As Ctrl-C does; a question that is never answered with yes changes nothing."""
    asked = []

    def stop():
        asked.append(1)
        return len(asked) > 3

    game, pair = GAMES["limit"], (wild(), wild())
    with pytest.raises(KeyboardInterrupt):
        play_matches(game, [pair] * 2, 4_000_000, 1, tables=tables, threads=1, stop=stop)
    assert len(asked) == 4
    (one,) = play_matches(game, [pair], 50, 1, tables=tables, stop=lambda: False)
    (other,) = play_matches(game, [pair], 50, 1, tables=tables)
    np.testing.assert_array_equal(one.won, other.won)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "hunl3"])
def test_other_games_are_refused(tables, name):
    """Only hold'em for two is played in bulk."""
    names = {"kuhn": "kuhn", "leduc": "leduc", "hunl3": "nolimit3"}
    with pytest.raises(InvalidGame, match="hold'em for two"):
        play_matches(load_builtin(names[name]), [], 1, 1, tables=tables)


@pytest.mark.parametrize(
    ("hands", "seeds", "message"),
    [
        (-1, 0, "-1 hands"),
        (1, [0], "1 seeds for 2 matches"),
        (1, -1, "seed -1"),
        (1, [0, 2**32], "seed 4294967296"),
    ],
)
def test_bad_arguments_are_refused(tables, hands, seeds, message):
    """Numbers of hands and seeds are checked before anything is played."""
    with pytest.raises(ValueError, match=message):
        play_matches(GAMES["limit"], [(wild(), wild())] * 2, hands, seeds, tables=tables)


def odd_decide(spot, params, memory, draws):
    """Return less than a policy has to."""
    return CALL


def test_kernels_of_another_form_are_refused(tables):
    """What a policy returns is checked when it is compiled, and so is that it is compiled."""
    from engine.compiled.jit import kernel, pointer_kernel

    good = (WILD.observe, WILD.finish, 0, 4)
    for decide, message in (
        (pointer_kernel(odd_decide), "odd_decide cannot be compiled"),
        (kernel(odd_decide), "no pointer kernel"),
        (odd_decide, "no pointer kernel"),
    ):
        policy = CompiledPolicy(Family("odd", decide, *good), [])
        with pytest.raises(TypeError, match=message):
            play_matches(GAMES["limit"], [(policy, policy)], 1, 1, tables=tables)

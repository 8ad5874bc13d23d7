"""Compiled policies at the table: the same play as in bulk, legal always."""

from dataclasses import replace

import numpy as np
import pytest

from agents.compiled.policy_bot import PolicyBot
from agents.compiled.spots import spots_of
from agents.opponents.bot import PoolBot
from agents.opponents.laws import MEMORY, decide
from agents.opponents.policy import pool_policy
from agents.roster.characters import POOL, find_character, parameters
from engine.compiled.jit import pointer_kernel
from engine.play.compiled_match import play_matches
from engine.play.compiled_policy import CompiledPolicy, Family
from engine.play.simulate import play_hand
from engine.rules.dealing import DealStream
from engine.rules.fast_state import CALL, FOLD, RAISE
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from protocol.actions import Action
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.views import view_of

HUNL = load_builtin("hunl")
HULHE = load_builtin("hulhe")
GAMES = pytest.mark.parametrize("game", [HUNL, HULHE], ids=["hunl", "hulhe"])
BOTS = pytest.mark.parametrize("name", [one.name for one in POOL if one.same_as is None])


@pointer_kernel
def _any_action(spot, params, memory, draws):
    """Fold a little, call or raise by the first draw; sizes by the second."""
    if draws[0] < 0.1:
        return FOLD, 0
    if draws[0] < 0.6:
        return CALL, 0
    return RAISE, int(spot.low * (0.8 + 2.0 * draws[1] * draws[1]))


@pointer_kernel
def _write_down(spot, kind, raise_to, mine, memory):
    """Fold all that is told into one number, which no other story has by chance."""
    told = kind + 3.0 * raise_to + 7.0 * mine + 11.0 * spot.hand + 13.0 * spot.street
    told += 17.0 * spot.button + spot.big_blind + spot.stack / 1e4 + 19.0 * spot.pot
    told += 23.0 * spot.to_match + 29.0 * spot.spent + 31.0 * spot.to_call + 37.0 * spot.low
    told += 41.0 * spot.high + 43.0 * spot.raises + 47.0 * spot.raises_before
    told += 53.0 * spot.aggressor + 1e4 * spot.p + 2e4 * spot.percentile
    told += 59.0 * spot.hole.min() + 61.0 * spot.hole.max() + 67.0 * (spot.board.sum())
    memory[0] = memory[0] * 0.75 + told
    memory[1] += 1.0


@pointer_kernel
def _write_end(memory, shown_p, won):
    memory[0] = memory[0] * 0.75 + 1e4 * shown_p + won
    memory[2] += won


WITNESS = Family("witness", _any_action, _write_down, _write_end, 0, 3)


def play_at_table(game, seed, hands, bots):
    """Play as `engine.play.simulate` does, telling the bots of the end of each hand."""
    won, bettings = [], []
    for number, deal in zip(range(hands), DealStream(game, seed), strict=False):
        seats = [number % 2, 1 - number % 2]
        players = [bots[seat].act for seat in seats]
        state, values = play_hand(game, deal, players, number)
        for position, seat in enumerate(seats):
            bots[seat].end_hand(PlayerView.of(state, deal, position, number))
        won.append(values[seats.index(0)])
        bettings.append(state.betting)
    return won, bettings


def bettings_of(game, records):
    """Return the wire texts of the hands of a bulk match."""
    found = []
    for hand in range(len(records.ends)):
        state = HandState.start(game)
        for kind, chips in records.actions_of(hand):
            sized = kind == RAISE and game.no_limit
            state = state.apply(Action(chr(kind), chips if sized else None))
        found.append(state.betting)
    return found


def told(bot):
    """Return the memory of a bot."""
    return bot._memory.tolist()


@GAMES
def test_a_policy_is_told_and_does_the_same_at_the_table_and_in_bulk(game):
    """Two policies that write down every number they are told, over 60 hands."""
    policies = [CompiledPolicy(WITNESS, np.zeros(0), seed) for seed in (3, 2**64 - 4)]
    bots = [PolicyBot(lambda game, seed, one=one: one) for one in policies]
    for bot in bots:
        bot.start_match(game, 0)
    won, bettings = play_at_table(game, 5, 60, bots)
    (match,) = play_matches(game, [tuple(policies)], 60, 5, record=True, threads=1)
    assert bettings_of(game, match.records[0]) == bettings
    assert match.won[0].tolist() == pytest.approx(won)
    for bot, memory in zip(bots, match.memories[0], strict=True):
        assert told(bot) == pytest.approx(memory.tolist(), rel=1e-12)
        assert told(bot)[1] > 100


@BOTS
@GAMES
def test_the_pool_plays_the_same_at_the_table_and_in_bulk(game, name):
    """Every action of 25 hands against the bot with the most different sizes."""
    bots = [PoolBot(name), PoolBot("O6")]
    for seed, bot in enumerate(bots, 8):
        bot.start_match(game, seed)
    won, bettings = play_at_table(game, 11, 25, bots)
    pair = (pool_policy(name, game, 8), pool_policy("O6", game, 9))
    (match,) = play_matches(game, [pair], 25, 11, record=True, threads=1)
    assert bettings_of(game, match.records[0]) == bettings
    assert match.won[0].tolist() == pytest.approx(won)


def holding(hole):
    """Return the first decision of a hand."""
    return view_of("", hole)


def test_strength_is_that_of_the_cards():
    """O7 raises aces, folds seven-deuce; numbers that are given take the place of the bot's own."""
    bot, own = PoolBot("O7"), PoolBot("plane-40-20", played=1.0, raised=1.0, small=2.0)
    for one in (bot, own):
        one.start_match(HUNL, 1)
    assert str(bot.act(holding("AhAd")).kind) == "r"
    assert str(bot.act(holding("7h2d")).kind) == "f"
    assert own.act(holding("7h2d")).raise_to == 100 + 2 * 200


def test_what_is_no_bot_is_refused():
    """A name, a number; an answer before the match, or out of turn."""
    with pytest.raises(ValueError, match="no bot of the pool"):
        PoolBot("O9")
    with pytest.raises(ValueError, match="played"):
        PoolBot("O5", played=2.0)
    bot = PoolBot("O5")
    with pytest.raises(RuntimeError, match="start_match"):
        bot.act(holding("AhAd"))
    bot.start_match(HUNL, 1)
    with pytest.raises(ValueError, match="turn"):
        bot.act(PlayerView(holding("AhAd").state, 0, 0, (parse_cards("KhKd"), ()), ()))


@BOTS
def test_any_state_and_any_strength_give_a_legal_action(name):
    """Stacks of any depth, also two different ones, limit and no-limit; states of random hands."""
    rng = np.random.default_rng(7)
    memory = np.zeros(MEMORY)
    decided = 0
    while decided < 400:
        stacks = tuple(int(chips) for chips in rng.integers(100, 100 * 2 ** rng.integers(1, 9), 2))
        game = replace(HUNL if rng.random() < 0.5 else HULHE, stacks=stacks)
        row = parameters(find_character(name), game)
        state = HandState.start(game)
        while not state.over:
            shown = tuple((51, 46) if seat == state.actor else () for seat in range(2))
            board = (0, 5, 10, 15, 20)[: game.board_seen(state.street)]
            view = PlayerView(state, int(rng.integers(3000)), state.actor, shown, board)
            spot = spots_of(view).spot
            spot = spot._replace(p=float(rng.random() ** 0.2), percentile=float(rng.random()))
            kind, chips = decide(spot, row, memory, rng.random(4))
            sized = view.raise_to(chips) if kind == RAISE else view.call()
            checked = state.apply(view.fold() if kind == FOLD else sized)
            assert kind in (FOLD, CALL, RAISE)
            decided += 1
            other = view.raise_to(int(rng.integers(view.min_raise_to, view.max_raise_to + 1)))
            state = checked if rng.random() < 0.5 else state.apply(other)

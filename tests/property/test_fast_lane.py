"""The fast lane and its readable twin, given the same bytes: whatever can be seen is the same."""

import math
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.plan.match_plan import LaneMode
from dealer.server.table import Table
from dealer.server.time_limits import MatchSettings, TimeLimits
from engine.rules.keyed_dealing import SeedOrKey
from engine.rules.replies import read_action
from protocol.gamedef import GameDef
from protocol.gamedefs import load_builtin
from protocol.handlog import format_hand
from tests.helpers.examples import one_in
from tests.helpers.streamed_match import KEY, SEED, Stream, play_streams

GAMES = [load_builtin(name) for name in ("hunl", "hulhe", "nolimit3", "kuhn", "leduc")]
FREE = TimeLimits(math.inf, math.inf, math.inf)
OTHER_LINES = (b"# comment\r\n", b"; another\n", b"hello\n", b"MATCHSTATE:0:0::|:c\r\n", b"\n")
ODD_ACTIONS = (b"", b"call", b"r", b"r1", b"r99999999999", b"r0100", b"f", b"x", b"c\0", b"cc")
LONG_LINE = b"x" * 9000 + b"\n"
PAUSES = (0.0, 0.0, 0.0005, 0.012)
"""Seconds; the last one is longer than the lane waits for."""

_T = TypeVar("_T")


def pick(rng: np.random.Generator, options: Sequence[_T]) -> _T:
    return options[rng.integers(len(options))]


def conversation(
    game: GameDef, hands: int, odd: float, rng: np.random.Generator, source: SeedOrKey = SEED
) -> list[bytearray]:
    """Return what the seats send in a match at random; a share of what they say is not ordinary."""
    table = Table(game, source, [""] * game.players)
    streams = [bytearray() for _ in range(game.players)]
    for _ in range(hands):
        while table.acting_seat >= 0:
            seat, state = table.acting_seat, table.state
            if rng.random() < odd:
                streams[seat] += pick(rng, (*OTHER_LINES, LONG_LINE))
            action = b"c"
            limits = state.raise_range()
            if limits is not None and rng.random() < 0.4:
                chips = pick(rng, (*limits, int(rng.integers(limits[0], limits[1] + 1))))
                action = b"r%d" % chips if game.no_limit else b"r"
            elif state.can_fold and rng.random() < 0.2:
                action = b"f"
            if rng.random() < odd:
                action = pick(rng, ODD_ACTIONS)
            end = pick(rng, (b"\r\n", b"\n"))
            streams[seat] += table.messages()[seat].encode() + b":" + action + end
            table.apply(read_action(state, (action + end).partition(b"\0")[0]).action)
        table.result()
        table.settle()
        table.next_hand()
    return streams


def damage(stream: bytearray, rng: np.random.Generator) -> None:
    """Change, insert or remove a byte, or cut the end off."""
    at, byte = int(rng.integers(len(stream) + 1)), rng.bytes(1)
    way = rng.integers(4)
    if way == 0:
        stream[at : at + 1] = byte
    elif way == 1:
        stream[at:at] = byte
    elif way == 2:
        del stream[at : at + 1]
    else:
        del stream[at:]


def cut(stream: bytearray, pieces: int, rng: np.random.Generator) -> Stream:
    """Have it sent in some pieces, now and then with a pause between two."""
    cuts = sorted(rng.integers(len(stream) + 1, size=pieces).tolist())
    pauses = [pick(rng, PAUSES) for _ in range(pieces + 1)]
    slow = rng.random() < 0.2
    return Stream(bytes(stream), cuts, pauses, narrow=slow, reads_after=0.05 * slow)


@pytest.fixture(scope="module")
def turns():
    """Turns that the lane took, by example; the ordinary ones may not all have been too slow."""
    taken = []
    yield taken
    assert any(taken)


@one_in(2)
@given(
    game=st.sampled_from(GAMES),
    hands=st.integers(1, 25),
    odd=st.sampled_from([0.0, 0.02, 0.2]),
    damages=st.integers(0, 2),
    pieces=st.integers(0, 12),
    invalid=st.sampled_from(["fix", "call", "fold", "forfeit"]),
    quiet=st.booleans(),
    told=st.booleans(),
    source=st.sampled_from([SEED, KEY]),
    seed=st.integers(0, 2**32),
)
def test_the_lane_changes_nothing_that_can_be_seen(
    turns, game, hands, odd, damages, pieces, invalid, quiet, told, source, seed
):
    """Messages, files, transcript, faults, accounts, ending, score, hands told; in and out, too."""
    rng = np.random.default_rng(seed)
    streams = conversation(game, hands, odd, rng, source)
    for _ in range(damages):
        damage(pick(rng, streams), rng)
    sent = [cut(stream, pieces, rng) for stream in streams]
    how = MatchSettings(hands, (FREE,) * game.players, invalid)
    with TemporaryDirectory() as folder:
        said = {"quiet": quiet, "told": told, "source": source}
        readable = play_streams(Path(folder), LaneMode.OFF, game, how, sent, **said)
        if told:
            assert "".join(f"{format_hand(hand)}\n" for hand in readable.hands) == readable.log
        for mode in (LaneMode.ON, LaneMode.MIXED):
            seen = play_streams(Path(folder), mode, game, how, sent, **said)
            assert seen.is_like(readable)
            if mode is LaneMode.ON:
                turns.append(seen.lane_turns)

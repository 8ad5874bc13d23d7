"""What spectators see of a running match: nothing of a hand before it is over in all legs."""

import asyncio
import contextlib
import re
from contextlib import aclosing, asynccontextmanager

import numpy as np
import pytest

from dealer.hub.watched_match import WatchedMatch, betting_alone, spectators_view
from protocol.gamedefs import load_builtin
from tests.helpers.random_logs import random_log

GAME = load_builtin("hunl")
HANDS = 30


def two_logs():
    """Lines of both legs of a pair."""
    random = np.random.default_rng(5)
    return [
        random_log(GAME, 4_000_000_000, HANDS, random, names=names)
        for names in (("ann", "rule"), ("rule", "ann"))
    ]


class Legs:
    """A match whose logs the test lets grow."""

    def __init__(self, folder, delay=0, cards="none"):
        self.texts = two_logs()
        self.logs = [folder / f"leg{leg}.log" for leg in (0, 1)]
        self.match = WatchedMatch(self.logs, spectators_view(GAME, cards), delay, 0.01)

    def play(self, leg, hands, score=False):
        """Let a leg be played up to so many hands; half a line of the next is written."""
        text = self.texts[leg]
        lines = text if score else text[: 1 + hands]
        half = "" if score else text[1 + hands][:20]
        self.logs[leg].write_text("".join(f"{line}\n" for line in lines) + half)

    @asynccontextmanager
    async def watching(self, leg, line=0):
        """Be a spectator; gives the events."""
        async with asyncio.timeout(30):
            async with aclosing(self.match.join(leg, line)) as events:
                yield events
            self.match.leave()
            if not self.match._watching:  # or a thread would still read a log as the loop ends
                await asyncio.wait([self.match._following])


async def until(events, kind, number=None):
    """All that comes up to an event of a kind, and of a number where one is asked for."""
    wanted = b"event: " + kind.encode()
    text = b""
    async for event in events:
        text += event
        if wanted in event and (number is None or b"id: %d\n" % number in event):
            return text
    raise AssertionError(text)


def numbers(text):
    """The hands that a text has."""
    return [int(number) for number in re.findall(rb"STATE:([0-9]+):", text)]


async def test_a_hand_is_shown_once_it_is_over_in_all_legs(tmp_path):
    """The leg that is further ahead waits for the other one, for all who watch."""
    legs = Legs(tmp_path)
    async with legs.watching(0) as first, legs.watching(1) as second:
        legs.play(0, 20)
        legs.play(1, 3)
        assert numbers(await until(first, "lines", 3)) == [0, 1, 2]
        assert numbers(await until(second, "lines", 3)) == [0, 1, 2]
        legs.play(1, 25)
        assert numbers(await until(first, "lines", 20)) == list(range(3, 20))
        assert legs.match.lines_shown() == 20
        async with legs.watching(1, line=18) as late:
            assert numbers(await until(late, "hand")) == [18, 19]


async def test_spectators_are_so_many_hands_behind_until_the_end(tmp_path):
    """When the match is over they see the rest, the score included, and that it was all."""
    legs = Legs(tmp_path, delay=8)
    legs.play(0, 10)
    legs.play(1, 12)
    async with legs.watching(0) as events:
        assert numbers(await until(events, "hand", 2)) == [0, 1]
        for leg in (0, 1):
            legs.play(leg, HANDS, score=True)
        assert numbers(await until(events, "lines", HANDS + 1 - 8)) == list(range(2, HANDS - 7))
        finishing = asyncio.create_task(legs.match.finish(over=True))
        text = await until(events, "end")
        assert b"SCORE:" in text
    await finishing
    assert legs.match.over


@pytest.mark.parametrize("cards", ["none", "shown"])
async def test_no_seed_and_no_card_but_those_that_may_be_seen(tmp_path, cards):
    """Header and comments are withheld, and so is how long they are; bets and results are told."""
    legs = Legs(tmp_path, cards=cards)
    for leg in (0, 1):
        legs.texts[leg][0] += "\n# a comment with the seed 4000000000"
        legs.play(leg, 0, score=True)
    async with legs.watching(0) as events:
        text = (await until(events, "hand")).decode()
    assert "#" not in text
    assert "4000000000" not in text
    fields = [line.split(":") for line in text.splitlines() if "STATE" in line]
    assert len(fields) == HANDS
    for line, (_, _, number, betting, cards_text, *values) in zip(
        legs.texts[0][1:], fields, strict=False
    ):
        _, _, real_betting, real_cards, *real_values = line.split(":")
        assert (number, betting, values) == (line.split(":")[1], real_betting, real_values)
        if cards == "none":
            assert cards_text == "|"
        elif "f" in betting:
            assert cards_text.partition("/")[0] == "|"
        else:
            assert cards_text == real_cards


async def test_a_match_without_logs_yet_is_watched_from_its_first_hand(tmp_path):
    """Who came before anything was written sees the first hand; who leaves costs nothing more."""
    legs = Legs(tmp_path)
    async with legs.watching(1) as events:
        assert numbers(await until(events, "hand", 0)) == []
        legs.play(0, 1)
        legs.play(1, 1)
        assert numbers(await until(events, "lines", 1)) == [0]
    async with asyncio.timeout(30):
        with contextlib.suppress(asyncio.CancelledError):
            await legs.match._following
    assert legs.match.over


@pytest.mark.parametrize(
    "line",
    [
        b"# name/game/hands/seed a hunl 3 77",
        b"STATE:0:cc/cc:AsKd|7h7s/Ah7d2c:AsKd",
        b"STATE:0:cc:AsKd|7h7s:1|-1:a|AsKd:AsKd",
        b"STATE:0:AsKd:AsKd|7h7s:1|-1:a|b",
        b"STATE:0:cc:AsKd|7h7s:AsKd:a|b",
        b"SCORE:1|-1:a|b:AsKd",
        b"SCORE:AsKd",
        b"",
        b"\xff\xfe",
        b"AsKd",
    ],
)
def test_what_is_no_hand_is_withheld(line):
    """Whatever stands in a log, only lines of the right form pass, and of these no cards."""
    assert betting_alone(2, line + b"\n") == b""


def test_hands_and_scores_pass_without_cards():
    """Names, betting and values stay as they are."""
    lines = b"STATE:7:cr300f:AsKd|7h7s:-100|100:a-b_c|rule\nSCORE:-100|100.5:a|b\n"
    shown = b"STATE:7:cr300f:|:-100|100:a-b_c|rule\nSCORE:-100|100.5:a|b\n"
    assert betting_alone(2, lines) == shown

"""States that reach the bot otherwise than one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from dealer.compliance.check import ComplianceCheck
from dealer.compliance.checks.special_hands import compare
from dealer.compliance.delivery import (
    BetweenComments,
    ByteByByte,
    Delivery,
    JoinedStates,
    LineFeeds,
    OddCuts,
)
from dealer.compliance.opponents import calls
from dealer.compliance.result import CheckFinding, CheckVerdict, warned

if TYPE_CHECKING:
    from dealer.compliance.bench import CheckBench, SeatedPlay
    from dealer.compliance.wire import BotLink

_HANDS_EACH: Final = 2
"""Hands in each position and of each delivery."""


async def _delivered(
    bench: CheckBench, name: str, ways: Sequence[Callable[[BotLink], Delivery]]
) -> CheckFinding:
    """Play hands in every position in each of some ways."""

    async def play(table: SeatedPlay) -> None:
        for way in ways:
            delivery = way(table.link)
            for _ in range(_HANDS_EACH):
                for position in table.positions:
                    await table.play(position, calls, delivery)
            await delivery.flush()

    return await compare(bench, name, play)


async def _bytes(bench: CheckBench) -> CheckFinding:
    return await _delivered(bench, "bytes", [ByteByByte])


async def _joined(bench: CheckBench) -> CheckFinding:
    return await _delivered(bench, "joined", [JoinedStates, OddCuts])


async def _comments(bench: CheckBench) -> CheckFinding:
    return await _delivered(bench, "comments", [BetweenComments])


async def _line_feed(bench: CheckBench) -> CheckFinding:
    finding = await _delivered(bench, "line-feed", [LineFeeds])
    if finding.verdict is not CheckVerdict.FAILED:
        return finding
    return warned(finding.said, sent=finding.sent, received=finding.received)


LINES: Final = (
    ComplianceCheck(
        name="bytes",
        purpose="reads lines that come byte by byte",
        expected="TCP may cut a line anywhere: a bot acts upon it when its LF has come",
        hint="collect what is read, and take lines out of it up to each LF; what is left over is "
        "the beginning of the next line",
        section="lines",
        run=_bytes,
    ),
    ComplianceCheck(
        name="joined",
        purpose="reads lines that come many at once",
        expected="TCP may join lines: the last state of a hand and the first of the next one "
        "usually come together, and so may a line and a piece of another",
        hint="take every line out of what is read, one after the other, and keep what is left over",
        section="lines",
        run=_joined,
    ),
    ComplianceCheck(
        name="line-feed",
        purpose="reads lines that end with LF alone",
        expected="the dealer ends lines with CR LF; others end them with LF",
        hint="end lines at LF, and cut off a CR before it where there is one",
        section="lines",
        run=_line_feed,
    ),
    ComplianceCheck(
        name="comments",
        purpose="passes over lines that begin with # or ;",
        expected="lines that begin with # or ; are comments, which a dealer may send at any time",
        hint="pass over lines that do not begin with MATCHSTATE:",
        section="lines",
        run=_comments,
    ),
)

"""States that reach the bot otherwise than one by one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from dealer.compliance.check import ComplianceCheck
from dealer.compliance.checks.special_hands import check_special_hands
from dealer.compliance.delivery import (
    BetweenComments,
    ByteByByte,
    Delivery,
    JoinedStates,
    LineFeeds,
    OddCuts,
)
from dealer.compliance.opponents import calls
from dealer.compliance.result import CheckFinding, CheckVerdict

if TYPE_CHECKING:
    from dealer.compliance.bench import CheckBench, SeatedPlay
    from dealer.compliance.wire import BotLink

_HANDS_EACH: Final = 2
"""Hands in each position and of each delivery."""


def _delivered(
    name: str, *ways: Callable[[BotLink], Delivery]
) -> Callable[[CheckBench], Awaitable[CheckFinding]]:
    """Return the check that plays hands in every position in each of some ways."""

    async def play(table: SeatedPlay) -> None:
        for way in ways:
            delivery = way(table.link)
            for _ in range(_HANDS_EACH):
                for position in table.positions:
                    await table.play(position, calls, delivery)
            await delivery.flush()

    return lambda bench: check_special_hands(bench, name, play)


async def _line_feed(bench: CheckBench) -> CheckFinding:
    finding = await _delivered("line-feed", LineFeeds)(bench)
    tolerated = finding.verdict is CheckVerdict.FAILED
    return replace(finding, verdict=CheckVerdict.WARNING) if tolerated else finding


LINES: Final = (
    ComplianceCheck(
        name="bytes",
        purpose="reads lines that come byte by byte",
        expected="TCP may cut a line anywhere: a bot acts upon it when its LF has come",
        hint="collect what is read, and take lines out of it up to each LF; what is left over is "
        "the beginning of the next line",
        section="lines",
        run=_delivered("bytes", ByteByByte),
    ),
    ComplianceCheck(
        name="joined",
        purpose="reads lines that come many at once",
        expected="TCP may join lines: the last state of a hand and the first of the next one "
        "usually come together, and so may a line and a piece of another",
        hint="take every line out of what is read, one after the other, and keep what is left over",
        section="lines",
        run=_delivered("joined", JoinedStates, OddCuts),
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
        run=_delivered("comments", BetweenComments),
    ),
)

"""Connections that end: in the middle of a hand, and after the last one."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from dealer.bots.processes import marked_processes
from dealer.compliance.check import ComplianceCheck
from dealer.compliance.errors import BotGone, BotTrouble
from dealer.compliance.opponents import calls
from dealer.compliance.result import CheckFinding, failed, not_applicable, not_run, passed

if TYPE_CHECKING:
    from dealer.compliance.bench import CheckBench, SeatedPlay
    from dealer.compliance.bot_session import BotSession

_HANDS_EACH: Final = 2
_TRIES: Final = 8
"""Hands in which the bot may have nothing to answer."""


async def _reconnect(bench: CheckBench) -> CheckFinding:
    patience = bench.settings.exit_seconds
    async with bench.seated("reconnect", reconnect_seconds=patience) as table:
        try:
            for position in table.positions:
                await table.play(position, calls)
        except BotTrouble as trouble:
            return not_run(f"in an ordinary hand before it, {trouble}")
        return await _cut_off(table, patience)


async def _cut_off(table: SeatedPlay, patience: float) -> CheckFinding:
    """Lose the connection while the bot is to act; see what it does."""
    session = table.session
    for number in range(_TRIES):
        hand = table.next_hand(number % len(table.positions))
        deal = next(table.deals)
        state = await table.player.ask_only(hand, deal, calls, table.delivery())
        if state is not None:
            break
    else:
        return not_applicable("it was never to act")
    session.listen()
    lost = time.monotonic()
    await table.link.close()
    try:
        await session.accept(patience)
    except BotGone:
        return _ended(session)
    except BotTrouble:
        if session.child is None:
            return not_applicable("allowed: it did not come back")
        return failed(f"neither came back nor ended within {patience:g} s after the loss")
    away = time.monotonic() - lost
    try:
        await session.greeting()
        delivery = table.delivery()
        await table.player.play(table.link, hand, deal, calls, delivery, begin=state)
        await table.play(0, calls)
    except BotTrouble as trouble:
        await session.explain(trouble)
        return session.failure(f"came back after {away:.1f} s, but {trouble}")
    return passed(f"came back after {away:.1f} s and played on", comes_back=True)


def _ended(session: BotSession) -> CheckFinding:
    assert session.child is not None
    status = session.child.status
    if status is not None and status < 0:
        return failed(f"{session.status_words()} after the loss")
    return passed(f"allowed: {session.status_words()} after the loss", comes_back=False)


async def _exits(bench: CheckBench) -> CheckFinding:
    patience = bench.settings.exit_seconds
    async with bench.seated("clean-exit") as table:
        try:
            for _ in range(_HANDS_EACH):
                for position in table.positions:
                    await table.play(position, calls)
        except BotTrouble as trouble:
            return not_run(f"before the end of the match, {trouble}")
        session = table.session
        table.link.end_sending()
        if session.child is None:
            if await table.link.closed_within(patience):
                return passed("closed its connection; its process is not ours to watch")
            return failed(f"did not close its connection within {patience:g} s")
        ended = time.monotonic()
        if not await session.ended_within(patience):
            return failed(f"still ran {patience:g} s after the dealer had closed the connection")
        took = time.monotonic() - ended
        if session.child.status:
            return failed(f"{session.status_words()} after the match")
        if left := await _left_behind(session):
            return failed(
                f"left {left} {'process' if left == 1 else 'processes'} behind",
                hint="end what the bot has started before it ends itself",
            )
        return passed(f"ended {took:.1f} s after the match", seconds=round(took, 3))


async def _left_behind(session: BotSession) -> int:
    """Return how many processes of a bot that has ended are left, after a moment for those."""
    assert session.child is not None
    for _ in range(5):
        left = len(marked_processes(session.mark))
        if not left and not session.child.group_lives:
            return 0
        await asyncio.sleep(0.1)
    return max(left, 1)


ENDINGS: Final = (
    ComplianceCheck(
        name="reconnect",
        purpose="comes back after a lost connection, or ends",
        expected="a bot that loses its connection in mid-hand ends, or connects again, greets and "
        "answers the state that it is sent then",
        hint="treat a closed connection as the end wherever it comes; do not read on from a "
        "closed socket for ever",
        section="endings",
        run=_reconnect,
    ),
    ComplianceCheck(
        name="clean-exit",
        purpose="ends by itself after the match",
        expected="the dealer closes the connection after the last hand; the bot then ends with "
        "exit code 0 and leaves no process behind",
        hint="end with exit code 0 when reading gives nothing more",
        section="endings",
        run=_exits,
    ),
)

"""From the start of a bot to its first answers, with a dealer that is there and one that is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dealer.bots.participants import BotKind
from dealer.compliance.bot_session import GREETING_SECONDS
from dealer.compliance.check import ComplianceCheck
from dealer.compliance.errors import BotGone, NoAnswer
from dealer.compliance.opponents import calls
from dealer.compliance.result import CheckFinding, failed, passed, warned
from dealer.compliance.wire import shown
from protocol.errors import MalformedLine, UnsupportedVersion
from protocol.handshake import check_version, format_version, parse_version

if TYPE_CHECKING:
    from dealer.bots.participants import Participant
    from dealer.compliance.bench import CheckBench
    from dealer.compliance.games import CheckedGame

_CONNECT_SECONDS: Final = 60.0
"""How long a bot may take to find a dealer that was late."""
_HANDS_EACH: Final = 2
"""Hands in each position."""


async def _connects(bench: CheckBench) -> CheckFinding:
    session = bench.session("connects")
    async with session:
        seconds = await bench.connect(session)
    return passed(f"connected {seconds:.1f} s after its start", seconds=round(seconds, 3))


async def _greeting(bench: CheckBench) -> CheckFinding:
    session = bench.session("greeting")
    async with session:
        await bench.connect(session)
        try:
            line = await session.greeting()
        except NoAnswer:
            return failed(f"connected, but said nothing for {GREETING_SECONDS:g} s")
    return _judge_greeting(line)


def _judge_greeting(line: bytes) -> CheckFinding:
    said = shown(line)
    try:
        version = parse_version(line)
    except MalformedLine:
        return failed("its first line is no version", received=[said])
    try:
        check_version(version)
    except UnsupportedVersion as error:
        return warned(f"{error}; the dealer complains and plays on", received=[said])
    wanted = format_version()
    if line == wanted + b"\r\n":
        return passed("greets as it should")
    if line == wanted + b"\n":
        return warned("its first line ends with LF alone", received=[said])
    if not line.endswith(b"\n"):
        return failed("its first line has no end", received=[said])
    return warned("its first line says more than the version", received=[said])


async def _positions(bench: CheckBench) -> CheckFinding:
    async with bench.seated("positions") as table:
        answers = dict.fromkeys(table.positions, 0)
        for _ in range(_HANDS_EACH):
            for position in reversed(table.positions):
                hand = await table.play(position, calls)
                answers[position] += len(hand.answers)
    told = ", ".join(f"{number} in position {position}" for position, number in answers.items())
    return passed(f"{sum(answers.values())} answers: {told}", answers=list(answers.values()))


async def _waits_for_others(bench: CheckBench) -> CheckFinding:
    late = bench.settings.late_seconds
    async with bench.seated("waits-for-others") as table:
        spoken = await table.link.lines_within(late)
        if spoken:
            return failed(
                "sent something before the first state", received=[shown(line) for line in spoken]
            )
        try:
            for position in table.positions:
                await table.play(position, calls)
        except BotGone as error:
            raise BotGone(f"after {late:g} s without a state, {error}") from error
    return passed(f"waited {late:g} s for the first state, and played")


async def _waits_for_dealer(bench: CheckBench) -> CheckFinding:
    late = bench.settings.late_seconds
    session = bench.session("waits-for-dealer")
    async with session:
        session.listen()  # for a port that is free
        session.stop_listening()
        await session.start()
        if await session.ended_within(late) and session.child and not session.child.group_lives:
            return _does_not_wait(session.status_words())
        session.listen()
        try:
            seconds = await session.accept(min(_CONNECT_SECONDS, bench.settings.start_seconds))
        except BotGone:
            return _does_not_wait(session.status_words())
        await session.greeting()
        table = bench.play_at(session, bench.game, "waits-for-dealer")
        for position in table.positions:
            await table.play(position, calls)
    return passed(
        f"the dealer was there after {late:g} s; connected {seconds:.1f} s after its start",
        waits=True,
        seconds=round(seconds, 3),
    )


def _does_not_wait(status: str) -> CheckFinding:
    return passed(f"allowed: does not wait for a dealer, {status}", waits=False)


def _is_started_by_us(_game: CheckedGame, bot: Participant) -> str:
    return "somebody else starts the bot" if bot.kind is BotKind.LISTEN else ""


SITTING_DOWN: Final = (
    ComplianceCheck(
        name="connects",
        purpose="connects to the dealer in time",
        expected="the bot connects to the host and port that are the last words of its command",
        hint="take the last two words of the command line for host and port, and connect there; "
        "what takes long belongs before that, within --start_timeout",
        section="sitting-down",
        run=_connects,
        needed=True,
    ),
    ComplianceCheck(
        name="greeting",
        purpose="says VERSION:2.0.0 first",
        expected="the first line is VERSION:2.0.0 and CR LF, sent at once, before any state comes",
        hint=r'send "VERSION:2.0.0\r\n" as soon as the connection is made, and nothing before it',
        section="sitting-down",
        run=_greeting,
        needed=True,
    ),
)
POSITIONS: Final = ComplianceCheck(
    name="positions",
    purpose="answers in every position",
    expected="an answer to every state in which the player in the state's position is to act",
    hint="work out who is to act from the betting and the game file (firstPlayer, blinds); the "
    "position, the number behind MATCHSTATE, changes from hand to hand",
    section="answers",
    run=_positions,
    needed=True,
)
WAITING: Final = (
    ComplianceCheck(
        name="waits-for-others",
        purpose="waits for a first state that comes late",
        expected="a connected bot waits until all others are there, which may take minutes",
        hint="put no time limit on reading",
        section="sitting-down",
        run=_waits_for_others,
    ),
    ComplianceCheck(
        name="waits-for-dealer",
        purpose="tries again while there is no dealer, or ends",
        expected="a bot that finds no dealer ends, or tries again until there is one",
        hint="end with an exit code above 0 when the connection is refused, or try again every "
        "second",
        section="sitting-down",
        run=_waits_for_dealer,
        why_not=_is_started_by_us,
    ),
)

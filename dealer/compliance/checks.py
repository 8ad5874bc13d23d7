"""The checks of the compliance test: a script each, what it expects, and what to change.

A script plays hands with the bot and returns what it found out, or raises BotTrouble, which is a
failure.  `CHECKS` at the end is the table, in the order of running: what others build upon first.

A bot that answers with the wrong state does so in every hand, and that is the affair of one check.
Scripts of special hands play ordinary ones first, and disregard the kinds of faults that came up
in those already.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from dealer.bots.participants import GAME_PLACEHOLDER, BotKind
from dealer.bots.processes import marked_processes
from dealer.compliance.bench import CheckBench, SeatedPlay, seed_for
from dealer.compliance.bot_session import GREETING_SECONDS, BotSession
from dealer.compliance.checked_games import CheckedGame, with_odd_stacks
from dealer.compliance.faults import (
    FORM_FAULTS,
    RULE_FAULTS,
    TOLERATED_FAULTS,
    UNASKED_FAULTS,
    AnswerFault,
    FaultKind,
)
from dealer.compliance.hands import (
    CheckedHand,
    bets_all_on,
    calls,
    faults_in,
    leaves_one_size,
    raises_least,
    raises_past_half,
    random_line,
)
from dealer.compliance.result import (
    CheckFinding,
    CheckVerdict,
    failed,
    not_applicable,
    not_run,
    passed,
    warned,
)
from dealer.compliance.wire import (
    BetweenComments,
    BotGone,
    BotLink,
    BotRefused,
    BotTrouble,
    ByteByByte,
    Delivery,
    JoinedStates,
    LineFeeds,
    NoAnswer,
    OddCuts,
    shown,
)
from protocol.errors import MalformedLine, UnsupportedVersion
from protocol.handshake import check_version, format_version, parse_version

if TYPE_CHECKING:
    from dealer.bots.participants import Participant
    from dealer.compliance.hands import Opponents

Script: TypeAlias = Callable[[CheckBench], Awaitable[CheckFinding]]
SpecialHands: TypeAlias = Callable[[SeatedPlay], Awaitable[CheckFinding | None]]
"""Plays hands; may return a finding, which counts where no fault was found."""

_LATE_CONNECT_SECONDS: Final = 60.0
_HANDS_PER_POSITION: Final = 2
_MATCH: Final = "match"
_MATCH_PAUSE_SECONDS: Final = 0.002
_PERCENTILES: Final = (50, 90, 99)
_TRIES_PER_POSITION: Final = 6
_DEALS_PER_RAISE_LINE: Final = 4
_HAND_NUMBERS: Final = (17, 18, 4711, 99_999, 1_000_000, 99_999_999)
_ODD_STACK_HANDS: Final = 24
_MOST_CUT_TRIES: Final = 8


# From the start of a bot to its first answers, with a dealer that is there and one that is not.


async def _connects(bench: CheckBench) -> CheckFinding:
    session = bench.session()
    async with session:
        seconds = await bench.connect(session)
    return passed(f"connected {seconds:.1f} s after its start", seconds=round(seconds, 3))


async def _greeting(bench: CheckBench) -> CheckFinding:
    session = bench.session()
    async with session:
        await bench.connect(session)
        try:
            line = await session.greeting()
        except NoAnswer:
            return failed(f"connected, but said nothing for {GREETING_SECONDS:g} s")
    said = shown(line)
    try:
        check_version(parse_version(line))
    except MalformedLine:
        return failed("its first line is no version", received=[said])
    except UnsupportedVersion as error:
        return warned(f"{error}; the dealer complains and plays on", said)
    wanted = format_version()
    if line == wanted + b"\r\n":
        return passed("greets as it should")
    if line == wanted + b"\n":
        return warned("its first line ends with LF alone", said)
    if not line.endswith(b"\n"):
        return failed("its first line has no end", received=[said])
    return warned("its first line says more than the version", said)


async def _positions(bench: CheckBench) -> CheckFinding:
    async with bench.seated() as table:
        answers = dict.fromkeys(table.positions, 0)
        for _ in range(_HANDS_PER_POSITION):
            for position in reversed(table.positions):
                hand = await table.play(position, calls)
                answers[position] += len(hand.answers)
    each = ", ".join(f"{number} in position {position}" for position, number in answers.items())
    return passed(f"{sum(answers.values())} answers: {each}", answers=list(answers.values()))


async def _waits_for_others(bench: CheckBench) -> CheckFinding:
    late = bench.settings.late_seconds
    async with bench.seated() as table:
        if spoken := await table.link.lines_within(late):
            return failed("sent something before the first state", received=[*map(shown, spoken)])
        try:
            await table.play_round(calls)
        except BotGone as error:
            raise BotGone(f"after {late:g} s without a state, {error}") from error
    return passed(f"waited {late:g} s for the first state, and played")


async def _waits_for_dealer(bench: CheckBench) -> CheckFinding:
    late = bench.settings.late_seconds
    session = bench.session()
    async with session:
        session.listen()  # for a port that is free
        session.stop_listening()
        await session.start()
        if await session.ended_within(late) and session.child and not session.child.group_lives:
            return _does_not_wait(session)
        session.listen()
        try:
            seconds = await session.accept(min(_LATE_CONNECT_SECONDS, bench.settings.start_seconds))
        except BotGone:
            return _does_not_wait(session)
        await session.greeting()
        await bench.play_at(session).play_round(calls)
    return passed(
        f"the dealer was there after {late:g} s; connected {seconds:.1f} s after its start",
        waits=True,
        seconds=round(seconds, 3),
    )


def _does_not_wait(session: BotSession) -> CheckFinding:
    said = f"allowed: does not wait for a dealer, {session.status_words()}"
    return passed(said, waits=False)


# One long match against random opponents, which several checks judge, each for its own faults.


@dataclass(frozen=True, slots=True)
class RandomMatch:
    """What was played of the long match."""

    hands: Sequence[CheckedHand]
    failure: CheckFinding | None = None
    """Why it was broken off."""

    @property
    def answers(self) -> int:
        """Of the bot."""
        return sum(len(hand.answers) for hand in self.hands)

    @property
    def extent(self) -> str:
        """How much there is to judge, in words."""
        broken = ", then it broke off (check plays-on)" if self.failure else ""
        return f"{self.answers:,} answers in {len(self.hands):,} hands{broken}"


async def _match(bench: CheckBench) -> RandomMatch:
    """Play the match, the first time that it is asked for."""
    if bench.shared is None:
        try:
            bench.shared = await _play_match(bench)
        except BotTrouble as trouble:
            bench.shared = trouble
    if isinstance(bench.shared, RandomMatch):
        return bench.shared
    raise bench.shared


async def _play_match(bench: CheckBench) -> RandomMatch:
    hands = bench.settings.hands
    async with bench.seated(name=_MATCH) as table:
        seed = seed_for(bench.settings.seed, bench.game.name, _MATCH, "opponents")
        opponents = random_line(np.random.default_rng(seed))
        delivery = Delivery(table.link, _MATCH_PAUSE_SECONDS)
        try:
            for number in range(hands):
                bench.progress(f"hand {number:,} of {hands:,}")
                await table.play(-number % len(table.positions), opponents, delivery)
            await table.quiet()
        except BotTrouble as trouble:
            await table.session.explain(trouble)
            at = f"in hand {len(table.hands) - 1:,} of {hands:,}, {trouble}"
            return RandomMatch(table.hands, table.session.failure(at))
        return RandomMatch(table.hands)


async def _plays_on(bench: CheckBench) -> CheckFinding:
    match = await _match(bench)
    if match.failure is not None:
        return match.failure
    return passed(match.extent, hands=len(match.hands), answers=match.answers)


def _judging(kinds: frozenset[FaultKind]) -> Script:
    """Return the script that judges the match by faults of certain kinds."""

    async def judge(bench: CheckBench) -> CheckFinding:
        return _judge(await _match(bench), kinds)

    return judge


async def _legal(bench: CheckBench) -> CheckFinding:
    match = await _match(bench)
    kinds = Counter(answer.action.kind for hand in match.hands for answer in hand.answers)
    return _judge(match, RULE_FAULTS, folds=kinds["f"], calls=kinds["c"], raises=kinds["r"])


async def _time(bench: CheckBench) -> CheckFinding:
    match = await _match(bench)
    seconds = sorted(answer.seconds for hand in match.hands for answer in hand.answers)
    if not seconds:
        return not_run("there is no answer to time (check plays-on)")
    limits = bench.settings
    longest_hand = max(hand.seconds for hand in match.hands)
    mean_hand = sum(seconds) / len(match.hands)
    values = np.percentile(seconds, _PERCENTILES, method="inverted_cdf").tolist()
    numbers = {f"p{share}": value for share, value in zip(_PERCENTILES, values, strict=True)}
    numbers |= {"max": seconds[-1], "longest_hand": longest_hand, "mean_hand": mean_hand}
    summary = ", ".join(f"{name.replace('_', ' ')} {_ms(value)}" for name, value in numbers.items())
    facts = {f"{name}_ms": round(1000 * value, 3) for name, value in numbers.items()}
    limited = (
        ("an answer", seconds[-1], limits.response_seconds, "--t_response"),
        ("the answers of a hand", longest_hand, limits.hand_seconds, "--t_hand"),
        ("a hand on average", mean_hand, limits.per_hand_seconds, "--t_per_hand"),
    )
    over = [
        f"{what} took {_ms(took)}, {option} is {_ms(limit)}"
        for what, took, limit, option in limited
        if took > limit
    ]
    if over:
        late = sum(second > limits.response_seconds for second in seconds)
        return failed(f"{'; '.join(over)} ({summary})", facts={"late": late, **facts})
    return passed(summary, late=0, **facts)


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.{1 if seconds < 1 else 0}f} ms"


def _judge(match: RandomMatch, kinds: frozenset[FaultKind], **facts: Any) -> CheckFinding:
    """Return the finding on faults of certain kinds."""
    if not match.answers:
        return not_run("there is nothing to judge (check plays-on)")
    faults = faults_in(match.hands, kinds)
    facts |= {"answers": match.answers, "faults": {}}
    if not faults:
        return passed(match.extent, **facts)
    counts = Counter(fault.kind for fault in faults)
    facts["faults"] = {kind.name.lower(): number for kind, number in counts.items()}
    return _worst_finding(faults, match.extent, facts)


def _worst_finding(
    faults: Sequence[AnswerFault], extent: str, facts: Mapping[str, Any]
) -> CheckFinding:
    """Return the finding on faults of which there is at least one: the first of the worst kind."""
    counts = Counter(fault.kind for fault in faults)
    hard = [fault for fault in faults if fault.kind not in TOLERATED_FAULTS]
    worst = (hard or faults)[0]
    kinds = "; ".join(f"{number:,} x {kind.value}" for kind, number in counts.items())
    said = f"{extent}: {kinds}" + (
        f"; in the first case {worst.legal_actions}" if worst.legal_actions else ""
    )
    sent = [shown(worst.asked)] if worst.asked else []
    verdict = CheckVerdict.FAILED if hard else CheckVerdict.WARNING
    return CheckFinding(verdict, said, sent=sent, received=[shown(worst.line)], facts=facts)


# Hands of a special kind, after a few ordinary ones.


async def _special(
    bench: CheckBench,
    play: SpecialHands,
    *,
    game: CheckedGame | None = None,
    rules: bool = False,
) -> CheckFinding:
    """Return the finding on hands that `play` plays.

    Args:
        rules: whether actions that are not legal count, and nothing else; otherwise lines in bad
            form and out of turn do, of kinds that ordinary hands did not show.
    """
    async with bench.seated(game=game) as table:
        try:
            await table.play_round(calls)
            await table.quiet()
        except BotTrouble as trouble:
            return not_run(f"in an ordinary hand before it, {trouble}")
        ordinary = len(table.hands)
        usual = {fault.kind for hand in table.hands for fault in hand.faults}
        judged_kinds = RULE_FAULTS if rules else (FORM_FAULTS | UNASKED_FAULTS) - usual
        try:
            finding = await play(table)
            await table.quiet()
        except BotTrouble as trouble:
            await table.session.explain(trouble)
            return table.session.failure(str(trouble))
        special = table.hands[ordinary:]
        faults = faults_in(special, judged_kinds - TOLERATED_FAULTS)
        answers = sum(len(hand.answers) for hand in special)
        extent = f"{answers:,} answers in {len(special):,} hands"
        if faults:
            return _worst_finding(faults, extent, {})
        return finding or passed(extent, answers=answers, hands=len(special))


async def _raise_sizes(bench: CheckBench) -> CheckFinding:
    no_limit = bench.game.game.no_limit
    lines: list[Opponents] = [raises_least]
    if no_limit:
        lines += [leaves_one_size, raises_past_half, bets_all_on(0)]

    async def play(table: SeatedPlay) -> CheckFinding:
        first = len(table.hands)
        for opponents in lines:
            for position in table.positions:
                for _ in range(_DEALS_PER_RAISE_LINE):
                    await table.play(position, opponents, deal=table.strong_deal(position, 4))
        return _tell_raises(table.hands[first:], no_limit=no_limit)

    return await _special(bench, play, rules=True)


def _tell_raises(hands: Sequence[CheckedHand], *, no_limit: bool) -> CheckFinding:
    counts = dict.fromkeys(("raises", "least", "all_in", "only_one", "none_legal"), 0)
    for hand in hands:
        for answer in hand.answers:
            legal = answer.state.raise_range()
            counts["none_legal"] += legal is None
            counts["only_one"] += legal is not None and legal[0] == legal[1]
            if answer.action.kind == "r" and legal is not None:
                counts["raises"] += 1
                counts["least"] += answer.action.raise_to == legal[0]
                counts["all_in"] += answer.action.raise_to == legal[1]
    asked = sum(len(hand.answers) for hand in hands)
    said = (
        f"{asked} answers, {counts['none_legal']} where no raise was legal and "
        f"{counts['only_one']} where one size was; {counts['raises']} raises"
    )
    if not counts["raises"]:
        said += ", so its sizes were not tested"
    elif no_limit:
        said += f", {counts['least']} of the least size and {counts['all_in']} all-in"
    return passed(said, answers=asked, **counts)


async def _all_in(bench: CheckBench) -> CheckFinding:
    streets = bench.game.game.streets

    async def play(table: SeatedPlay) -> CheckFinding:
        runs = shoved = 0
        for street in range(streets - 1):
            for position in table.positions:
                for _ in range(_TRIES_PER_POSITION):
                    deal = table.strong_deal(position)
                    hand = await table.play(position, bets_all_on(street), deal=deal)
                    shoved += 1
                    end = hand.end
                    if end is not None and end.showdown and end.betting.endswith("/"):
                        runs += 1
                        break
        if not runs:
            return not_applicable(f"it called none of {shoved} all-ins")
        said = f"{runs} hands ended with all-in and the rest of the board at once, of {shoved}"
        return passed(said, runs=runs, hands=shoved)

    return await _special(bench, play)


async def _showdown(bench: CheckBench) -> CheckFinding:
    async def play(table: SeatedPlay) -> CheckFinding:
        showdowns = shown = 0
        for position in table.positions:
            for _ in range(_TRIES_PER_POSITION):
                deal = table.strong_deal(position, 8)
                hand = await table.play(position, calls, deal=deal)
                if hand.end is not None and hand.end.showdown:
                    showdowns += 1
                    shown += not hand.end.folded[position]
                    break
        await table.play(0, calls)
        if not showdowns:
            return not_applicable("it folded before every showdown")
        return passed(f"{showdowns} showdowns, {shown} with its own cards", showdowns=showdowns)

    return await _special(bench, play)


async def _hand_numbers(bench: CheckBench) -> CheckFinding:
    async def play(table: SeatedPlay) -> None:
        for number in _HAND_NUMBERS:
            table.numbers = count(number)
            await table.play(number % len(table.positions), calls)

    return await _special(bench, play)


async def _odd_stacks(bench: CheckBench) -> CheckFinding:
    odd = with_odd_stacks(bench.game)
    assert odd is not None
    stacks = "/".join(map(str, odd.game.stacks))
    seed = seed_for(bench.settings.seed, odd.name, "opponents")
    opponents = random_line(np.random.default_rng(seed))

    async def play(table: SeatedPlay) -> CheckFinding:
        first = len(table.hands)
        for number in range(_ODD_STACK_HANDS):
            await table.play(-number % len(table.positions), opponents)
        for position in table.positions:
            await table.play(position, bets_all_on(0), deal=table.strong_deal(position))
        hands = table.hands[first:]
        answers = sum(len(hand.answers) for hand in hands)
        return passed(f"{answers} answers in {len(hands)} hands with stacks {stacks}")

    try:
        return await _special(bench, play, game=odd, rules=True)
    except BotRefused as error:
        return not_applicable(f"it does not play stacks of {stacks}: {error}")


def _delivered(*ways: Callable[[BotLink], Delivery]) -> Script:
    """Return the script that plays hands in every position in each of some ways."""

    async def play(table: SeatedPlay) -> None:
        for way in ways:
            delivery = way(table.link)
            for _ in range(_HANDS_PER_POSITION):
                await table.play_round(calls, delivery)
            await delivery.flush()

    return lambda bench: _special(bench, play)


async def _line_feed(bench: CheckBench) -> CheckFinding:
    finding = await _delivered(LineFeeds)(bench)
    tolerated = finding.verdict is CheckVerdict.FAILED
    return replace(finding, verdict=CheckVerdict.WARNING) if tolerated else finding


# Connections that end: in the middle of a hand, and after the last one.


async def _reconnect(bench: CheckBench) -> CheckFinding:
    patience = bench.settings.exit_seconds
    async with bench.seated(reconnect_seconds=patience) as table:
        try:
            await table.play_round(calls)
        except BotTrouble as trouble:
            return not_run(f"in an ordinary hand before it, {trouble}")
        return await _cut_off(table, patience)


async def _cut_off(table: SeatedPlay, patience: float) -> CheckFinding:
    """Lose the connection while the bot is to act; see what it does."""
    session = table.session
    for number in range(_MOST_CUT_TRIES):
        hand = table.next_hand(number % len(table.positions))
        deal = next(table.deals)
        question = await table.player.ask(hand, deal, calls, Delivery(table.link))
        if question is not None:
            break
    else:
        return not_applicable("it was never to act")
    session.listen()
    lost = time.monotonic()
    await table.link.close()
    try:
        await session.accept(patience)
    except BotGone:
        assert session.child is not None
        ending = f"{session.status_words()} after the loss"
        crashed = (session.child.status or 0) < 0
        return failed(ending) if crashed else passed(f"allowed: {ending}", comes_back=False)
    except BotTrouble:
        if session.child is None:
            return not_applicable("allowed: it did not come back")
        return failed(f"neither came back nor ended within {patience:g} s after the loss")
    away = time.monotonic() - lost
    try:
        await session.greeting()
        await table.player.play(hand, deal, calls, Delivery(table.link), begin=question.state)
        await table.play(0, calls)
    except BotTrouble as trouble:
        await session.explain(trouble)
        return session.failure(f"came back after {away:.1f} s, but {trouble}")
    return passed(f"came back after {away:.1f} s and played on", comes_back=True)


async def _exits(bench: CheckBench) -> CheckFinding:
    patience = bench.settings.exit_seconds
    async with bench.seated() as table:
        try:
            for _ in range(_HANDS_PER_POSITION):
                await table.play_round(calls)
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
        if remaining := await _remaining_processes(session):
            return failed(
                f"left {remaining} {'process' if remaining == 1 else 'processes'} behind",
                hint="end what the bot has started before it ends itself",
            )
        return passed(f"ended {took:.1f} s after the match", seconds=round(took, 3))


async def _remaining_processes(session: BotSession) -> int:
    """Return how many processes of a bot that has ended there are, after a moment for those."""
    assert session.child is not None
    for _ in range(5):
        remaining = len(marked_processes(session.mark))
        if not remaining and not session.child.group_lives:
            return 0
        await asyncio.sleep(0.1)
    return max(remaining, 1)


# Why there is nothing to check; "" where there is.


def _always(_game: CheckedGame, _bot: Participant) -> str:
    return ""


def _not_ours(_game: CheckedGame, bot: Participant) -> str:
    return "somebody else starts the bot" if bot.kind is BotKind.LISTEN else ""


def _nobody_all_in(game: CheckedGame, _bot: Participant) -> str:
    if not game.game.no_limit or not game.has_stacks:
        return "stacks do not end in this game"
    return "" if game.game.streets > 1 else "the game has one street"


def _no_other_stacks(game: CheckedGame, bot: Participant) -> str:
    if with_odd_stacks(game) is None:
        return "stacks do not end in this game"
    if bot.kind is BotKind.SHIPPED or any(GAME_PLACEHOLDER in word for word in bot.words):
        return ""
    return f"the bot is not told its game; write {GAME_PLACEHOLDER} where it takes a game file"


class ComplianceCheck(NamedTuple):
    """One thing that a bot is asked to do right: a row of the table."""

    name: str
    script: Script
    section: str
    """Of docs/compliance.md."""
    purpose: str
    """What the bot does that passes, as "answers in every position"."""
    expected: str
    """What the protocol wants, one sentence."""
    hint: str
    """What to change in a bot that fails."""
    why_not: Callable[[CheckedGame, Participant], str] = _always
    """Returns why there is nothing to check, "" where there is."""
    needed: bool = False
    """Whether nothing else can be checked where this fails."""


CHECKS: Final = (
    ComplianceCheck(
        "connects", _connects, "sitting-down", "connects to the dealer in time",
        "the bot connects to the host and port that are the last words of its command",
        "take the last two words of the command line for host and port, and connect there; "
        "what takes long belongs before that, within --start_timeout",
        needed=True,
    ),
    ComplianceCheck(
        "greeting", _greeting, "sitting-down", "says VERSION:2.0.0 first",
        "the first line is VERSION:2.0.0 and CR LF, sent at once, before any state comes",
        r'send "VERSION:2.0.0\r\n" as soon as the connection is made, and nothing before it',
        needed=True,
    ),
    ComplianceCheck(
        "positions", _positions, "answers", "answers in every position",
        "an answer to every state in which the player in the state's position is to act",
        "work out who is to act from the betting and the game file (firstPlayer, blinds); the "
        "position, the number behind MATCHSTATE, changes from hand to hand",
        needed=True,
    ),
    ComplianceCheck(
        "plays-on", _plays_on, "answers",
        "plays a long match against random opponents without a break",
        "an answer in time to every state in which the bot is to act, hand after hand",
        "look at the last state that was sent: a bot that fails here fails at some betting or "
        "card that it did not expect",
    ),
    ComplianceCheck(
        "answer-form", _judging(FORM_FAULTS), "answers", "answers with the state and an action",
        "the state exactly as it was sent, a colon, f, c or r (in no-limit games r and "
        "the chips of the whole hand), CR LF",
        "keep the line as it came, cut off its line end, and send it back with the action "
        "behind it",
    ),
    ComplianceCheck(
        "silence", _judging(UNASKED_FAULTS), "answers", "says nothing when it is not to act",
        "no line for states in which another player is to act, after the bot has folded, "
        "when the hand is over, and after the last hand",
        "answer a state only where the position to act, worked out from the betting, is the "
        "one behind MATCHSTATE",
    ),
    ComplianceCheck(
        "legal-answers", _legal, "legal-actions", "does only what the rules allow",
        "an action that is legal in the state",
        "fold only where there is something to call. A raise is a total of the whole hand: at "
        "least the bet plus the size of the last raise, at most the stack. Raise at most maxRaises "
        "times on a street",
    ),
    ComplianceCheck(
        "time", _time, "time", "answers within the time limits",
        "each answer within --t_response, those of a hand within --t_hand, and on average "
        "those of a hand within --t_per_hand",
        "begin with what takes long before connecting; the limits are in the bot's "
        "environment, ARENA_T_RESPONSE and so on",
    ),
    ComplianceCheck(
        "raise-sizes", _raise_sizes, "legal-actions",
        "is right about raises where few or none are legal",
        "no raise where none is legal, the all-in where a full raise is more than the "
        "stack, and nothing above the stack",
        "the least raise is the bet to match plus the size of the last raise, or all-in "
        "where the stack is less. Do not raise when all opponents left are all-in",
    ),
    ComplianceCheck(
        "all-in", _all_in, "states",
        "reads states in which the rest of the board comes at once",
        "when nobody can bet any more, the last state has all slashes and the whole "
        "board, as cr20000c///, and wants no answer",
        "read slashes wherever they stand; a hand is over when at most one player can act "
        "and nobody has a bet to call",
        _nobody_all_in,
    ),
    ComplianceCheck(
        "showdown", _showdown, "states", "reads states with everybody's cards",
        "the last state of a hand with a showdown has the cards of all who did not fold, "
        "and wants no answer",
        "take your own cards from the field of your position, not from the only one that "
        "is not empty",
    ),
    ComplianceCheck(
        "hand-numbers", _hand_numbers, "states",
        "plays hands whose numbers begin late and skip",
        "a match that is resumed begins with any hand; its number says nothing else",
        "do not count hands; take the number from the state, only to send it back",
    ),
    ComplianceCheck(
        "odd-stacks", _odd_stacks, "legal-actions",
        "plays with stacks that differ and are no round numbers",
        "stacks are those of the game file; chips that nobody can call come back",
        "take stacks from the game file, for each position its own",
        _no_other_stacks,
    ),
    ComplianceCheck(
        "bytes", _delivered(ByteByByte), "lines", "reads lines that come byte by byte",
        "TCP may cut a line anywhere: a bot acts upon it when its LF has come",
        "collect what is read, and take lines out of it up to each LF; what is left over is "
        "the beginning of the next line",
    ),
    ComplianceCheck(
        "joined", _delivered(JoinedStates, OddCuts), "lines", "reads lines that come many at once",
        "TCP may join lines: the last state of a hand and the first of the next one "
        "usually come together, and so may a line and a piece of another",
        "take every line out of what is read, one after the other, and keep what is left over",
    ),
    ComplianceCheck(
        "line-feed", _line_feed, "lines", "reads lines that end with LF alone",
        "the dealer ends lines with CR LF; others end them with LF",
        "end lines at LF, and cut off a CR before it where there is one",
    ),
    ComplianceCheck(
        "comments", _delivered(BetweenComments), "lines",
        "passes over lines that begin with # or ;",
        "lines that begin with # or ; are comments, which a dealer may send at any time",
        "pass over lines that do not begin with MATCHSTATE:",
    ),
    ComplianceCheck(
        "waits-for-others", _waits_for_others, "sitting-down",
        "waits for a first state that comes late",
        "a connected bot waits until all others are there, which may take minutes",
        "put no time limit on reading",
    ),
    ComplianceCheck(
        "waits-for-dealer", _waits_for_dealer, "sitting-down",
        "tries again while there is no dealer, or ends",
        "a bot that finds no dealer ends, or tries again until there is one",
        "end with an exit code above 0 when the connection is refused, or try again every "
        "second",
        _not_ours,
    ),
    ComplianceCheck(
        "reconnect", _reconnect, "endings", "comes back after a lost connection, or ends",
        "a bot that loses its connection in mid-hand ends, or connects again, greets and "
        "answers the state that it is sent then",
        "treat a closed connection as the end wherever it comes; do not read on from a "
        "closed socket for ever",
    ),
    ComplianceCheck(
        "clean-exit", _exits, "endings", "ends by itself after the match",
        "the dealer closes the connection after the last hand; the bot then ends with "
        "exit code 0 and leaves no process behind",
        "end with exit code 0 when reading gives nothing more",
    ),
)  # fmt: skip

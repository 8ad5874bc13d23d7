"""One long match against random opponents, which several checks judge, each for its own faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dealer.compliance.bench import seed_for
from dealer.compliance.check import ComplianceCheck
from dealer.compliance.delivery import Delivery
from dealer.compliance.errors import BotTrouble
from dealer.compliance.faults import (
    BY_THE_RULES,
    IN_FORM,
    TOLERATED,
    UNASKED,
    AnswerFault,
    FaultKind,
)
from dealer.compliance.opponents import RandomOpponents
from dealer.compliance.play import CheckedHand, faults_in
from dealer.compliance.result import CheckFinding, failed, not_run, passed, warned
from dealer.compliance.wire import shown

if TYPE_CHECKING:
    from dealer.compliance.bench import CheckBench

_NAME: Final = "match"
_PAUSE_SECONDS: Final = 0.002
_PERCENTILES: Final = (50, 90, 99)
_NOTHING: Final[Mapping[str, Any]] = {}


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
        broken = f", then it broke off (check {PLAYS_ON.name})" if self.failure else ""
        return f"{self.answers:,} answers in {len(self.hands):,} hands{broken}"


async def _match(bench: CheckBench) -> RandomMatch:
    """Play the match, the first time that it is asked for."""
    if bench.shared is None:
        try:
            bench.shared = await _play(bench)
        except BotTrouble as trouble:
            bench.shared = trouble
    if isinstance(bench.shared, RandomMatch):
        return bench.shared
    raise bench.shared


async def _play(bench: CheckBench) -> RandomMatch:
    hands = bench.settings.hands
    async with bench.seated(_NAME) as table:
        seed = seed_for(bench.settings.seed, bench.game.name, _NAME, "opponents")
        opponents = RandomOpponents(np.random.default_rng(seed))
        delivery = Delivery(table.link, _PAUSE_SECONDS)
        players = len(table.positions)
        try:
            for number in range(hands):
                bench.progress(f"hand {number:,} of {hands:,}")
                await table.play(-number % players, opponents, delivery)
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


def _judging(kinds: frozenset[FaultKind]) -> Callable[[CheckBench], Awaitable[CheckFinding]]:
    async def judge(bench: CheckBench) -> CheckFinding:
        return _judge(await _match(bench), kinds)

    return judge


async def _legal(bench: CheckBench) -> CheckFinding:
    match = await _match(bench)
    kinds = Counter(answer.action.kind for hand in match.hands for answer in hand.answers)
    facts = {"folds": kinds["f"], "calls": kinds["c"], "raises": kinds["r"]}
    return _judge(match, BY_THE_RULES, **facts)


async def _time(bench: CheckBench) -> CheckFinding:
    match = await _match(bench)
    seconds = sorted(answer.seconds for hand in match.hands for answer in hand.answers)
    if not seconds:
        return not_run(f"there is no answer to time (check {PLAYS_ON.name})")
    limits = bench.settings
    longest_hand = max(hand.seconds for hand in match.hands)
    mean_hand = sum(seconds) / len(match.hands)
    values = np.percentile(seconds, _PERCENTILES, method="inverted_cdf").tolist()
    numbers = {f"p{share}": value for share, value in zip(_PERCENTILES, values, strict=True)}
    numbers |= {"max": seconds[-1], "longest_hand": longest_hand, "mean_hand": mean_hand}
    words = ", ".join(f"{name.replace('_', ' ')} {_ms(value)}" for name, value in numbers.items())
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
        return failed(f"{'; '.join(over)} ({words})", facts={"late": late, **facts})
    return passed(words, late=0, **facts)


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.{1 if seconds < 1 else 0}f} ms"


def _judge(match: RandomMatch, kinds: frozenset[FaultKind], **facts: Any) -> CheckFinding:
    """Return the finding on faults of certain kinds."""
    if not match.answers:
        return not_run(f"there is nothing to judge (check {PLAYS_ON.name})")
    faults = faults_in(match.hands, kinds)
    facts |= {"answers": match.answers, "faults": {}}
    if not faults:
        return passed(match.extent, **facts)
    counts = Counter(fault.kind for fault in faults)
    facts["faults"] = {kind.name.lower(): number for kind, number in counts.items()}
    return worst_finding(faults, match.extent, facts)


def worst_finding(
    faults: Sequence[AnswerFault], extent: str, facts: Mapping[str, Any] = _NOTHING
) -> CheckFinding:
    """Return the finding on faults of which there is at least one: the first of the worst kind."""
    counts = Counter(fault.kind for fault in faults)
    hard = [fault for fault in faults if fault.kind not in TOLERATED]
    worst = (hard or faults)[0]
    kinds = "; ".join(f"{number:,} x {kind.value}" for kind, number in counts.items())
    said = f"{extent}: {kinds}" + (f"; in the first case {worst.words}" if worst.words else "")
    tell = failed if hard else warned
    sent = [shown(worst.asked)] if worst.asked else []
    return tell(said, sent=sent, received=[shown(worst.line)], facts=facts)


PLAYS_ON: Final = ComplianceCheck(
    name="plays-on",
    purpose="plays a long match against random opponents without a break",
    expected="an answer in time to every state in which the bot is to act, hand after hand",
    hint="look at the last state that was sent: a bot that fails here fails at some betting or "
    "card that it did not expect",
    section="answers",
    run=_plays_on,
)
MATCH: Final = (
    PLAYS_ON,
    ComplianceCheck(
        name="answer-form",
        purpose="answers with the state and an action",
        expected="the state exactly as it was sent, a colon, f, c or r (in no-limit games r and "
        "the chips of the whole hand), CR LF",
        hint="keep the line as it came, cut off its line end, and send it back with the action "
        "behind it",
        section="answers",
        run=_judging(IN_FORM),
    ),
    ComplianceCheck(
        name="silence",
        purpose="says nothing when it is not to act",
        expected="no line for states in which another player is to act, after the bot has folded, "
        "when the hand is over, and after the last hand",
        hint="answer a state only where the position to act, worked out from the betting, is the "
        "one behind MATCHSTATE",
        section="answers",
        run=_judging(UNASKED),
    ),
    ComplianceCheck(
        name="legal-answers",
        purpose="does only what the rules allow",
        expected="an action that is legal in the state",
        hint="fold only where there is something to call. A raise is a total of the whole hand: at "
        "least the bet plus the size of the last raise, at most the stack. Raise at most maxRaises "
        "times on a street",
        section="legal-actions",
        run=_legal,
    ),
    ComplianceCheck(
        name="time",
        purpose="answers within the time limits",
        expected="each answer within --t_response, those of a hand within --t_hand, and on average "
        "those of a hand within --t_per_hand",
        hint="begin with what takes long before connecting; the limits are in the bot's "
        "environment, ARENA_T_RESPONSE and so on",
        section="time",
        run=_time,
    ),
)

"""States that come up seldom: few legal raises, all-ins, showdowns, odd hand numbers and stacks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Final

import numpy as np

from dealer.bots.participants import GAME_WORD, BotKind
from dealer.compliance.bench import seed_for
from dealer.compliance.check import ComplianceCheck
from dealer.compliance.checks.special_hands import check_special_hands
from dealer.compliance.errors import BotRefused
from dealer.compliance.games import with_odd_stacks
from dealer.compliance.opponents import (
    RandomOpponents,
    bets_all_on,
    calls,
    leaves_one_size,
    raises_least,
    raises_past_half,
)
from dealer.compliance.result import CheckFinding, not_applicable, passed

if TYPE_CHECKING:
    from dealer.bots.participants import Participant
    from dealer.compliance.bench import CheckBench, SeatedPlay
    from dealer.compliance.games import CheckedGame
    from dealer.compliance.play import CheckedHand

_TRIES: Final = 6
"""Hands in each position and of each line of play until the bot has called."""
_DEALS: Final = 4
"""Deals for each position and line of play that raises."""
_NUMBERS: Final = (17, 18, 4711, 99_999, 1_000_000, 99_999_999)
"""Of hands, in this order."""
_ODD_HANDS: Final = 24
"""Against random opponents, with odd stacks."""


async def _raise_sizes(bench: CheckBench) -> CheckFinding:
    no_limit = bench.game.game.no_limit
    lines = (
        (raises_least, leaves_one_size, raises_past_half, bets_all_on(0))
        if no_limit
        else (raises_least,)
    )

    async def play(table: SeatedPlay) -> CheckFinding:
        first = len(table.hands)
        for opponents in lines:
            for position in table.positions:
                for _ in range(_DEALS):
                    await table.play(position, opponents, deal=table.strong_deal(position, 4))
        return _told_of_raises(table.hands[first:], no_limit=no_limit)

    return await check_special_hands(bench, "raise-sizes", play, rules=True)


def _told_of_raises(hands: Sequence[CheckedHand], *, no_limit: bool) -> CheckFinding:
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
                for _ in range(_TRIES):
                    deal = table.strong_deal(position)
                    hand = await table.play(position, bets_all_on(street), deal=deal)
                    shoved += 1
                    if _ends_with_slashes(hand):
                        runs += 1
                        break
        if not runs:
            return not_applicable(f"it called none of {shoved} all-ins")
        return passed(
            f"{runs} hands ended with all-in and the rest of the board at once, of {shoved}",
            runs=runs,
            hands=shoved,
        )

    return await check_special_hands(bench, "all-in", play)


def _ends_with_slashes(hand: CheckedHand) -> bool:
    return hand.end is not None and hand.end.showdown and hand.end.betting.endswith("/")


async def _showdown(bench: CheckBench) -> CheckFinding:
    async def play(table: SeatedPlay) -> CheckFinding:
        seen = shown_own = 0
        for position in table.positions:
            for _ in range(_TRIES):
                deal = table.strong_deal(position, 8)
                hand = await table.play(position, calls, deal=deal)
                if hand.end is not None and hand.end.showdown:
                    seen += 1
                    shown_own += not hand.end.folded[position]
                    break
        await table.play(0, calls)
        if not seen:
            return not_applicable("it folded before every showdown")
        return passed(f"{seen} showdowns, {shown_own} with its own cards", showdowns=seen)

    return await check_special_hands(bench, "showdown", play)


async def _hand_numbers(bench: CheckBench) -> CheckFinding:
    async def play(table: SeatedPlay) -> None:
        for number in _NUMBERS:
            table.numbers = count(number)
            await table.play(number % len(table.positions), calls)

    return await check_special_hands(bench, "hand-numbers", play)


async def _odd_stacks(bench: CheckBench) -> CheckFinding:
    odd = with_odd_stacks(bench.game)
    assert odd is not None
    stacks = "/".join(map(str, odd.game.stacks))
    seed = seed_for(bench.settings.seed, odd.name, "opponents")
    opponents = RandomOpponents(np.random.default_rng(seed))

    async def play(table: SeatedPlay) -> CheckFinding:
        first = len(table.hands)
        players = len(table.positions)
        for number in range(_ODD_HANDS):
            await table.play(-number % players, opponents)
        for position in table.positions:
            await table.play(position, bets_all_on(0), deal=table.strong_deal(position))
        hands = table.hands[first:]
        answers = sum(len(hand.answers) for hand in hands)
        return passed(f"{answers} answers in {len(hands)} hands with stacks {stacks}")

    try:
        return await check_special_hands(bench, "odd-stacks", play, game=odd, rules=True)
    except BotRefused as error:
        return not_applicable(f"it does not play stacks of {stacks}: {error}")


def _nobody_all_in(game: CheckedGame, _bot: Participant) -> str:
    if not game.game.no_limit or not game.has_stacks:
        return "stacks do not end in this game"
    return "" if game.game.streets > 1 else "the game has one street"


def _no_other_stacks(game: CheckedGame, bot: Participant) -> str:
    if with_odd_stacks(game) is None:
        return "stacks do not end in this game"
    if bot.kind is BotKind.SHIPPED or any(GAME_WORD in word for word in bot.words):
        return ""
    return f"the bot is not told its game; write {GAME_WORD} where it takes a game file"


STATES: Final = (
    ComplianceCheck(
        name="raise-sizes",
        purpose="is right about raises where few or none are legal",
        expected="no raise where none is legal, the all-in where a full raise is more than the "
        "stack, and nothing above the stack",
        hint="the least raise is the bet to match plus the size of the last raise, or all-in "
        "where the stack is less. Do not raise when all opponents left are all-in",
        section="legal-actions",
        run=_raise_sizes,
    ),
    ComplianceCheck(
        name="all-in",
        purpose="reads states in which the rest of the board comes at once",
        expected="when nobody can bet any more, the last state has all slashes and the whole "
        "board, as cr20000c///, and wants no answer",
        hint="read slashes wherever they stand; a hand is over when at most one player can act "
        "and nobody has a bet to call",
        section="states",
        run=_all_in,
        why_not=_nobody_all_in,
    ),
    ComplianceCheck(
        name="showdown",
        purpose="reads states with everybody's cards",
        expected="the last state of a hand with a showdown has the cards of all who did not fold, "
        "and wants no answer",
        hint="take your own cards from the field of your position, not from the only one that "
        "is not empty",
        section="states",
        run=_showdown,
    ),
    ComplianceCheck(
        name="hand-numbers",
        purpose="plays hands whose numbers begin late and skip",
        expected="a match that is resumed begins with any hand; its number says nothing else",
        hint="do not count hands; take the number from the state, only to send it back",
        section="states",
        run=_hand_numbers,
    ),
    ComplianceCheck(
        name="odd-stacks",
        purpose="plays with stacks that differ and are no round numbers",
        expected="stacks are those of the game file; chips that nobody can call come back",
        hint="take stacks from the game file, for each position its own",
        section="legal-actions",
        run=_odd_stacks,
        why_not=_no_other_stacks,
    ),
)

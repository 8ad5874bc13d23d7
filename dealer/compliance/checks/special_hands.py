"""Hands of a special kind, after a few ordinary ones.

A bot that answers with the wrong state does so in every hand, and that is the affair of one check.
The others disregard the kinds of faults that came up in the ordinary hands already.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias

from dealer.compliance.checks.match import worst_finding
from dealer.compliance.errors import BotTrouble
from dealer.compliance.faults import BY_THE_RULES, IN_FORM, TOLERATED, UNASKED
from dealer.compliance.opponents import calls
from dealer.compliance.play import faults_in, kinds_in
from dealer.compliance.result import CheckFinding, not_run, passed

if TYPE_CHECKING:
    from dealer.compliance.bench import CheckBench, SeatedPlay
    from dealer.compliance.games import CheckedGame

SpecialHands: TypeAlias = "Callable[[SeatedPlay], Awaitable[CheckFinding | None]]"


async def check_special_hands(
    bench: CheckBench,
    name: str,
    play: SpecialHands,
    *,
    game: CheckedGame | None = None,
    rules: bool = False,
) -> CheckFinding:
    """Return the finding on hands of a special kind.

    Args:
        play: plays them; may return a finding, which counts where no fault was found.
        rules: whether actions that are not legal count, and nothing else; otherwise lines in bad
            form and out of turn do, of kinds that ordinary hands did not show.
    """
    async with bench.seated(name, game=game) as table:
        try:
            for position in table.positions:
                await table.play(position, calls)
            await table.quiet()
        except BotTrouble as trouble:
            return not_run(f"in an ordinary hand before it, {trouble}")
        judged_kinds = BY_THE_RULES if rules else (IN_FORM | UNASKED) - kinds_in(table.hands)
        ordinary = len(table.hands)
        try:
            said = await play(table)
            await table.quiet()
        except BotTrouble as trouble:
            await table.session.explain(trouble)
            return table.session.failure(str(trouble))
        special = table.hands[ordinary:]
        faults = faults_in(special, judged_kinds - TOLERATED)
        answers = sum(len(hand.answers) for hand in special)
        extent = f"{answers:,} answers in {len(special):,} hands"
        if faults:
            return worst_finding(faults, extent)
        return said or passed(extent, answers=answers, hands=len(special))

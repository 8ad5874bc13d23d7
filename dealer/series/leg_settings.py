"""What all legs of a match have in common, and the plan of a leg."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar

from dealer.bots.participants import BotKind, Participant
from dealer.bots.programs import compiling_text
from dealer.plan.match_plan import DealerPlan, MatchLimits, MatchPlan, Records, SeatPlan
from dealer.plan.options import with_options
from dealer.series.given_deals import DEALS_COPY_NAME
from dealer.series.manifest import Manifest
from dealer.series.outcome import hands_in
from dealer.series.schedule import GUEST_START_LIMIT_MS, START_LIMIT_MS, Leg
from dealer.server.waits import Wait
from engine.parallel.own_programs import own_program

_View = TypeVar("_View")
_MS_PER_SHOWN_HAND: Final = 100
"""Bots that learn are shown the hands played before they connect."""


@dataclass(frozen=True, slots=True)
class LegSettings:
    """What all legs of a match have in common."""

    manifest: Manifest
    folder: Path
    announce: Callable[[str], None]
    """Tells the user something that cannot wait, one line."""
    recover: bool = False
    """Start a bot again that ended with an error."""
    events: bool = False
    """Let the dealer write its structured log."""
    lock_fd: int | None = None
    """The folder's lock; dealers hold it too, so it is free only when none writes there."""
    dealer: tuple[str, ...] = (*own_program("arena"), "dealer")
    """The dealer's program and first arguments."""
    in_process: bool = False
    """Play legs of shipped bots without a dealer: `dealer.series.in_process_leg`."""
    waits: dict[str, Callable[[], Wait | None]] = field(default_factory=dict)
    """By name of a leg in play: says whom its dealer waits for."""
    compiling: set[str] = field(default_factory=set)
    """Bots of which the user was told that they are compiled first."""
    unlogged: dict[str, Callable[[], int]] = field(default_factory=dict)
    """By name of a leg in play without a dealer: counts its hands, which no log has yet."""

    def tell_compiling(self, bots: str) -> None:
        """Tell the user, once for all legs, that bots are compiled first."""
        if bots not in self.compiling:
            self.compiling.add(bots)
            self.announce(compiling_text(bots))


@contextmanager
def told_of(views: dict[str, _View], leg: str, view: _View) -> Iterator[None]:
    """Within, let something be known of a leg, to be asked for."""
    views[leg] = view
    try:
        yield
    finally:
        del views[leg]


def leg_plan(settings: LegSettings, leg: Leg, tokens: Sequence[str] = ()) -> DealerPlan:
    """Return what the leg's dealer is to play; its files lie in the match folder, where it runs.

    Args:
        tokens: in seat order; none where nobody has to say one.
    """
    manifest = settings.manifest
    bots = [manifest.bots[index] for index in leg.seats]
    guests = any(bot.kind is BotKind.LISTEN for bot in bots)
    played = hands_in(settings.folder / f"{leg.name}.log")
    start_ms = (GUEST_START_LIMIT_MS if guests else START_LIMIT_MS) + _MS_PER_SHOWN_HAND * played
    seats = [
        SeatPlan(bot.label, bot.clocks, token)
        for bot, token in zip(bots, tokens or [""] * len(bots), strict=True)
    ]
    records = Records(
        f"{leg.name}.log",
        f"{leg.name}.tlog",
        append=True,
        events=f"{leg.name}.events.jsonl" if settings.events else None,
        summary=f"{leg.name}.end.json",
        transcript=False,
    )
    match = MatchPlan(
        leg.name,
        manifest.game_name,
        manifest.hands,
        leg.seed,
        tuple(seats),
        records,
        MatchLimits(start_timeout=start_ms),
        deals=None if manifest.deals is None else DEALS_COPY_NAME,
        first_deal=0 if manifest.deals is None else leg.run * manifest.hands,
    )
    ports = tuple(bot.port for bot in bots) if any(bot.port for bot in bots) else ()
    plan = DealerPlan(match, ports=ports, ending_codes=True)
    return with_options(plan, manifest.dealer_options)


def bot_limits(manifest: Manifest, bot: Participant) -> MatchLimits:
    """Return the limits of a bot's seat, as it is told them."""
    given = {name: value for name, value in manifest.dealer_options if name != "listen"}
    return replace(MatchLimits(), **given | dict(bot.clocks))

"""What makes one match or tournament another: what must be the same where it is resumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dealer.bots.participants import Participant
    from dealer.legs.manifest import Manifest


def differences(manifest: Manifest, other: Manifest, where: str = "in the folder") -> list[str]:
    """Return one line for each way in which `other` would be another match or tournament.

    More hands of a match, or more runs, are none: that is the same made longer.  Nor are bots that
    join a tournament.
    """
    if new := other.newcomers(manifest):
        other = other.without(new)
    pairs = {what: (told(manifest), told(other)) for what, told in _FACTS.items()}
    lengths = {"runs" if manifest.style is None else "rounds": (manifest.runs, other.runs)}
    if manifest.style is None:
        lengths["hands"] = manifest.hands, other.hands
    else:
        pairs["hands"] = manifest.hands, other.hands
    return (
        [
            f"{what}: {before} {where}, {now} asked for"
            for what, (before, now) in pairs.items()
            if before != now
        ]
        + [
            f"{what}: {before} {where}, {now} asked for (it can be made longer, not shorter)"
            for what, (before, now) in lengths.items()
            if before > now
        ]
        + _moved_deals(manifest, other)
    )


def _shown(bot: Participant) -> str:
    clocks = [f"--{name} {value}" for name, value in bot.clocks]
    folder = [f"in {bot.directory}"] if bot.directory else []
    started = " ".join(bot.words) or f"listen:{bot.port}"
    return " ".join([f"{bot.label}={started}", *clocks, *folder])


def _moved_deals(manifest: Manifest, other: Manifest) -> list[str]:
    """Return a line where longer legs would move the deals of the runs after the first."""
    if manifest.deals is None or manifest.runs == 1 or other.hands <= manifest.hands:
        return []
    return [f"hands: {manifest.hands} in the folder; of several runs with --deals each begins "
            "where the one before ended"]  # fmt: skip


_FACTS: Final[Mapping[str, Callable[[Manifest], object]]] = {
    "style": lambda one: one.style_name,
    "challengers": lambda one: one.challengers,
    "bots": lambda one: ", ".join(map(_shown, one.bots)),
    "game": lambda one: f"{one.game_name} ({one.game_sha256[:12]})",
    "seed": lambda one: one.seed,
    "deals": lambda one: f"of a file ({one.deals.sha256[:12]})" if one.deals else "of the seed",
    "seat of a log": lambda one: f"that of {one.sit_in.player}" if one.sit_in else "none",
    "duplicate": lambda one: one.duplicate,
    "dealer options": lambda one: (
        " ".join(f"--{name} {value}" for name, value in sorted(one.dealer_options)) or "-"
    ),
    "sequential test": lambda one: (
        " ".join(f"{name}={value}" for name, value in asdict(one.sprt).items())
        if one.sprt
        else "none"
    ),
}
"""What must be the same in a match that is resumed -> how it is told."""

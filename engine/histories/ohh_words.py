"""Words of Open Hand History that its writer and its reader share.

Source: "Open Hand History", version 1.4.6 of its specification.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from engine.histories.phh_write import stamp_text

VERSION: Final = "1.4.6"
NO_DATE: Final = "1970-01-01T00:00:00Z"
STREETS: Final = ("Preflop", "Flop", "Turn", "River")
SHOWDOWN: Final = "Showdown"
CHIPS_CURRENCY: Final = "Chips"
BESIDE_KEY: Final = "_phh"
"""What the format has no place for stands here, as TOML."""
USUAL_VALUES: Final[dict[str, Any]] = {
    "spec_version": VERSION,
    "internal_version": VERSION,
    "site_name": "Arena",
    "network_name": "Arena",
    "tournament": False,
    "table_name": "Arena",
    "currency": CHIPS_CURRENCY,
    "ante_amount": 0,
    "hero_player_id": None,
    "flags": [],
}
"""They are written for hands of logs, which have nothing of the kind."""
HAND_KEYS: Final = frozenset(
    {
        "game_number",
        "start_date_utc",
        "game_type",
        "bet_limit",
        "table_size",
        "dealer_seat",
        "small_blind_amount",
        "big_blind_amount",
        "ante_amount",
        "table_name",
        "currency",
        "players",
        "rounds",
        "pots",
        BESIDE_KEY,
    }
)
OBJECT_KEYS: Final[dict[str, frozenset[str]]] = {
    "bet_limit": frozenset({"bet_type"}),
    "players": frozenset({"id", "name", "seat", "starting_stack"}),
    "rounds": frozenset({"id", "street", "cards", "actions"}),
    "actions": frozenset({"action_number", "player_id", "action", "amount", "is_allin", "cards"}),
    "pots": frozenset({"number", "amount", "rake", "jackpot", "player_wins"}),
    "player_wins": frozenset({"player_id", "win_amount"}),
}
ZERO_KEYS: Final = frozenset({"bet_cap", "player_bounty"})
"""They say nothing where they are 0."""
OTHERS_FIELD: Final = "_ohh"
INNER_KEY: Final = "_keys"
"""Keys of objects within the hand or around it stand here, by their path."""


def stamp_of_date(text: object) -> str | None:
    """Return the unix time of a date, which is in UTC; None where there is none."""
    if not isinstance(text, str) or text == NO_DATE or len(text) > 40:
        return None
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    return stamp_text(when) if when.year >= 1970 else None


def date_of_stamp(stamp: str | None) -> str | None:
    """Return the date of a unix time, None where it would not come back the same."""
    if stamp is None:
        return NO_DATE
    seconds, _, digits = stamp.partition(".")
    try:
        when = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    text = when.replace(microsecond=int(digits[:6].ljust(6, "0")), tzinfo=None).isoformat() + "Z"
    return text if stamp_of_date(text) == stamp else None

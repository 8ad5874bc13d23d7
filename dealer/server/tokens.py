"""Secret words that show which agent a seat belongs to, for seats that have one."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

VARIABLE: Final = "ARENA_SEAT_TOKENS"
"""Environment variable with the tokens in seat order, separated by commas; empty: none."""
_MOST_CHARACTERS: Final = 100


@dataclass(frozen=True, slots=True)
class SeatTokens:
    """The tokens of one match; seats are seat indices, 0-based."""

    tokens: tuple[str, ...] = field(default=(), repr=False)
    """In seat order, may be fewer than the seats; "" guards nothing."""

    def guard(self, seat: int) -> bool:
        """Return whether a seat is reserved by a token."""
        return seat < len(self.tokens) and bool(self.tokens[seat])

    def fits(self, seat: int, said: bytes) -> bool:
        """Return whether an agent that said this may sit down."""
        return not self.guard(seat) or hmac.compare_digest(self.tokens[seat].encode(), said)


def tokens_from(environment: Mapping[str, str], seats: int) -> SeatTokens:
    """Return the tokens that an environment has for a match.

    Raises:
        ValueError: there are more than seats, or one is not made of visible ASCII characters, 100
            at most.
    """
    tokens = tuple(token.strip() for token in environment.get(VARIABLE, "").split(","))
    if len(tokens) > max(seats, 1):
        raise ValueError(f"{VARIABLE} has {len(tokens)} tokens for {seats} seats")
    for number, token in enumerate(tokens, 1):
        visible = token.isascii() and token.isprintable() and " " not in token
        if not visible or len(token) > _MOST_CHARACTERS:
            raise ValueError(
                f"{VARIABLE}: token {number} is not of visible ASCII characters, "
                f"{_MOST_CHARACTERS} at most"
            )
    return SeatTokens(tokens)

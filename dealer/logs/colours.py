"""Text for terminals: harmless, and in colour where that is wanted and possible."""

import os
from typing import Final, TextIO

from protocol.cards import CARD_TEXT

CHOICES: Final = ("auto", "always", "never")
_RESET: Final = "\x1b[0m"
_CODES: Final = {
    "bold": "\x1b[1m",
    "dim": "\x1b[2m",
    "red": "\x1b[31m",
    "green": "\x1b[32m",
    "yellow": "\x1b[33m",
    "blue": "\x1b[34m",
    "cyan": "\x1b[36m",
}
_SUIT_COLOURS: Final = ("green", "blue", "red", "")
"""Of clubs, diamonds, hearts and spades, as on four-colour decks."""


class Palette:
    """Paints text, or leaves it alone."""

    def __init__(self, *, on: bool) -> None:
        self._on = on

    @classmethod
    def chosen(cls, choice: str, stream: TextIO) -> "Palette":
        """Return the palette for a choice among `CHOICES`.

        "auto" colours terminals that can, unless NO_COLOR is set (no-color.org).
        """
        if choice == "auto":
            able = stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
            return cls(on=able and not os.environ.get("NO_COLOR"))
        return cls(on=choice == "always")

    def paint(self, text: str, *styles: str) -> str:
        """Return `text` in some styles ("bold", "dim" or a colour); "" is no style."""
        codes = "".join(_CODES[style] for style in styles if style)
        return f"{codes}{text}{_RESET}" if self._on and codes else text

    def card(self, card: int) -> str:
        """Return the text of a card in the colour of its suit."""
        return self.paint(CARD_TEXT[card], "bold", _SUIT_COLOURS[card & 3])

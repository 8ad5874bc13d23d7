"""Hands of logs as one page for a browser, with all that it needs inside."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dealer.logs.showing.hand_documents import game_document
from dealer.pages.single_page import single_page
from protocol.handlog import Stakes, format_hand

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from engine.handlogs.source.log_hands import LoggedHand
    from protocol.gamedef import GameDef


class HtmlPage:
    """Collects hands; a log is shown apart for each game that is played in it."""

    def __init__(self) -> None:
        self._logs: list[dict[str, Any]] = []
        self._lines: list[list[str]] = []

    def __bool__(self) -> bool:
        """Return whether there is a hand."""
        return bool(self._lines)

    def add(self, log: Path, hands: Iterable[LoggedHand]) -> None:
        """Add hands of a log.

        One that was played with other chips than the first one of its game says so in its line.

        Raises:
            LogError: the log cannot be read, or its game is unknown.
        """
        lines: dict[GameDef, tuple[GameDef, list[str]]] = {}
        for hand in hands:
            game, record = hand.game, hand.record
            rules = replace(game, stacks=(), blinds=(1,))
            first, hand_lines = lines.setdefault(rules, (game, []))
            if record.stakes is None and game != first:
                record = replace(record, stakes=Stakes(game.stacks, game.blinds))
            hand_lines.append(format_hand(record))
        for number, (game, hand_lines) in enumerate(lines.values(), 1):
            name = log.name if number == 1 else f"{log.name} ({number})"
            kind = "no-limit" if game.no_limit else "limit"
            title = f"{kind}, {game.players} players"
            self._logs.append({"name": name, "game": game_document(title, game)})
            self._lines.append(hand_lines)

    def text(self) -> str:
        """Return the page."""
        pairs = zip(self._logs, self._lines, strict=True)
        return single_page({"logs": [log | {"text": "\n".join(lines)} for log, lines in pairs]})

"""A tracker's numbers of an opponent, for who plays by HTTP: what a bot did in its hands with him.

All hands count that the two bots have played on this server, in whichever versions of the bot that
asks; another version of the opponent is another bot.  Nothing of them is secret to who asks: he was
in each, and what is counted, docs/tracker.md, is what both have seen.

Counting goes on beside the match, so the numbers may be some hands behind; they say of how many
hands they are.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from dealer.hub.hub_state import HubState
    from dealer.hub.store import BotVersion, StoredMatch

_MOST_LOGS: Final = 200
"""The newest; of more, older ones are left out."""
_COUNT_SECONDS: Final = 3.0
"""Between two counts of one pair."""
_WIN_RATES: Final = ("with_showdown", "without_showdown")
_NO_HANDS: Final[dict[str, Any]] = {"hands": 0}
Count: TypeAlias = "Callable[[Callable[[], dict[str, Any]]], Awaitable[dict[str, Any]]]"


def count_opponent(logs: Sequence[str], game: str, opponent: str) -> dict[str, Any]:
    """Return a tracker's numbers of a player.

    Args:
        logs: paths, of matches that may be under way.
        game: path of the game's definition.
        opponent: his name in the logs.

    Returns:
        "hands", and where there are any what docs/tracker.md says of "tracker", without win rates.
    """
    from dealer.logs.log_session import Counting, LogSession
    from engine.handlogs.counting.detail import Detail
    from engine.handlogs.counting.hand_stats import player_stats
    from engine.handlogs.source.complaints import Complaints
    from engine.handlogs.source.log_games import game_from_argument

    what = Counting(game_from_argument(game), detail=Detail.TRACKER, expectation=False)
    ignored: list[str] = []
    counted = LogSession(
        [Path(log) for log in logs if Path(log).exists()], what, Complaints(ignored.append)
    ).count()
    tallies = [tally for _, tally, _ in counted.games]
    rows = [row for row in player_stats(tallies, expectation=False) if row.player == opponent]
    if not rows:
        return dict(_NO_HANDS)
    assert rows[0].tracker is not None
    numbers = asdict(rows[0].tracker)
    for name in _WIN_RATES:
        del numbers[name]
    return {"hands": rows[0].hands, **numbers}


class OpponentNumbers:
    """Of all pairs that somebody has asked for."""

    def __init__(self, state: HubState, count: Count) -> None:
        """Know none yet.

        Args:
            count: has something counted elsewhere.
        """
        self._state = state
        self._count = count
        self._known: dict[tuple[int, int, str], dict[str, Any]] = {}
        self._counting: dict[tuple[int, int, str], asyncio.Task[None]] = {}

    def close(self) -> None:
        """Count no more."""
        for task in self._counting.values():
            task.cancel()

    def of(self, version: BotVersion, record: StoredMatch) -> dict[str, Any]:
        """Return the numbers of a version's opponent in a match, as they were counted last.

        They are counted again soon.
        """
        opponent = self._state.version(
            record.second if record.first == version.id else record.first
        )
        pair = version.bot, opponent.id, record.game
        task = self._counting.get(pair)
        if task is None or task.done():
            self._counting[pair] = asyncio.create_task(
                self._count_pair(version.bot, opponent, record.game)
            )
        known = self._known.get(pair, _NO_HANDS)
        return {"bot": opponent.name, "version": opponent.label, **known}

    async def _count_pair(self, bot: int, opponent: BotVersion, game: str) -> None:
        with contextlib.suppress(Exception):  # whatever it is, the numbers stay as they were
            paths = [str(log) for log in self._logs(bot, opponent, game)]
            path = str(self._state.game_file(game))
            count = partial(count_opponent, paths[:_MOST_LOGS], path, opponent.name)
            self._known[bot, opponent.id, game] = await self._count(count)
        await asyncio.sleep(_COUNT_SECONDS)

    def _logs(self, bot: int, opponent: BotVersion, game: str) -> list[Path]:
        """Return the logs of all matches of a bot against a version, the newest first."""
        state = self._state
        logs: list[Path] = []
        for record in state.store.matches_of([opponent.id]):
            first = record.first == opponent.id
            asker = record.second if first else record.first
            name = state.labels(record)[0 if first else 1]
            if state.version(asker).bot == bot and (record.game, name) == (game, opponent.name):
                logs += state.leg_logs(record)
        return logs

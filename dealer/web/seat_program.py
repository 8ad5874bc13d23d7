"""The program that sits at a dealer for a person: `arena play` starts it, as a bot of its match.

    python -m dealer.web.seat_program GAME HOST PORT

GAME is the game file in the folder of the match, whose manifest has the names.  The page's port,
the token of its address and the strategy that is told after each hand, which a resumed match may
have others of, are in the environment, where no list of processes shows them.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from dealer.bots.participants import PAGE_VARIABLE
from dealer.errors import MatchError
from dealer.logs.showing.hand_documents import game_document
from dealer.series.manifest import read_manifest
from dealer.web.guard import Guard
from dealer.web.person import PersonSeat
from dealer.web.router import read_pages, serve_site
from dealer.web.seat_site import SeatSite
from dealer.web.server import listen_at
from dealer.web.strategy_teller import TOLD_PLAYERS, StrategyTeller
from engine.console.output import tell
from engine.console.stopping import stop_on_signals
from protocol.errors import GameDefError, ProtocolError
from protocol.gamedef import parse_gamedef

HOST: Final = "127.0.0.1"
"""Where the page is: on this machine alone."""
NAME: Final = "you"
"""Of the person, in logs and tables."""
_RECEIVED_BYTES: Final = 1 << 16


def main() -> int:
    """Sit at the dealer until it hangs up; return the exit code."""
    file, host, port = sys.argv[1:]
    page_port, token, strategy = [*os.environ.get(PAGE_VARIABLE, "").split("/", 2), "", ""][:3]
    if not token:
        tell("a person's seat is for arena play, which can resume its match too")
        return 1
    game = Path(file)
    try:
        rules = parse_gamedef(game.read_text(encoding="utf-8"))
        match = read_manifest(game.parent)
        seat = PersonSeat(rules, match.labels)
        document = game_document(game.stem, rules)
        facts = {"game": document, "names": match.labels, "hands": match.hands}
        asked = strategy if rules.is_holdem and rules.players == TOLD_PLAYERS else ""
        teller = StrategyTeller(strategy) if asked else None
        page = (int(page_port), token)
        further = partial(_further, game.parent.resolve(), asked, match.hands)
        return asyncio.run(_play(seat, facts, page, (host, int(port)), teller, further))
    except (OSError, GameDefError, MatchError, ValueError) as error:
        tell(str(error))
        return 1


async def _play(
    seat: PersonSeat,
    facts: Mapping[str, Any],
    page: tuple[int, str],
    address: tuple[str, int],
    strategy: StrategyTeller | None,
    further: Callable[[int], Sequence[str]],
) -> int:
    """Play; `further` returns what can be done after so many hands."""
    reader, writer = await asyncio.open_connection(*address)
    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def hang_up() -> None:
        loop.call_soon_threadsafe(writer.close)

    stopping = stop_on_signals(on_stop=hang_up, patient=True)  # the match asks again
    with listen_at(HOST, page[0]) as listening, stopping:
        guard = Guard(HOST, *page)
        site = SeatSite(seat, writer.write, guard, read_pages(), facts, strategy)
        async with asyncio.TaskGroup() as group:
            group.create_task(serve_site(site, listening, stop, tell))
            writer.write(seat.connected())
            why = await _follow(seat, reader, site, facts["hands"])
            site.end("\n".join((why, *further(seat.hands_over))))
            stop.set()
    writer.close()
    return 0


async def _follow(
    seat: PersonSeat, reader: asyncio.StreamReader, site: SeatSite, hands: int
) -> str:
    """Follow the match of so many hands; return why it has ended."""
    try:
        while data := await reader.read(_RECEIVED_BYTES):
            seat.receive(data)
            site.changed()
    except (OSError, ProtocolError) as error:
        return f"The connection to the dealer was lost: {error}"
    if seat.hands_over < hands:
        done = f"{seat.hands_over:,} of {hands:,} hands"
        return f"The match was stopped after {done}."
    return "The match is over."


def _further(folder: Path, strategy: str, hands: int, done: int) -> list[str]:
    """Return what can be done when so many hands of the match are done, as "what: command"."""
    teller = ["--strategy", strategy] if strategy else []
    longer = ["--hands", str(2 * hands)] if done >= hands else []
    resume = ["arena", "play", "--resume", str(folder), *longer, *teller]
    return [
        f"Logs: {folder}",
        f"Look at all hands: {shlex.join(['arena', 'web', str(folder), *teller])}",
        f"{'Play on' if longer else 'Take it up again'}: {shlex.join(resume)}",
    ]


if __name__ == "__main__":
    sys.exit(main())

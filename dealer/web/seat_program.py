"""The program that sits at a dealer for a person: `arena play` starts it, as a bot of its match.

    python -m dealer.web.seat_program --game FILE --names NAME,NAME... --page-port N HOST PORT

The token of the page's address is in the environment, where no list of processes shows it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import Final

from dealer.logs.game_documents import game_document
from dealer.web.guard import SECURITY_FIELDS, Guard
from dealer.web.person import PersonSeat
from dealer.web.routes import read_pages
from dealer.web.seat_site import SeatSite
from dealer.web.server import WebServer, listen_at
from engine.console.output import tell
from engine.console.stopping import stop_on_signals
from protocol.errors import GameDefError, ProtocolError
from protocol.gamedef import parse_gamedef

TOKEN_NAME: Final = "ARENA_PAGE_TOKEN"
"""Environment variable."""
_RECEIVED_BYTES: Final = 1 << 16
_LAST_LOOK_SECONDS: Final = 2.0
"""For pages to be told that the match is over."""


def main() -> int:
    """Sit at the dealer until it hangs up; return the exit code."""
    options = _parser().parse_args()
    try:
        return asyncio.run(_play(options))
    except (OSError, GameDefError, ProtocolError, ValueError) as error:
        tell(f"{error}")
        return 1


async def _play(options: argparse.Namespace) -> int:
    game = parse_gamedef(Path(options.game).read_text(encoding="utf-8"))
    names = options.names.split(",")
    seat = PersonSeat(game, names)
    reader, writer = await asyncio.open_connection(options.host, options.port)
    token = os.environ[TOKEN_NAME]
    facts = {"game": game_document(Path(options.game).stem, game), "names": names}
    with listen_at("127.0.0.1", options.page_port) as listening:
        guard = Guard("127.0.0.1", options.page_port, token)
        site = SeatSite(seat, writer.write, guard, read_pages(), facts)
        server, stop = WebServer(site, SECURITY_FIELDS, tell), asyncio.Event()
        loop = asyncio.get_running_loop()
        with stop_on_signals(on_stop=lambda: loop.call_soon_threadsafe(stop.set)):
            async with asyncio.TaskGroup() as group:
                serving = group.create_task(server.serve(listening, stop))
                listen = group.create_task(_listen(seat, reader, writer, site))
                stopping = group.create_task(stop.wait())
                await asyncio.wait((listen, stopping), return_when=asyncio.FIRST_COMPLETED)
                listen.cancel()
                if not stop.is_set():
                    await asyncio.sleep(_LAST_LOOK_SECONDS)
                stop.set()
                await serving
    writer.close()
    return 0


async def _listen(
    seat: PersonSeat, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, site: SeatSite
) -> None:
    """Follow the match to its end, and tell the pages."""
    writer.write(seat.connected())
    why = "The match is over."
    try:
        while data := await reader.read(_RECEIVED_BYTES):
            seat.receive(data)
            site.changed()
    except (OSError, ProtocolError) as error:
        why = f"The connection to the dealer was lost: {error}"
    site.end(why)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="seat_program", description=__doc__)
    add = parser.add_argument
    add("--game", required=True)
    add("--names", required=True)
    add("--page-port", type=int, required=True)
    add("host")
    add("port", type=int)
    return parser


if __name__ == "__main__":
    sys.exit(main())

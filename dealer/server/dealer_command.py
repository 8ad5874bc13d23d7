"""`arena dealer`: the command line, output and exit codes of the original dealer."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dealer.lane.loading import LaneLoader
from dealer.plan.command_line import plan_from
from dealer.plan.match_plan import DealerPlan
from dealer.plan.options import UsageError, usage_text
from dealer.server.deal_source import deals_note
from dealer.server.endings import Ending, MatchEnd, MatchStopped
from dealer.server.hosting import HostedMatch, host_matches, hosted_matches
from dealer.server.live_page import LivePage
from dealer.server.match_run import MatchRun, port_line
from dealer.server.seating import Ports
from dealer.server.standard_streams import (
    StandardStreams,
    fill_standard_streams,
    to_stderr,
    to_stdout,
)
from dealer.server.stopping import hear_signals, ignore_signals
from protocol.deals import DealsNote
from protocol.errors import GameDefError
from protocol.gamedef import GameDef, parse_gamedef
from protocol.gamedefs import load_builtin

_MOST_GAME_BYTES: Final = 1 << 20


def main(argv: list[str] | None = None) -> int:
    """Run the dealer; return its exit code."""
    fill_standard_streams()
    games: dict[str, GameDef] = {}

    def players(name: str) -> int:
        games[name] = _read_game(name)
        return games[name].players

    try:
        plan = plan_from(sys.argv[1:] if argv is None else argv, os.environ, players)
        if plan is None:
            to_stdout(usage_text())
            return 0
        game = games[plan.match.game]
        matches = [] if plan.serve is None else hosted_matches(plan)
        note = deals_note(plan.match, game)
    except UsageError as error:
        if error.usage:
            to_stdout(usage_text())
        to_stderr("".join(f"{line}\n" for line in error.lines))
        return Ending.ERROR.exit_code
    ends = asyncio.run(_play(plan, matches, game, note))
    return _exit_code([end.ending for end in ends], named=plan.ending_codes)


async def _play(
    plan: DealerPlan, matches: list[HostedMatch], game: GameDef, note: DealsNote | None
) -> list[MatchEnd]:
    """Play the match, or many, and show them where that is wanted."""
    page = None
    if plan.live is not None:
        plans = [match.plan for match in matches] or [plan.match]
        logs = [Path(match.records.log or "") for match in plans]
        page = asyncio.create_task(LivePage(logs, plan.live, "shown", _say).keep_looking())
    try:
        if matches:
            return await host_matches(matches, game)
        return [await _play_alone(plan, game, note)]
    finally:
        if page is not None:
            page.cancel()
            await asyncio.wait([page])


def _say(line: str) -> None:
    to_stderr(f"{line}\n")


def _exit_code(endings: Sequence[Ending], *, named: bool) -> int:
    """Return the exit code: 0 if all matches were finished, else that of the first that was not.

    Args:
        named: whether each kind of ending has its own code; else, as in the original, a user who
            stopped the dealer has one and all others another.
    """
    if Ending.INTERRUPTED in endings:
        return Ending.INTERRUPTED.exit_code
    bad = next((ending for ending in endings if ending is not Ending.FINISHED), Ending.FINISHED)
    return bad.exit_code if named else min(bad.exit_code, Ending.ERROR.exit_code)


def _read_game(name: str) -> GameDef:
    """Return the game in the file `name`, or the built-in game of that name.

    Raises:
        UsageError: neither is there, or the file is no game definition.
    """
    try:
        with Path(name).open("rb") as file:  # a pipe will do, a device may have no end
            data = file.read(_MOST_GAME_BYTES + 1)
    except (OSError, ValueError):
        try:
            return load_builtin(name)
        except GameDefError:
            raise UsageError(f"ERROR: could not open game definition {name}") from None
    if len(data) > _MOST_GAME_BYTES:
        raise UsageError(f"ERROR: could not read game {name}: more than {_MOST_GAME_BYTES:,} bytes")
    try:
        return parse_gamedef(data)
    except GameDefError as error:
        raise UsageError(error.message, f"ERROR: could not read game {name}") from error


async def _play_alone(plan: DealerPlan, game: GameDef, note: DealsNote | None) -> MatchEnd:
    loader = LaneLoader()
    source = Ports(plan.listen, plan.ports, game.players)
    run = MatchRun(plan.match, game, source, StandardStreams(), loader, note)
    hear_signals(run.interrupt)
    try:
        try:
            to_stdout(port_line(run.open()))
            await run.play()
        finally:
            ignore_signals()  # only the summary is left to write
            loader.close()
            await run.close()
    except MatchStopped as stop:
        run.complain(stop)
        return run.sum_up(stop.end)
    return run.sum_up(MatchEnd(Ending.FINISHED))


if __name__ == "__main__":
    sys.exit(main())

"""Many matches in one dealer, side by side: `arena dealer --serve N`.

Match i of N, from 0, is NAME.i with the seed SEED + i.  Each has its own files, ports and seats,
and plays as it would alone: what ends one of them ends no other.  Ports are printed only after
everything that takes long or may be refused, so that nobody's time runs meanwhile.
"""

import asyncio
import resource
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from dealer.lane.loading import LaneLoader
from dealer.plan.match_plan import DealerPlan, LaneMode, MatchPlan, Records
from dealer.plan.options import MAX_SEED, UsageError
from dealer.server.endings import Ending, MatchEnd, MatchStopped
from dealer.server.match_run import MatchRun, port_line
from dealer.server.seating import Ports, SeatSource
from dealer.server.standard_streams import StandardStreams, to_stdout
from dealer.server.stopping import hear_signals, ignore_signals
from protocol.gamedef import GameDef

_MOST_OWN_FILES: Final = 32


class HostedMatch(NamedTuple):
    """One of many matches."""

    plan: MatchPlan
    source: SeatSource
    """Where its agents come from."""


def hosted_matches(plan: DealerPlan) -> list[HostedMatch]:
    """Return each of the `plan.serve` matches of a dealer, in order.

    Raises:
        UsageError: something is asked for that goes with one match only, or too much.
    """
    count, match = plan.serve or 0, plan.match
    seats = len(match.seats)
    alone = {"--deals": match.deals, "--waits": match.records.waits}
    if given := next((name for name, value in alone.items() if value is not None), None):
        raise UsageError(f"ERROR: {given} goes with one match, not with --serve")
    if match.seed + count - 1 > MAX_SEED:
        message = f"ERROR: --serve {count} with the seed {match.seed} goes beyond {MAX_SEED}"
        raise UsageError(message)
    files = count * (2 * seats + 3) + _MOST_OWN_FILES
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and files > most:
        message = f"ERROR: --serve {count} may take {files} open files, ulimit -n allows {most}"
        raise UsageError(message)
    return [
        HostedMatch(
            replace(
                match,
                name=f"{match.name}.{number}",
                seed=match.seed + number,
                records=_numbered_records(match.records, number),
            ),
            Ports(plan.listen, plan.ports[number * seats : (number + 1) * seats], seats),
        )
        for number in range(count)
    ]


def _numbered_records(records: Records, number: int) -> Records:
    """Return the files of one match."""
    paths: dict[str, Any] = {
        name: _numbered(getattr(records, name), number)
        for name in ("log", "transactions", "events", "summary")
    }
    return replace(records, **paths)


def _numbered(path: str | None, number: int) -> str | None:
    """Return the path of one match's own file: "end.json" is "end.3.json" for match 3."""
    if path is None:
        return None
    whole = Path(path)
    return str(whole.with_name(f"{whole.stem}.{number}{whole.suffix}"))


async def host_matches(matches: Sequence[HostedMatch], game: GameDef) -> list[MatchEnd]:
    """Play matches side by side to their ends, and return these, in their order."""
    return await _Host(matches, game).play()


class _Host:
    """The matches of one dealer."""

    def __init__(self, matches: Sequence[HostedMatch], game: GameDef) -> None:
        self._matches = matches
        self._game = game
        self._loader = LaneLoader()
        self._runs: list[MatchRun] = []
        """Those that are not over."""
        self._interrupted = False

    async def play(self) -> list[MatchEnd]:
        hear_signals(self._interrupt)
        try:
            lane = await self._load_lane()
            for plan, source in self._matches:
                streams = StandardStreams(f"{plan.name} ")
                plan = replace(plan, lane=lane)
                self._runs.append(MatchRun(plan, self._game, source, streams, self._loader))
            if self._interrupted:
                self._interrupt()
            runs = list(self._runs)
            if ends := self._begin():
                return [await self._finish(*pair) for pair in zip(runs, ends, strict=True)]
            return await asyncio.gather(*map(self._play_one, runs))
        finally:
            ignore_signals()
            self._loader.close()

    async def _load_lane(self) -> LaneMode:
        """Compile and load the lane's code if that was asked for; return the mode it is used in."""
        match = self._matches[0].plan
        mode, records = match.lane, match.records
        if mode in (LaneMode.OFF, LaneMode.AUTO):
            return mode
        wanted = not records.transcript and records.events is None and sys.platform == "linux"
        if wanted and await asyncio.to_thread(self._loader.load, compiling=True) is not None:
            return mode
        return LaneMode.OFF

    def _begin(self) -> list[MatchEnd]:
        """Open all matches and print their ports; return how they ended if one cannot be opened."""
        lines = []
        for run in self._runs:
            try:
                lines.append(port_line(run.open()))
                run.prepare()
            except MatchStopped as stop:
                run.streams.err(f"ERROR: {stop.end.detail}\n")
                rest = MatchEnd(Ending.ERROR, f"{run.name} could not begin")
                for match_run in self._runs:
                    if match_run is not run:
                        match_run.tell_end(rest)
                return [stop.end if match_run is run else rest for match_run in self._runs]
        to_stdout("".join(lines))
        return []

    async def _play_one(self, run: MatchRun) -> MatchEnd:
        try:
            await run.play()
            end = MatchEnd(Ending.FINISHED)
        except MatchStopped as stop:
            run.complain(stop)
            end = stop.end
        except Exception as error:  # a bug of ours; the other matches know nothing of it
            run.streams.err(traceback.format_exc())
            end = MatchEnd(Ending.ERROR, repr(error))
        return await self._finish(run, end)

    async def _finish(self, run: MatchRun, end: MatchEnd) -> MatchEnd:
        await run.close()
        self._runs.remove(run)
        return await asyncio.to_thread(run.sum_up, end)

    def _interrupt(self) -> None:
        self._interrupted = True
        self._loader.close()
        for run in self._runs:
            run.interrupt()

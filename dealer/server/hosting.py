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
from typing import Final

from dealer.lane.loading import LaneLoader
from dealer.lane.modes import LaneMode
from dealer.server.endings import Ending, MatchEnd, MatchStopped
from dealer.server.match_run import MatchRun, port_line
from dealer.server.option_values import MAX_SEED, UsageError, parse_ports
from dealer.server.options import Options
from dealer.server.standard_streams import StandardStreams, to_stdout
from dealer.server.stopping import hear_signals, ignore_signals
from protocol.gamedef import GameDef

_OWN_FILES: Final = 32
"""Open files of a dealer beside those of its matches, at most."""


def hosted_matches(options: Options, seats: int) -> list[Options]:
    """Return the options of each of `options.serve` matches, in order.

    Raises:
        UsageError: something is asked for that goes with one match only, or too much.
    """
    count = options.serve or 0
    alone = {"--deals": options.deals, "--waits": options.waits}
    if given := next((name for name, value in alone.items() if value is not None), None):
        raise UsageError(f"ERROR: {given} goes with one match, not with --serve")
    if options.seed + count - 1 > MAX_SEED:
        words = f"ERROR: --serve {count} with the seed {options.seed} goes beyond {MAX_SEED}"
        raise UsageError(words)
    files = count * (2 * seats + 3) + _OWN_FILES
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and files > most:
        words = f"ERROR: --serve {count} may take {files} open files, ulimit -n allows {most}"
        raise UsageError(words)
    ports = parse_ports(options.port_list, count * seats)
    return [
        replace(
            options,
            match=f"{options.match}.{number}",
            seed=options.seed + number,
            ports=ports[number * seats : (number + 1) * seats],
            events=_numbered(options.events, number),
            summary=_numbered(options.summary, number),
        )
        for number in range(count)
    ]


def _numbered(path: str | None, number: int) -> str | None:
    """Return the path of one match's own file: "end.json" is "end.3.json" for match 3."""
    if path is None:
        return None
    whole = Path(path)
    return str(whole.with_name(f"{whole.stem}.{number}{whole.suffix}"))


async def host_matches(matches: Sequence[Options], game: GameDef) -> list[MatchEnd]:
    """Play matches side by side to their ends, and return these, in their order."""
    return await _Host(matches, game).play()


class _Host:
    """The matches of one dealer."""

    def __init__(self, matches: Sequence[Options], game: GameDef) -> None:
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
            for match in self._matches:
                streams = StandardStreams(f"{match.match} ")
                options = replace(match, lane=lane)
                self._runs.append(MatchRun(options, self._game, None, streams, self._loader))
            if self._interrupted:
                self._interrupt()
            runs = list(self._runs)
            if ends := self._begin():
                return [await self._finish(*one) for one in zip(runs, ends, strict=True)]
            return await asyncio.gather(*map(self._play_one, runs))
        finally:
            ignore_signals()
            self._loader.close()

    async def _load_lane(self) -> LaneMode:
        """Compile and load the lane's code if that was asked for; return the mode it is used in."""
        one = self._matches[0]
        mode = one.lane or LaneMode.OFF
        if mode in (LaneMode.OFF, LaneMode.AUTO):
            return mode
        wanted = one.quiet and one.events is None and sys.platform == "linux"
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
                for other in self._runs:
                    if other is not run:
                        other.tell_end(rest)
                return [stop.end if one is run else rest for one in self._runs]
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

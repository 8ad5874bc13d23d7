"""What is told of one shard of a match or tournament; the result is for all shards together."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

from dealer.commands.command_run import Console, Report
from dealer.commands.requests import PlayRequest
from dealer.results.aivat import estimate_matches
from dealer.series.manifest import ROUNDS_FACT, compared_facts
from dealer.series.outcome import finished_leg
from dealer.series.schedule import Leg, Pairing
from dealer.series.series import Series
from dealer.server.endings import Ending
from engine.console.exit_codes import FAILED
from engine.console.shard_records import begin_shard, new_record, record_file
from engine.parallel.shards import Shard, without_options

_GROWING = (ROUNDS_FACT, "hands")


def shard_report(request: PlayRequest, report: Report, console: Console) -> Report | None:
    """Return the report of a shard that begins, None where all legs are played.

    Args:
        report: of the whole.

    Raises:
        ShardError: its record is of something else.
        OSError: it cannot be written.
    """
    if request.shard is None:
        return None
    folder, manifest = request.folder.parent, request.manifest
    facts = compared_facts(manifest)
    for option in ("in_process", "events"):
        facts[f"--{option.replace('_', '-')}"] = "yes" if getattr(request, option) else "no"
    words = without_options(console.arguments, "--shard")
    if request.force:
        record_file(folder, request.shard).unlink(missing_ok=True)
    growing = _GROWING if manifest.is_match else _GROWING[:1]
    begin_shard(folder, new_record(console.prog, words, request.shard, facts), growing)
    return ShardReport(request, request.shard, report, console)


class ShardReport:
    """What is told of a shard: how many of its legs are over."""

    def __init__(self, request: PlayRequest, shard: Shard, whole: Report, console: Console) -> None:
        self.series = whole.series
        self._request = request
        self._shard = shard
        self._whole = whole
        self._console = console

    def introduction(self) -> list[str]:
        """Return what is played."""
        first, *rest = self._whole.introduction()
        legs = self.series.leg_count
        return [f"{first}; shard {self._shard}: {legs:,} leg{'s' * (legs != 1)}", *rest]

    def jobs(self) -> int:
        """Return how many legs are played at once, 0 where none is left."""
        return self._whole.jobs()

    def playing(self) -> AbstractContextManager[None]:
        """Within, legs are played."""
        return nullcontext()

    def standing(self) -> str:
        """Return which shard it is."""
        return f"shard {self._shard}"

    def watch(self) -> bool:
        """Do nothing: no shard has a result."""
        return False

    def finish(self) -> int:
        """Tell what is there; return the exit code, 0 where all legs of the shard are over."""
        series, request = self.series, self._request
        left = [leg for pairing, leg in legs_of(series) if not is_over(series, pairing, leg)]
        matches = [series.match(pairing) for pairing in series.pairings()]
        for match in matches:
            match.read_new()
        if (options := request.aivat) is not None:
            self._console.unless_stopped(
                lambda: estimate_matches(matches, options, request.jobs, shown=not request.quiet),
                "AIVAT is left out; the same command resumes it",
            )
        over, base = series.leg_count - len(left), request.folder.parent
        text = f"shard {self._shard}: {over:,} of {series.leg_count:,} legs are over, "
        text += f"{series.hands:,} hands, in {request.folder}\n"
        text += "the same command plays the others\n" if left else ""
        text += f"all shards together: arena merge {shlex.quote(str(base))} --out DIR\n"
        shown = self._console.show_result(text, {}, str(request.folder))
        return self._exit_code(left) or shown

    def _exit_code(self, left: Sequence[Leg]) -> int:
        endings = [outcome.ending for outcome in self.series.outcomes.values()]
        if any(end not in (Ending.INTERRUPTED, Ending.FINISHED) for end in endings):
            return FAILED
        return Ending.INTERRUPTED.exit_code if left else 0


def legs_of(series: Series) -> Iterator[tuple[Pairing, Leg]]:
    """Yield all legs of a series, or of its shard, in playing order."""
    return series.legs_of(series.pairings())


def is_over(series: Series, pairing: Pairing, leg: Leg) -> bool:
    """Return whether a leg was played to an end that counts."""
    match = series.match(pairing)
    if not series.manifest.is_match:
        return leg.name in series.ledger.entries
    return finished_leg(match.manifest, match.folder, leg) is not None

"""A tournament of several hosts: what the first tells the others, and what those make of it."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from dealer.bots.participants import BotKind
from dealer.errors import MatchUsageError
from dealer.hosts.following import FollowingHost, HostSetup, check_folders, program_here
from dealer.hosts.helpers import HelpingHosts
from dealer.hosts.line import HostLine
from dealer.hosts.messages import Message
from dealer.hosts.place import RankInfo, forget_torchrun, join
from dealer.legs.differences import differences
from dealer.legs.manifest import Manifest, from_json, to_json
from dealer.legs.runner import shared_cores
from dealer.matches.option_values import usual_jobs
from dealer.tournaments.arguments import tournament_asked
from dealer.tournaments.command_line import PROG
from dealer.tournaments.toml_file import BotEntry
from engine.console.output import tell

_HERE = "at the first host"


@contextmanager
def with_other_hosts(place: RankInfo) -> Iterator[HostLine]:
    """Yield the line between the first host and the others; at the end all waits on it are
    released.

    Raises:
        MatchError: the first host cannot be reached.
    """
    line = HostLine(join(place), place.rank, place.others)
    forget_torchrun(os.environ)
    line.start()
    try:
        yield line
    finally:
        if place.rank == 0:  # also those that have not been heard of yet
            for rank in line.others:
                line.send(rank, {"what": "over"})
        line.close([rank for rank in line.others if place.serves and line.was_heard(rank)])


def check_shareable(tournament: Manifest) -> None:
    """Refuse what several hosts cannot play.  Raises MatchUsageError."""
    guests = [bot.label for bot in tournament.bots if bot.kind is BotKind.LISTEN]
    if guests:
        raise MatchUsageError(
            f"{guests[0]} connects by itself, and cannot know to which host; play on one"
        )


def helping_hosts(line: HostLine, tournament: Manifest, say: Callable[[str], None]) -> HelpingHosts:
    """Return the other hosts as the first one sees them, which are told what is played."""
    return HelpingHosts(line, program_here(), {"tournament": to_json(tournament)}, say)


def follow_first_host(
    given: argparse.Namespace, entries: Sequence[BotEntry], place: RankInfo, line: HostLine
) -> int:
    """Play for the first host; return the exit code.

    Raises:
        MatchError: this host may not take part, or the first one is gone.
    """

    def accept(welcome: Message) -> HostSetup:
        stored = from_json(welcome["tournament"])
        asked = tournament_asked(stored, given, entries)
        bots = asked.bots
        folders = {bot.label: bot.directory for bot in stored.bots}
        there = tuple(replace(bot, directory=folders.get(bot.label, "")) for bot in bots)
        different = differences(stored, replace(asked, bots=there), _HERE)
        if asked.runs > stored.runs:
            different.append(f"rounds: {stored.runs} {_HERE}, {asked.runs} asked for")
        if different:
            raise MatchUsageError(f"this host is for another tournament: {'; '.join(different)}")
        folder = os.getcwd() if entries else stored.working_directory
        check_folders(bots, folder)
        jobs = given.jobs or max(1, usual_jobs(bots) // place.size_here)
        cores = shared_cores(bots, at_once=jobs, wanted=given.affinity)
        return HostSetup({bot.label: bot for bot in bots}, folder, jobs, place.share_of(cores))

    ending = asyncio.run(FollowingHost(line, accept, lambda text: tell(f"{PROG}: {text}")).run())
    return ending.exit_code

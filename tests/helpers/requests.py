"""What command lines ask for, from their words to the request."""

from dealer.commands import match, requests, tournament
from dealer.commands.tournament_file import BotEntry
from dealer.compliance import checking
from dealer.compliance.check_command import COMMAND as CHECK


def match_request(argv):
    """Return what words of `arena match` ask for."""
    given = match.read_arguments(argv)
    return requests.series_request(given, [*map(BotEntry, given.bots)])


def tournament_request(argv):
    """Return what words of `arena tournament` ask for."""
    return requests.series_request(*tournament.read_arguments(argv))


def check_request(argv):
    """Return what words of `arena check` ask for."""
    return checking.request_from(CHECK.parser().parse_args(argv))

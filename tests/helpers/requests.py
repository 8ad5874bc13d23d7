"""What command lines ask for, from their words to the request."""

from dealer.commands import match, requests, tournament
from dealer.commands.tournament_file import BotEntry
from dealer.compliance import checking
from dealer.compliance.check_command import COMMAND as CHECK


def match_request(words):
    """Return what words of `arena match` ask for: a list, or a text without blanks in words."""
    given = match.read_arguments(_listed(words))
    return requests.series_request(given, [*map(BotEntry, given.bots)])


def tournament_request(words):
    """Return what words of `arena tournament` ask for, given as to `match_request`."""
    return requests.series_request(*tournament.read_arguments(_listed(words)))


def check_request(argv):
    """Return what words of `arena check` ask for."""
    return checking.request_from(CHECK.parser().parse_args(argv))


def _listed(words):
    return words.split() if isinstance(words, str) else words

"""What command lines ask for, from their words to the request."""

from dealer.commands import match, requests, tournament
from dealer.compliance import checking
from dealer.compliance import command as checking_words


def match_request(argv):
    """Return what words of `arena match` ask for."""
    return requests.match_request(match.read_arguments(argv))


def tournament_request(argv):
    """Return what words of `arena tournament` ask for."""
    return requests.tournament_request(*tournament.read_arguments(argv))


def check_request(argv):
    """Return what words of `arena check` ask for."""
    return checking.request_from(checking_words.read_arguments(argv))

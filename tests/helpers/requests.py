"""What command lines ask for, from their words to the request."""

from dealer.compliance import arguments as checking
from dealer.compliance import command_line as checking_words
from dealer.matches import arguments as matches
from dealer.matches import command_line as match_words
from dealer.tournaments import arguments as tournaments
from dealer.tournaments import command_line as tournament_words


def match_request(argv):
    """Return what words of `arena match` ask for."""
    return matches.request_from(match_words.read_arguments(argv))


def tournament_request(argv):
    """Return what words of `arena tournament` ask for."""
    return tournaments.request_from(*tournament_words.read_arguments(argv))


def check_request(argv):
    """Return what words of `arena check` ask for."""
    return checking.request_from(checking_words.read_arguments(argv))

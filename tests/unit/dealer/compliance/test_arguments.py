"""The command line of `arena check`."""

from dealer.compliance.check_command import main
from dealer.compliance.checks import CHECKS
from tests.helpers.requests import check_request


def test_defaults_are_one_game_and_all_checks():
    """Heads-up no-limit hold'em; numbers of players make games of it, each with its own name."""
    games = check_request(["listen", "--players", "2-4,6"]).games
    assert [game.game.players for game in games] == [2, 3, 4, 6]
    assert len({game.name for game in games}) == 4
    request = check_request(["always-call"])
    assert [game.name for game in request.games] == ["holdem.nolimit.2p.reverse_blinds.game"]
    assert request.checks == CHECKS
    settings = request.settings
    assert (settings.hands, settings.seed, settings.response_seconds) == (200, 1, 10.0)
    assert check_request(["listen"]).settings.start_seconds > settings.start_seconds


def test_checks_are_chosen_by_name_and_keep_their_order():
    """However they are written."""
    request = check_request(
        ["listen", "--only", "joined,greeting", "--only=time", "--skip", "time"]
    )
    assert [check.name for check in request.checks] == ["greeting", "joined"]


def test_the_list_has_every_check(capsys):
    """With what it is for; names are distinct."""
    assert main(["--list"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == [check.name for check in CHECKS]
    assert len(set(names)) == len(names)

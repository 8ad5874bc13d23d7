"""The command line of `arena check`."""

import pytest

from dealer.compliance.check_command import main
from dealer.compliance.checks import CHECKS
from tests.helpers.requests import check_request
from tests.helpers.said import says_in_a_line


def test_defaults_are_one_game_and_all_checks():
    """Heads-up no-limit hold'em."""
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


def test_players_make_games_of_a_game():
    """Each with its own name."""
    games = check_request(["listen", "--players", "2-4,6"]).games
    assert [game.game.players for game in games] == [2, 3, 4, 6]
    assert len({game.name for game in games}) == 4


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ([], ["bot"]),
        (["alway-call"], ["alway-call", "always-call"]),
        (["listen", "--only", "jioned"], ["jioned"]),
        (["listen", "--only", "time", "--skip", "time"], ["no check"]),
        (["listen", "--game", "chess"], ["--game", "chess"]),
        (["listen", "--game", "hunl", "--game", "hunl"], ["two games"]),
        (["rule", "--game", "kuhn"], ["rule", "kuhn"]),
        (["listen", "--game", "leduc", "--players", "4"], ["not hold'em"]),
        (["listen", "--players", "1-3"], ["--players", "1-3"]),
        (["listen", "--players", "few"], ["--players", "few"]),
        (["listen", "--t_response", "0"], ["--t_response", "milliseconds"]),
        (["listen", "--late", "nan"], ["--late", "seconds"]),
    ],
)
def test_wrong_arguments_are_one_line(words, facts, capsys):
    """And exit code 2."""
    try:
        code = main(words)
    except SystemExit as end:
        code = end.code
    assert code == 2
    says_in_a_line(capsys.readouterr().err, *facts)


def test_the_list_has_every_check(capsys):
    """With what it is for; names are distinct."""
    assert main(["--list"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == [check.name for check in CHECKS]
    assert len(set(names)) == len(names)

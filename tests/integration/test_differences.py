"""The differences of docs/differences.md that only a running dealer shows."""

import re
from pathlib import Path

from engine.rules.dealing import DealStream
from protocol.gamedef import parse_gamedef
from tests.helpers.dealer_process import Client, DealerProcess

GAME = """gamedef
limit
numPlayers = 2
numRounds = {rounds}
stack = {stack}
blind = {blind}
raiseSize = 10 20
firstPlayer = 1 1
numSuits = 4
numRanks = 13
numHoleCards = 1
numBoardCards = {board}
end gamedef
"""


def write_game(folder: Path, **changes: str) -> str:
    """Write a small two-player game and return the file's name, as DealerProcess wants it."""
    values = {"rounds": "2", "stack": "500 500", "blind": "10 5", "board": "0 1", **changes}
    (folder / "small.game").write_text(GAME.format(**values))
    return "small.game"


def check_down(clients: list[Client], acting: int, actions: int) -> list[bytes]:
    """Answer `actions` states with calls, seats in turn; return the last state each client saw."""
    for _ in range(actions):
        clients[1 - acting].line()
        clients[acting].answer(b"c")
        acting = 1 - acting
    return [client.line() for client in clients]


def stamps(text: str, word: str) -> list[float]:
    """Return the times of the lines of a verbose dealer's stderr that start with `word`."""
    return [float(stamp) for stamp in re.findall(rf"^{word}.* at ([0-9.]+)", text, re.MULTILINE)]


def test_a_hand_that_nobody_put_chips_into_is_worth_nothing(tmp_path):
    """Difference 4: no blinds and no bets; the original aborts."""
    with DealerProcess(tmp_path, write_game(tmp_path, blind="0 0"), "-q") as dealer:
        check_down(dealer.connect_all(), 0, 4)
        code, out, _ = dealer.finish()
        assert dealer.log[-2].endswith(":0|0:Alice|Bob")
    assert (code, out) == (0, "SCORE:0|0:Alice|Bob\n")


def test_players_all_in_by_their_blinds_see_a_showdown(tmp_path):
    """Difference 4: nobody is asked anything; the original looks for a player for ever."""
    game = write_game(tmp_path, stack="10 10", blind="10 10")
    with DealerProcess(tmp_path, game, "-q") as dealer:
        states = [client.line() for client in dealer.connect_all()]
        code, out, _ = dealer.finish()
    deal = next(DealStream(parse_gamedef((tmp_path / "small.game").read_text()), 42))
    assert all(state.split(b":")[3] == b"/" for state in states)
    assert states[0].count(b"/") == 2
    assert len(deal.board) == 1
    assert code == 0
    assert re.fullmatch(r"SCORE:(10\|-10|-10\|10|0\|0):Alice\|Bob\n", out)


def test_finished_carries_the_time_of_finishing(tmp_path):
    """Difference 9: not the time at which the last question was asked."""
    with DealerProcess(tmp_path) as dealer:
        clients = dealer.connect_all()
        clients[1].answer(b"f")
        _, _, err = dealer.finish()
    (finished,) = stamps(err, "FINISHED")
    assert finished >= max(stamps(err, "FROM")) >= min(stamps(err, "TO"))


def test_dealers_with_one_seed_do_not_race_for_ports(tmp_path):
    """Difference 10: free ports come from the system, not from the seed."""
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
    with DealerProcess(folders[0], "-q") as one, DealerProcess(folders[1], "-q") as other:
        assert len({*one.ports, *other.ports}) == 4
        assert one.ports != [10822, 58468]


def test_the_log_says_what_it_is_before_anybody_plays(tmp_path):
    """Difference 11: a dealer killed in its first hand leaves the header."""
    with DealerProcess(tmp_path, "7", "-q") as dealer:
        dealer.connect_all()[1].line()
        dealer.process.kill()
        dealer.process.wait()
        header = "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 7 42"
        assert dealer.log[0] == header
        assert len(dealer.log) == 4


def test_board_cards_in_the_first_round_can_be_answered(tmp_path):
    """Difference 12: the states are the original's, and their echoes are understood."""
    with DealerProcess(tmp_path, write_game(tmp_path, board="1 1"), "-q") as dealer:
        clients = dealer.connect_all()
        first = clients[0].line()
        assert re.fullmatch(rb"MATCHSTATE:0:0::[2-9TJQKA][cdhs]\|[2-9TJQKA][cdhs]", first)
        clients[1].line()
        clients[0].send(first + b":c\r\n")
        check_down(clients[::-1], 0, 3)
        code, out, err = dealer.finish()
    assert "WARNING" not in err
    assert code == 0
    assert out.startswith("SCORE:")

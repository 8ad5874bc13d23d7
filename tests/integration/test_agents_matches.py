"""Shipped bots and bots of a user's own, as processes at the real dealer."""

import json
import select
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from agents.__main__ import main
from agents.roster.bots import agent_names, find_agent
from agents.roster.leg_player import LegSeat, leg_lines
from protocol.gamedef import format_gamedef
from protocol.gamedefs import builtin_aliases, load_builtin
from tests.helpers.dealer_process import DealerProcess
from tests.helpers.mini_dealer import MiniDealer
from tests.helpers.seated_match import play_seated

AGENTS = [sys.executable, "-m", "agents"]
HANDS = 8

OWN_BOT = '''\
from agents import Action, Bot, PlayerView, run


class Tight(Bot):
    """Bets the pot with a pair or two high cards, gives up without."""

    def act(self, view: PlayerView) -> Action:
        low, high = sorted(card // 4 for card in view.hole)  # 0 is a deuce, 12 an ace
        if low == high or low >= 8:
            return view.raise_to(view.pot_fraction(1.0))
        return view.fold()


if __name__ == "__main__":
    run(Tight())
'''

GAMES = sorted(builtin_aliases().keys() - {"pokerbots"})
"""Without hunl in other chips."""


def agent(name, game, seed) -> list[str]:
    """Return the command of a shipped bot, host and port to come."""
    return [*AGENTS, name, "--game", game, "--seed", str(seed)]


@pytest.mark.parametrize("alias", GAMES)
def test_shipped_bots_play_every_built_in_game(tmp_path, alias):
    """All bots that know the game take the seats in turn; not one answer is out of order."""
    game = load_builtin(alias)
    names = [name for name in reversed(agent_names()) if find_agent(name).games.contains(game)]
    seats = [names[seat % len(names)] for seat in range(game.players)]
    commands = [agent(name, alias, seat) for seat, name in enumerate(seats)]
    match = play_seated(tmp_path, alias, HANDS, commands)
    assert match.warnings == []
    assert match.errors == [""] * game.players
    assert set(match.exit_codes) == {0}
    assert len(match.hands) == HANDS


@pytest.mark.parametrize(
    ("alias", "stacks", "blinds"),
    [("hunl", (5000, 5000), (100, 50)), ("hunl", (90, 300), (2, 1)), ("hulhe", (60, 90), (10, 5))],
    ids=["50 big blinds", "blinds 1/2, stacks 90 and 300", "limit with 6 and 9 big blinds"],
)
def test_the_blueprint_plays_other_stacks(alias, stacks, blinds):
    """And other chips, without an answer that the rules do not allow."""
    game = replace(load_builtin(alias), stacks=stacks, blinds=blinds)
    seats = [LegSeat(bot, bot, 1) for bot in ("blueprint", "rule")]
    *hands, _score = leg_lines(game, 30, 1, seats)
    assert len(hands) == 30


def test_the_blueprint_plays_a_game_of_the_users(tmp_path):
    """At a dealer, no answer is out of order, and nobody notices another game."""
    file = tmp_path / "other.game"
    game = replace(load_builtin("hunl"), stacks=(90, 300), blinds=(2, 1))
    file.write_text(format_gamedef(game))
    commands = [agent("blueprint", str(file), 1), agent("rule", str(file), 2)]
    match = play_seated(tmp_path, file, HANDS, commands)
    assert match.warnings == []
    assert match.errors == ["", ""]
    assert match.exit_codes == [0, 0]
    assert len(match.hands) == HANDS


@pytest.mark.parametrize(
    ("stack", "blinds", "facts"),
    [(1200, (100, 50), ("20 to 250", " 12")), (20000, (100, 25), ("1 to 2", "100/25"))],
)
def test_games_that_the_blueprint_does_not_play_are_refused_in_a_line(
    tmp_path, capsys, stack, blinds, facts
):
    """Before anybody is called up."""
    file = tmp_path / "other.game"
    game = replace(load_builtin("hunl"), stacks=(stack, stack), blinds=blinds)
    file.write_text(format_gamedef(game))
    assert main(["blueprint", "localhost", "9", "--game", str(file)]) == 2
    err = capsys.readouterr().err
    assert err.startswith("arena agent blueprint: blueprint plays ")
    assert all(fact in err for fact in facts)
    assert err.count("\n") == 1


def test_a_bot_of_fifteen_lines_plays(tmp_path):
    """A class with `act` and a call of `run` is a whole program."""
    code = [line for line in OWN_BOT.splitlines() if line.strip()]
    assert len(code) <= 15
    (tmp_path / "tight.py").write_text(OWN_BOT)
    commands = [[sys.executable, "tight.py"], agent("always-call", "hunl", 1)]
    match = play_seated(tmp_path, "hunl", HANDS, commands)
    assert match.warnings == []
    assert match.errors == ["", ""]
    assert match.exit_codes == [0, 0]


def test_the_same_seeds_play_the_same_match(tmp_path):
    """Deals from the dealer's seed, decisions from the bots' seeds."""
    commands = [agent("rule", "hunl", 1), agent("biased-random", "hunl", 2)]
    first, second = (play_seated(tmp_path, "hunl", HANDS, commands) for _ in range(2))
    assert first.hands == second.hands


class CuttingProxy:
    """Passes bytes on between bots and a dealer's port, and cuts its first connections."""

    def __init__(self, port: int, cuts: int, after_bytes: int) -> None:
        self._target = port
        self._cuts = cuts
        self._after = after_bytes
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.connections = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; call when both ends have closed."""
        self._thread.join(10)
        self._listener.close()

    def _serve(self) -> None:
        self._listener.settimeout(20)
        while self.connections <= self._cuts:
            bot, _ = self._listener.accept()
            self.connections += 1
            with bot, socket.create_connection(("127.0.0.1", self._target)) as dealer:
                bot.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                dealer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                left = self._after if self.connections <= self._cuts else 1 << 30
                while left > 0:
                    ready, _, _ = select.select([bot, dealer], [], [], 20)
                    data = b""
                    for sock in ready:
                        data = sock.recv(4096)
                        (dealer if sock is bot else bot).sendall(data)
                        left -= len(data)
                    if not data:
                        break


def test_a_bot_comes_back_to_a_dealer_that_allows_it(tmp_path):
    """Two losses in mid-match, and every hand is played all the same."""
    with DealerProcess(tmp_path, "40", "-q", "--reconnect", "10") as dealer:
        proxy = CuttingProxy(dealer.ports[0], cuts=2, after_bytes=3000)
        ports = [proxy.port, dealer.ports[1]]
        options = [["--reconnect", "10"], []]
        bots = [
            subprocess.Popen([*agent("biased-random", "hunl", 1), *more, "localhost", str(port)])
            for port, more in zip(ports, options, strict=True)
        ]
        code, out, _ = dealer.finish(40)
        assert [bot.wait(20) for bot in bots] == [0, 0]
        proxy.close()
        assert code == 0
        assert out.startswith("SCORE:")
        assert proxy.connections == 3
        assert sum(line.startswith("STATE:") for line in dealer.log) == 40


def test_the_log_tells_the_story(tmp_path):
    """One line for each event, from the seed to the end of the match."""

    def one_hand(seat):
        seat.line()
        seat.send("MATCHSTATE:1:0::|Qh9h")
        seat.line()
        seat.send("MATCHSTATE:1:0:cr300f:|Qh9h")

    path = tmp_path / "bot.jsonl"
    with MiniDealer(one_hand) as dealer:
        words = ["always-call", "127.0.0.1", str(dealer.port), "--seed", "5", "--log", str(path)]
        assert main(words) == 0
    events = [json.loads(line) for line in path.read_text().splitlines()]
    names = [event["event"] for event in events]
    assert names == ["started", "connected", "replied", "hand_over", "match_over"]
    assert events[0]["seed"] == 5
    assert events[2]["action"] == "c"
    assert events[4]["hands"] == 1


def test_ctrl_c_ends_a_bot_without_a_traceback():
    """Exit code 130 and nothing on stderr."""

    def wait(seat):
        seat.line()
        seat.send("MATCHSTATE:0:0::QsJs|")
        interrupted.send_signal(signal.SIGINT)
        assert seat.line() == b""

    with MiniDealer(wait) as dealer:
        interrupted = subprocess.Popen(
            [*AGENTS, "always-call", "127.0.0.1", str(dealer.port)],
            stderr=subprocess.PIPE,
            text=True,
        )
        _, errors = interrupted.communicate(timeout=20)
    assert (interrupted.returncode, errors) == (130, "")


@pytest.mark.parametrize(
    ("line", "code", "fact"),
    [
        ("MATCHSTATE:0:0::Ks|", 2, "no-limit for 2"),
        ("220 mail.example.org ESMTP", 1, "ACPC"),
    ],
)
def test_a_wrong_peer_is_one_line_on_stderr(capsys, line, code, fact):
    """What is wrong, and which exit code says so."""

    def say(seat):
        seat.line()
        seat.send(line)
        assert seat.line() == b""

    with MiniDealer(say) as dealer:
        assert main(["always-call", "127.0.0.1", str(dealer.port)]) == code
    err = capsys.readouterr().err
    assert fact in err
    assert err.count("\n") == 1


def test_listing_the_bots_imports_no_library():
    """`arena match` asks for the list at every start."""
    code = (
        "import sys\n"
        "from agents.__main__ import main\n"
        "main(['--list'])\n"
        "sys.exit(bool({'numpy', 'numba', 'asyncio'} & {*sys.modules}))"
    )
    subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)

"""The command lines of agents, up to the connection."""

import argparse
import json
import logging
import socket
import sys
from math import inf
from threading import Thread

import pytest

from agents.__main__ import main
from agents.baselines.always_call import AlwaysCall
from agents.bot_command import add_connection_arguments, run
from agents.roster.bots import agent_names, find_agent
from engine.console.arguments import count, deal_seed, load_game
from protocol.gamedefs import builtin_names, builtin_path, load_builtin


def test_list_shows_bots_and_games(capsys):
    """Every bot with its summary, every built-in game; others, once each, when asked for."""
    assert main(["--list", "plane-75-20"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in (*agent_names(), *builtin_names(), "plane-75-20  "))
    assert main(["--list", "--json", "plane-75-20", "nobody", "rule", "plane-75-20"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [agent["name"] for agent in listed["agents"]] == [*agent_names(), "plane-75-20"]
    rule = next(agent for agent in listed["agents"] if agent["name"] == "rule")
    assert "kuhn" not in rule["games"]
    assert "hunl" in rule["games"]
    biased = next(agent for agent in listed["agents"] if agent["name"] == "biased-random")
    assert [option["flag"] for option in biased["options"]] == ["--fold", "--call", "--raise"]
    assert listed["games"]["leduc"] == "leduc.limit.2p"


def connection(*words):
    """Return what a command line says of the connection."""
    parser = argparse.ArgumentParser()
    add_connection_arguments(parser)
    return parser.parse_args(["localhost", "4000", *words])


@pytest.mark.parametrize(
    ("text", "seconds"), [("0", 0), ("-0", 0), ("1500", 1.5), ("-1", inf), ("-600000", inf)]
)
def test_time_limits_are_read_as_the_dealer_reads_them(text, seconds):
    """Milliseconds; a negative number is no limit."""
    assert connection("--t_hand", text).t_hand == seconds


def test_time_limits_may_come_from_the_environment(monkeypatch):
    """As a match gives them to any program; what the command line says wins."""
    for name, text in (("RESPONSE", "1500"), ("HAND", "-1"), ("PER_HAND", "7000")):
        monkeypatch.setenv(f"ARENA_T_{name}", text)
    given = connection("--t_per_hand", "2000")
    assert (given.t_response, given.t_hand, given.t_per_hand) == (1.5, inf, 2.0)


@pytest.mark.parametrize("name", agent_names())
def test_each_bot_has_help(name, capsys):
    """Its options with their defaults, numbers and words; also what every bot has."""
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert stop.value.code == 0
    assert all(flag in shown for flag in ("--game", "--reconnect", "--log"))
    for option in find_agent(name).options:
        assert option.flag in shown
        if option.default is not None:
            kind = "g" if option.kind is float else ""
            assert f"(default: {option.default:{kind}})" in shown


def test_games_come_from_files_and_from_the_built_ins(tmp_path):
    """A file that exists wins over a built-in name."""
    assert load_game("hunl") == load_builtin("hunl")
    assert load_game(str(builtin_path("leduc"))) == load_builtin("leduc")
    named = tmp_path / "mine.game"
    named.write_bytes(builtin_path("kuhn").read_bytes())
    assert load_game(str(named)) == load_builtin("kuhn")
    named.write_text("GAMEDEF\nnumPlayers = 77\n")
    with pytest.raises(argparse.ArgumentTypeError, match=r"mine\.game"):
        load_game(str(named))
    with pytest.raises(argparse.ArgumentTypeError, match="no built-in game"):
        load_game(str(tmp_path / "none.game"))


def test_bots_are_compiled_beforehand(capsys):
    """Each that is named, in a game that it plays; a name that is none is one line."""
    assert main(["--warm-up", "always-call", "equilibrium"]) == 0
    assert capsys.readouterr().err == (
        "arena agent: compiling always-call (1 of 2)\narena agent: compiling equilibrium (2 of 2)\n"
    )
    assert main(["--warm-up", "slumbot"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


class CompilingBot(AlwaysCall):
    """Compiles two kernels before it connects."""

    def warm_up(self):
        for kernel in ("one", "another"):
            logging.getLogger("engine.compiled.compiling").info(kernel)


def test_a_bot_that_is_started_early_says_when_it_is_ready_and_hears_where_to_go():
    """That it compiles, once; then it connects to the address that it is told."""
    starter, bots_end = socket.socketpair()
    codes = []

    def play():
        with pytest.raises(SystemExit) as stop:
            run(CompilingBot(), ["-", str(bots_end.detach())])
        codes.append(stop.value.code)

    playing = Thread(target=play)
    playing.start()
    with starter, starter.makefile("r") as said, socket.create_server(("127.0.0.1", 0)) as dealer:
        assert [said.readline(), said.readline()] == ["compiling\n", "ready\n"]
        starter.sendall(b"127.0.0.1 %d\n" % dealer.getsockname()[1])
        seat, _ = dealer.accept()
        with seat, seat.makefile("r") as lines:
            assert lines.readline().startswith("VERSION")
        assert said.readline() == ""
    playing.join()
    assert codes == [1]  # sent away before the first hand


def test_a_bot_that_is_told_no_address_ends(capsys):
    """Its starter has gone, or says something else; a file descriptor that is no socket is told."""
    for words in (b"", b"somewhere\n", b"127.0.0.1 x\n"):
        starter, bots_end = socket.socketpair()
        with starter:
            starter.sendall(words)
            starter.shutdown(socket.SHUT_WR)
            assert main(["always-call", "-", str(bots_end.detach())]) == 1
        assert capsys.readouterr().err == (
            "arena agent always-call: nobody said where the dealer is\n"
        )
    assert main(["always-call", "-", "60000"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_an_unwritable_log_is_one_line(capsys, tmp_path):
    """The bot does not start without the log it was asked to write."""
    where = tmp_path / "no" / "such" / "folder.jsonl"
    assert main(["always-call", "localhost", "4000", "--log", str(where)]) == 1
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert "No such file" in shown


def test_a_closed_stdout_is_one_line(monkeypatch, capsys):
    """For the list and for the help; playing needs no stdout."""
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["--list"]) == 1
    assert capsys.readouterr().err == "arena agent: cannot write to stdout: it is closed\n"
    with pytest.raises(SystemExit) as stop:
        main(["rule", "--help"])
    assert stop.value.code == 1
    assert capsys.readouterr().err == "arena agent rule: cannot write to stdout: it is closed\n"


NO_NUMBERS = ["-1", "1.5", "x", "", f"00{2**40}", "9" * 9999]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_counts_and_seeds_of_deals_are_whole_numbers_in_a_range(text):
    """The message says in which."""
    with pytest.raises(argparse.ArgumentTypeError, match=r"\b1 to 99999999"):
        count(text)
    with pytest.raises(argparse.ArgumentTypeError, match=r"\b0 to "):
        deal_seed(text)
    assert (count("1"), count("0012"), count("99999999")) == (1, 12, 99999999)
    assert (deal_seed("0"), deal_seed("007"), deal_seed(str(2**32 - 1))) == (0, 7, 2**32 - 1)

"""Asking the agents' program which bots are shipped."""

import subprocess

import pytest

from dealer.bots.participants import exploitability_bounds, shipped_bots
from dealer.errors import MatchError
from protocol.gamedefs import builtin_aliases


def test_shipped_bots_are_those_of_the_agents_program():
    """Asked as a program, since this package does not know the agents; with what they play."""
    found = shipped_bots()
    assert {"always-call", "always-fold", "uniform-random", "rule"} <= set(found)
    assert found["always-call"] == tuple(builtin_aliases())
    assert "kuhn" not in found["rule"]


def test_a_point_of_the_plane_is_a_bot_where_it_is_asked_for():
    """Its name says how it plays; names of programs and of no bot at all say nothing."""
    shipped = shipped_bots(["plane-75-20", "--json", "/bin/sh", "plane-750-20", "rule"])
    assert set(shipped) - set(shipped_bots()) == {"plane-75-20"}
    assert "hunl" in shipped["plane-75-20"]


def test_bounds_are_those_of_a_strategy():
    """Of the bot with these options, in this game, and of no other."""
    bots = [("blueprint",), ("cnn",), ("cnn", "--sharpness", "2"), ("rule",)]
    bounds = exploitability_bounds(bots, "hunl")
    assert {bot: round(bound.mbb_per_hand) for bot, bound in bounds.items()} == {
        ("blueprint",): 1789,
        ("cnn", "--sharpness", "2"): 869,
    }
    assert set(exploitability_bounds(bots, "hulhe")) == {("blueprint",)}
    assert exploitability_bounds(bots, "kuhn") == {}


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"{", "Expecting"),
        (b"{}", "agents"),
        (subprocess.CalledProcessError(1, "x", stderr=b"Traceback\nImportError: y\n"), "Error: y"),
        (subprocess.CalledProcessError(1, "x", stderr=b""), "exit status 1"),
        (subprocess.TimeoutExpired("x", 60), "timed out"),
        (FileNotFoundError("python"), "python"),
    ],
)
def test_a_broken_agents_program_is_reported(monkeypatch, answer, words):
    """In one line."""

    def run(*_, **__):
        if isinstance(answer, bytes):
            return subprocess.CompletedProcess("x", 0, stdout=answer)
        raise answer

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(MatchError, match=words):
        shipped_bots()

"""A small match to test with."""

from pathlib import Path

import pytest

from dealer.bots.participants import BotKind, Participant
from dealer.series.manifest import Manifest
from protocol.gamedefs import builtin_aliases, builtin_path


@pytest.fixture
def make_manifest(tmp_path):
    """Return a function that makes the manifest of a match between two bots."""

    def make(**changes):
        path = builtin_path("hunl")
        facts = {
            "bots": (
                Participant("A", BotKind.COMMAND, ("/bin/sleep",)),
                Participant("B", BotKind.COMMAND, ("/bin/sleep",)),
            ),
            "game_name": path.name,
            "game_text": path.read_text(encoding="utf-8"),
            "hands": 4,
            "seed": 7,
            "runs": 1,
            "duplicate": True,
            "dealer_options": (),
            "working_directory": str(tmp_path),
        }
        return Manifest(**{**facts, **changes})

    return make


@pytest.fixture
def roster(monkeypatch, tmp_path):
    """Bots that play every game, and one that plays Leduc alone; commands run in `tmp_path`."""
    every = tuple(builtin_aliases())
    shipped = {"rule": every, "call": every, "shy": ("leduc",)}
    monkeypatch.setattr("dealer.commands.requests.shipped_bots", lambda names: shipped)
    monkeypatch.setattr("dealer.commands.requests.core_count", lambda: 3)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def write_log():
    """Return a function that writes a match log from betting, cards, values, names per hand."""

    def write(path: Path, hands, *, score=None):
        lines = ["# name/game/hands/seed m g.game 4 7", "#--t_response 600000"]
        for hand, (betting, cards, values, names) in enumerate(hands):
            shown = "|".join(map(str, values))
            lines.append(f"STATE:{hand}:{betting}:{cards}:{shown}:{'|'.join(names)}")
        if score is not None:
            lines.append(score)
        path.write_text("".join(f"{line}\n" for line in lines))

    return write

"""Recordings of the original dealer, as agents of the right game see them: nothing to complain."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.seat.game_validator import GameValidator
from engine.rules.replies import Problem, read_action
from protocol.events import StateReceived
from protocol.gamedef import GameDef, parse_gamedef
from protocol.gamedefs import load_builtin
from protocol.matchstate import parse_match_state

UNLIKE_OURS = ("board_first_round", "limit.10p.shortstack", "limit_short")
"""Recordings with a defect of the original that our rules do not repeat."""


def follow(game: GameDef, states: list[bytes], answers: dict[bytes, list[bytes]]) -> int:
    """Read one seat's states, answering as recorded; return how many answers were as asked.

    Raises what the agent would end with; fails where it would give a warning.
    """
    notices: list[str] = []
    validator = GameValidator(game, notices.append)
    taken = 0
    for text in states:
        view = validator.read(StateReceived(text, parse_match_state(text), text))
        recorded = answers.get(text, []) if view.my_turn else []
        verdict = read_action(view.state, recorded.pop(0)) if recorded else None
        if verdict is not None and verdict.problem is not Problem.SIZE:
            validator.answered(parse_match_state(text), verdict.action)
            taken += 1
    assert notices == []
    return taken


def by_state(lines: list[bytes]) -> dict[bytes, list[bytes]]:
    """Return the answers to each state, in order."""
    answers: dict[bytes, list[bytes]] = {}
    for line in lines:
        state, _, action = line.rpartition(b":")
        answers.setdefault(state, []).append(action)
    return answers


def recorded_seats(folder: Path) -> Iterator[tuple[list[bytes], list[bytes]]]:
    """Yield what each seat of a recorded match was sent, and what it said."""
    for sent in sorted(folder.glob("*.from_dealer.bin")):
        said = sent.with_name(sent.name.replace("from", "to"))
        yield sent.read_bytes().splitlines(), said.read_bytes().splitlines()[1:]


def test_recorded_connections_are_of_their_games(shared_data):
    """Every game of which the bytes were recorded, built in or not."""
    golden = shared_data / "golden"
    folders = [one for one in (golden / "golden/raw").iterdir() if one.is_dir()]
    folders = [one for one in folders if not one.name.startswith(UNLIKE_OURS)]
    taken = 0
    for folder in folders:
        name = folder.name.rpartition(".s")[0] + ".game"
        game = parse_gamedef(next((golden / "games").rglob(name)).read_bytes())
        for states, answers in recorded_seats(folder):
            taken += follow(game, states[:600], by_state(answers))
    assert len(folders) >= 8
    assert taken > 1000


@pytest.mark.parametrize(
    ("log", "game"),
    [("2p.limit", "hulhe"), ("2p.nolimit", "hunl"), ("3p.nolimit", "nolimit3")],
)
def test_an_original_match_of_a_thousand_hands_is_of_its_game(shared_data, log, game):
    """What the dealer noted of each line to and from an agent."""
    lines = (shared_data / f"dealer_logs/{log}.h1000.r0.actions.log").read_bytes().splitlines()
    words = [line.split() for line in lines]
    for seat in (b"1", b"2"):
        sent = [line[-1] for line in words if line[:2] == [b"TO", seat]]
        said = [line[-1] for line in words if line[:2] == [b"FROM", seat]]
        assert follow(load_builtin(game), sent, by_state(said)) > 1000

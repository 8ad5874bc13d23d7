"""Estimates of the hands of logs, on several processes, in the order of the hands."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from agents.aivat.known import open_known
from agents.aivat.strategy_reports import ToldFile
from agents.errors import AgentError
from agents.training.logs import PlayedHand, read_hands
from engine.aivat.equity_values import CHECKED_DOWN, load_values
from engine.aivat.estimate import Aivat, HandEstimate, NotItsStrategy
from engine.aivat.hands import hands_of
from engine.equity.allin import logged_expectation
from engine.parallel.processes import in_order
from engine.showdown.hand_values import hand_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.aivat.value_function import ValueFunction
    from engine.betting.policy import GamePolicy, Policy
    from protocol.gamedef import GameDef

_HANDS_PER_CHUNK: Final = 50


class EstimatedHand(NamedTuple):
    """A hand of a log and what it is worth, in chips of the player in position 0."""

    where: str
    """FILE:LINE."""
    hand_id: int
    names: tuple[str, ...]
    big_blind: int
    won: float
    """What was won."""
    allin: float
    """The same with the mean over the run-outs of an all-in."""
    estimate: HandEstimate


class EstimateConfig(NamedTuple):
    """How hands are estimated."""

    bots: Mapping[str, str]
    """Players whose strategies are known, see `agents.aivat.known`."""
    values: Path | None
    """File of the value function; None: the hands are checked down."""
    files: Mapping[str, Path]
    """Files of players that report how they act with their cards, see `strategy_reports`."""
    seed: int | None
    """Of run-outs of flops that are drawn; None: all are counted."""


def value_function(path: Path | None) -> ValueFunction:
    """Return the value function of a file, or of hands that are checked down.

    Raises:
        ArtifactMismatch: the file is missing or damaged.
    """
    return CHECKED_DOWN if path is None else load_values(path)


def estimated_hands(
    logs: Sequence[Path], game: GameDef | None, how: EstimateConfig, workers: int
) -> Iterator[EstimatedHand]:
    """Yield the hands of logs with their estimates.

    Args:
        logs: files of matches of hold'em for two, or of games for two with one private card.
        game: of all of them; None: each log's header names a built-in game.
        workers: processes; the result does not depend on their number.

    Raises:
        AgentError: a log cannot be read, hides cards, or a player is not the bot that it is said
            to be; the message says where.
        EngineError: a bot or a file cannot be opened.
    """
    chunks = _chunks(logs, game)
    for chunk in in_order(Estimator, (how,), chunks, workers):
        yield from chunk


Chunk = tuple[int, list[tuple[str, PlayedHand]]]
"""The number of its first hand, and hands with their places."""


def _chunks(logs: Sequence[Path], game: GameDef | None) -> Iterator[Chunk]:
    hands = read_hands(logs, game, for_two=True, small=True)
    number = 0
    while chunk := list(islice(hands, _HANDS_PER_CHUNK)):
        yield number, chunk
        number += len(chunk)


class Estimator:
    """Estimates hands; what it opened for a game serves the next ones."""

    def __init__(self, how: EstimateConfig) -> None:
        self._how = how
        self._values = value_function(how.values)
        self._told = {name: ToldFile(path) for name, path in how.files.items()}
        self._opened: dict[GameDef, tuple[Aivat, dict[str, GamePolicy]]] = {}

    def __call__(self, chunk: Chunk) -> list[EstimatedHand]:
        """Return the estimates of some hands."""
        first, hands = chunk
        return [
            self.estimate(where, hand, number) for number, (where, hand) in enumerate(hands, first)
        ]

    def estimate(self, where: str, hand: PlayedHand, number: int) -> EstimatedHand:
        """Return the estimate of a hand.

        Args:
            where: where it is from, for messages.
            number: of the hand, which seeds what is drawn.

        Raises:
            AgentError: it hides cards, or a player is not the bot that it is said to be.
        """
        record, state, cards = hand
        if not all(cards.holes):
            raise AgentError(f"{where}: hides cards: want logs that show all hands")
        aivat, policies = self._open(state.game)
        policy_of: dict[int, Policy] = {
            position: policies[name]
            for position, name in enumerate(record.names)
            if name in policies
        }
        own_hand_policies = {
            position: self._told[name].of_hand(hand, position)
            for position, name in enumerate(record.names)
            if name in self._told
        }
        try:
            estimate = aivat.estimate(
                state,
                cards.holes,
                cards.board,
                policy_of | own_hand_policies,
                number,
                with_own_hand=own_hand_policies,
            )
        except NotItsStrategy as error:
            name = record.names[error.position]
            raise AgentError(
                f"{where}: {name} is not {self._named(name)}, or another version of it: {error}"
            ) from error
        except ValueError as error:
            raise AgentError(f"{where}: {error}") from error
        won = hand_values(state, cards.holes, cards.board)[0]
        expected = logged_expectation(state, record.cards)
        return EstimatedHand(
            where,
            record.hand_id,
            record.names,
            state.game.big_blind,
            won,
            won if expected is None else expected[0],
            estimate,
        )

    def _named(self, name: str) -> str:
        if name in self._told:
            return f"the player of {self._how.files[name]}"
        return repr(self._how.bots[name])

    def _open(self, game: GameDef) -> tuple[Aivat, dict[str, GamePolicy]]:
        if game not in self._opened:
            aivat = Aivat(game, hands_of(game, self._how.seed), self._values)
            self._opened[game] = aivat, open_known(self._how.bots, game)
        return self._opened[game]

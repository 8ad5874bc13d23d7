"""A blueprint as a `Policy`: all hands at once, for local best response and for ranges.

They are the 1326 combos of hold'em; of Leduc poker the single cards of `private_hands`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.blueprint_model.branch_switch import BranchSwitch
from agents.blueprint_model.interpretation import HandBuckets, Interpretation, Interpreter
from agents.blueprint_model.model import BlueprintModel, load_model
from agents.blueprint_model.models import (
    check_model_game,
    named_model,
    restrained_model,
    shipped_model,
)
from agents.blueprint_model.options import BlueprintOptions
from engine.abstraction.buckets import CardAbstraction
from engine.betting.policy import Policy, Strategy
from engine.hands.private_hands import private_hands
from engine.rules.state import HandState
from protocol.actions import CALL
from protocol.gamedef import GameDef

BOARDS_KEPT: Final = 64
INTERPRETATIONS_KEPT: Final = 512


class BlueprintPolicy:
    """The policy of a blueprint.

    A copy for another process opens the model's file again.
    """

    def __init__(
        self,
        model: BlueprintModel,
        game: GameDef | None = None,
        *,
        threshold: float = 0.0,
        purify: bool = False,
        path: Path | None = None,
        cache_sizes: tuple[int, int] = (BOARDS_KEPT, INTERPRETATIONS_KEPT),
    ) -> None:
        """Choose how to play.

        Args:
            model: of hold'em, or of a game of single private cards.
            game: the one to be played; None: the model's.
            threshold, purify: as for `Interpreter`.
            path: the model's file; without it the policy cannot be pickled.
            cache_sizes: how many boards and states are remembered.

        Raises:
            InvalidGame: hands of the game are neither combos nor single cards.
            ValueError: the threshold is no probability.
        """
        self._hands: Final = private_hands(model.tree.game)
        self.model: Final = model
        self.interpreter: Final = Interpreter(model, game, threshold=threshold, purify=purify)
        self._options: Final = (threshold, purify, path)
        self._cache_sizes: Final = cache_sizes
        self._buckets: Final[OrderedDict[tuple[int, ...], NDArray[np.int32]]] = OrderedDict()
        self._interpretations: Final[OrderedDict[tuple[object, ...], list[Interpretation]]] = (
            OrderedDict()
        )
        self._strategies: Final[OrderedDict[tuple[object, ...], Strategy]] = OrderedDict()

    @property
    def game(self) -> GameDef:
        """The game it plays."""
        return self.interpreter.game

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as the path of the model's file."""
        threshold, purify, path = self._options
        if path is None:
            raise TypeError("a policy travels to another process by its model's file; it has none")
        return _reopen, (path, self.game, threshold, purify, self.interpreter.reader.closed)

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return how `state.actor` plays each hand; see `engine.betting.policy.Policy`."""
        cards = tuple(map(int, board))
        key = (state.betting, cards)
        strategy = self._strategies.get(key)
        if strategy is None:
            hands = self._hands_on(cards)
            interpretations = self._interpret(state, cards, hands, state.actor)
            answer = self.interpreter.answer(interpretations, state, hands)
            strategy = Strategy(answer.actions, answer.probabilities.astype(np.float32))
            _keep(self._strategies, key, strategy, self._cache_sizes[1])
        else:
            self._strategies.move_to_end(key)
        return strategy

    def reach(self, state: HandState, board: Sequence[int], player: int) -> NDArray[np.float64]:
        """Return (H,) float64 in proportion to how likely a player acts so far with each hand.

        Args:
            state, board: as for `strategy`; blocked hands mean nothing.
        """
        cards = tuple(map(int, board))
        interpretations = self._interpret(state, cards, self._hands_on(cards), player)
        weights = np.zeros(self._hands.count)
        for interpretation in interpretations:
            weights += interpretation.weight
        return weights

    def node_of(self, state: HandState, board: Sequence[int]) -> int | None:
        """Return the node of the model's tree that a state is, to the chip; None where none is."""
        if self.game != self.model.tree.game:
            return None
        cards = tuple(map(int, board))
        interpretations = self._interpret(state, cards, self._hands_on(cards), 0)
        node = interpretations[0].node
        same = tuple(self.model.tree.spent[node].tolist()) == state.spent
        return node if len(interpretations) == 1 and same else None

    def nearest(self, state: HandState, board: Sequence[int]) -> int:
        """Return the likeliest node of the model's tree to stand for a state.

        Args:
            board: the cards seen up to the last action.
        """
        return self.likely(state, board)[0]

    def likely(self, state: HandState, board: Sequence[int]) -> list[int]:
        """Return all nodes that may stand for a state, the likeliest first; as for `nearest`."""
        cards = tuple(map(int, board))
        interpretations = self._interpret(state, cards, self._hands_on(cards), 0)
        return [
            interpretation.node
            for interpretation in sorted(
                interpretations, key=lambda interpretation: -interpretation.chance
            )
        ]

    def at(self, node: int, board: Sequence[int]) -> NDArray[np.float32]:
        """Return (H, A) float32 what is done at a decision of the model's tree.

        Args:
            board: the cards seen there; blocked hands mean nothing.
        """
        street = int(self.model.tree.street[node])
        return self.interpreter.rows(node, self._hands_on(tuple(map(int, board)))(street))

    def close(self, nodes: frozenset[int]) -> None:
        """Read hands from now on as if the model had not the extra raises behind some nodes."""
        if nodes != self.interpreter.reader.closed:
            self.interpreter.reader.close(nodes)
            self._interpretations.clear()
            self._strategies.clear()

    def rehearse(self) -> None:
        """Decide on each street, so that all is compiled."""
        self.model.warm_up()
        state = HandState.start(self.game)
        while not state.over:
            self.strategy(state, self.game.deck[: self.game.board_seen(state.street)])
            state = state.apply(CALL)

    def _hands_on(self, board: tuple[int, ...]) -> HandBuckets:
        game = self.interpreter.game

        def buckets(street: int) -> NDArray[np.int32]:
            cards = board[: game.board_seen(street)]
            hand_buckets = self._buckets.get(cards)
            if hand_buckets is None:
                # Blocked hands are asked about too; whatever they do means nothing.
                hand_buckets = np.maximum(self._buckets_on(cards), 0)
                _keep(self._buckets, cards, hand_buckets, self._cache_sizes[0])
            else:
                self._buckets.move_to_end(cards)
            return hand_buckets

        return buckets

    def _buckets_on(self, board: tuple[int, ...]) -> NDArray[np.int32]:
        """Return (H,) int32 the bucket of each hand on a board, -1 for those that it blocks."""
        abstraction = self.model.cards
        if isinstance(abstraction, CardAbstraction):
            return abstraction.buckets(board)
        return np.array(
            [
                -1 if card in board else abstraction.bucket((card,), board)
                for card in self._hands.deck
            ],
            np.int32,
        )

    def _interpret(
        self, state: HandState, board: tuple[int, ...], hands: HandBuckets, player: int
    ) -> list[Interpretation]:
        """Interpret the hand action by action, from the longest beginning that is known."""
        game = self.interpreter.game
        interpretations = self.interpreter.start(hands)
        for earlier, action, after in state.steps():
            key = (player, after.betting, board[: game.board_seen(earlier.street)])
            successors = self._interpretations.get(key)
            if successors is None:
                successors = self.interpreter.step(
                    interpretations, earlier, action, after, player, hands
                )
                _keep(self._interpretations, key, successors, self._cache_sizes[1])
            interpretations = successors
        return interpretations


def open_policy(
    path: Path, game: GameDef | None = None, *, threshold: float = 0.0, purify: bool = False
) -> BlueprintPolicy:
    """Return the policy of a model's file in a game, its own unless told.

    Raises:
        ArtifactMismatch: the file is missing or damaged.
        GameNotPlayed: the model is for another kind of game.
        ValueError: the threshold is no probability.
    """
    model = load_model(path)
    if game is not None:
        check_model_game(path, model.tree.game, game)
    return BlueprintPolicy(model, game, threshold=threshold, purify=purify, path=path)


def blueprint_of(policy: Policy) -> BlueprintPolicy | None:
    """Return the blueprint that a policy is, or begins from; None where there is none."""
    blueprint = getattr(policy, "blueprint", policy)
    return blueprint if isinstance(blueprint, BlueprintPolicy) else None


def policy_for(
    game: GameDef | None, model: str | None = None, *, response: float = 0.0, **options: float
) -> BlueprintPolicy:
    """Return the policy of the model for a game; see `BlueprintOptions`.

    Args:
        game: what is to be played; None: what the model plays.
        model: its file; None: the one that comes along for the game.
        response: 1: that is a response, not an equilibrium.

    Raises:
        GameNotPlayed: there is no model for the game, or the one named is for another.
        ArtifactMismatch: its file is missing or damaged.
        ValueError: an option cannot be, the model is no file, neither game nor model is given, or
            what it plays depends on what the opponent did.
    """
    chosen = BlueprintOptions(model, **options)
    if model is None and game is None:
        raise ValueError("want a model or a game")
    shipped = restrained_model if response else shipped_model
    path = shipped(game) if model is None and game is not None else named_model(str(model))
    policy = open_policy(path, game, threshold=chosen.threshold, purify=bool(chosen.purify))
    switch = BranchSwitch(policy.model, policy.game, chosen.alone)
    if switch.counts:
        raise ValueError(
            f"{path} has branches learned alone, which are used by what the opponent did: "
            "want --alone 0 (always) or 1 (never)"
        )
    policy.close(switch.closed)
    return policy


def _reopen(
    path: Path, game: GameDef, threshold: float, purify: bool, closed: frozenset[int]
) -> BlueprintPolicy:
    policy = open_policy(path, game, threshold=threshold, purify=purify)
    policy.close(closed)
    return policy


def _keep(cache: OrderedDict[Any, Any], key: object, value: object, most: int) -> None:
    cache[key] = value
    if len(cache) > most:
        cache.popitem(last=False)

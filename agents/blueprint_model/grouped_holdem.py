"""Abstract hold'em that can be solved whole: few groups of buckets, each remembered.

The betting and the buckets are those of the shipped blueprint of the game; the buckets of each
street are joined in groups, and a hand is what its groups have been so far
(`engine.abstraction.bucket_sequences`).  Chance is counted over sampled deals.  In this game best
responses are exact, so regret minimisers can be compared and chosen in it; in hold'em itself the
strategy can lose more.  Its model is a blueprint's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.blueprint_model.config import TrainingConfig
from agents.blueprint_model.model import BlueprintModel, load_model, tree_of
from agents.blueprint_model.models import shipped_model
from engine.abstraction.bucket_sequences import BucketSequences
from engine.abstraction.buckets import STREETS, TURN, CardAbstraction
from engine.errors import InvalidGame
from engine.mccfr.sample_deals import DealSource
from engine.small_games.bucket_game import BucketGame, bucket_game, law_of_deals
from engine.small_games.bucket_solver import BucketSolver, expected_value, exploitability
from engine.small_games.table_solver import random_profile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.mccfr.records import DealBatch
    from protocol.gamedef import GameDef

USUAL_DEALS: Final = 2_000_000
MOST_HANDS: Final = 1000
"""On the river.  Tables of chance have the square of it; 384 hands of limit take 0.5 GB in all."""
Bets = tuple[tuple[str, ...], ...]
"""By street and raise, as in a blueprint's config."""
_BATCH: Final = 100_000
_DEALS_STREAM: Final = 1


@dataclass(frozen=True, slots=True)
class Groups:
    """How hands are joined."""

    widths: tuple[int, ...]
    """(4,) groups of each street's buckets."""
    deals: int = USUAL_DEALS
    """Sampled, each counted from both seats."""

    def __post_init__(self) -> None:
        if len(self.widths) != STREETS or not all(width >= 1 for width in self.widths):
            raise ValueError(f"groups: want {STREETS} numbers from 1 on")
        if prod(self.widths) > MOST_HANDS:
            raise ValueError(
                f"groups: {prod(self.widths)} hands on the river, more than {MOST_HANDS}"
            )
        if self.deals < 1:
            raise ValueError(f"{self.deals} deals: want at least 1")

    def facts(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {"groups": list(self.widths), "deals": self.deals}


class GroupedHoldem:
    """Hold'em for two in groups of buckets.

    Attributes:
        held: (K, 2) int32, both players' hands on the river in each of the deals that were counted.
        result: (K,) int8, 1 where the first of them wins, -1 where it loses, 0 where they tie.
    """

    model_name: Final = "model.blueprint"
    bot: Final = "blueprint"

    def __init__(self, game: GameDef, groups: Groups, seed: int, bets: Bets | None = None) -> None:
        """Join the buckets and count the deals: a minute of a core.

        Args:
            bets: the betting, as a config has it; None: that of the blueprint.

        Raises:
            ArtifactMismatch, GameNotPlayed, InvalidGame: as from `trained_for`.
            ValueError: a street has fewer buckets than groups.
        """
        blueprint = trained_for(game)
        betting = blueprint.config.bets if bets is None else bets
        widths = ".".join(map(str, groups.widths))
        self._config: Final = replace(
            blueprint.config,
            name=f"{blueprint.config.name}-{widths}",
            summary=f"the buckets of {blueprint.config.name} in groups of {widths}",
            bets=betting,
            training=TrainingConfig(),
        )
        tree = blueprint.tree if bets is None else tree_of(self._config)
        cards, rng = looked_up(blueprint.cards), np.random.default_rng((_DEALS_STREAM, seed))
        self.cards: Final = BucketSequences.joined(cards, groups.widths, _masses(game, cards, rng))
        source = DealSource(game, self.cards)
        dealt = list(_dealt(source, groups.deals, rng))
        self.held: Final = np.concatenate([deal.bucket[:, :, -1] for deal in dealt])
        self.result: Final = np.concatenate([deal.result for deal in dealt])
        law = law_of_deals(self.cards.counts, [(self.held, self.result)])
        self.game: Final[BucketGame] = bucket_game(tree, self.cards.counts, law)

    @property
    def nodes(self) -> int:
        """How large it is."""
        return self.game.nodes

    @property
    def info_sets(self) -> int:
        """Number of information sets."""
        return self.game.info_sets

    def solver(self, *, alternating: bool, rng: np.random.Generator | None) -> BucketSolver:
        """Return a solver before its first iteration; see `Solvable`."""
        start = None if rng is None else random_profile(self.game, rng)
        return BucketSolver(self.game, alternating=alternating, start=start)

    def model(self, average: NDArray[np.float64], provenance: Mapping[str, Any]) -> BlueprintModel:
        """Return a profile as a model; see `Solvable`."""
        rounded = self._model(average, {})
        profile = np.empty_like(average)
        for node in self.game.first_set:
            self.game.rows_of(profile, node)[:] = normalised(rounded.strategy(node))
        value = expected_value(self.game, profile)
        facts = {"exploitability": exploitability(self.game, profile), "values": [value, -value]}
        return self._model(average, {**provenance, **facts})

    def _model(self, average: NDArray[np.float64], provenance: Mapping[str, Any]) -> BlueprintModel:
        def rows(node: int) -> NDArray[np.float32]:
            return self.game.rows_of(average, node).astype(np.float32)

        return BlueprintModel.of_averages(
            self._config, self.game.tree, self.cards, rows, provenance
        )


def trained_for(game: GameDef) -> BlueprintModel:
    """Return the shipped blueprint of hold'em for two.

    Raises:
        ArtifactMismatch: its file is missing or damaged.
        GameNotPlayed: no shipped blueprint plays the game.
        InvalidGame: the one that does is for other stacks, or it is no hold'em.
    """
    blueprint = load_model(shipped_model(game))
    if not isinstance(blueprint.cards, CardAbstraction):
        raise InvalidGame("groups are of hold'em's buckets")
    if blueprint.tree.game != game:
        raise InvalidGame(
            f"want a game that a shipped blueprint was trained for; {blueprint.config.name} has "
            "other stacks"
        )
    return blueprint


def check_groups(game: GameDef, groups: Groups) -> None:
    """Check that a game can be solved in groups; quick, nothing is joined.

    Raises:
        ArtifactMismatch, GameNotPlayed, InvalidGame: as from `trained_for`.
        ValueError: a street has fewer buckets than groups.
    """
    counts = trained_for(game).cards.counts
    for street, (width, count) in enumerate(zip(groups.widths, counts, strict=True)):
        if width > count:
            raise ValueError(f"groups: {width} of the {count:,} buckets of street {street + 1}")


def normalised(rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return (N, A) float64 probabilities whose rows add to 1 exactly."""
    exact = rows.astype(np.float64)
    shares: NDArray[np.float64] = exact / exact.sum(axis=1, keepdims=True)
    return shares


def looked_up(cards: CardAbstraction) -> CardAbstraction:
    """Return the same buckets with a table of the turn, which deals want."""
    return cards.tabulate(TURN)


def _masses(
    game: GameDef, cards: CardAbstraction, rng: np.random.Generator
) -> list[NDArray[np.float64]]:
    """Return of each street (B,) how often its buckets come."""
    (deal,) = _dealt(DealSource(game, cards), _BATCH, rng)
    return [
        np.bincount(deal.bucket[:, :, street].ravel(), minlength=count).astype(np.float64)
        for street, count in enumerate(cards.counts)
    ]


def _dealt(source: DealSource, deals: int, rng: np.random.Generator) -> Iterator[DealBatch]:
    for first in range(0, deals, _BATCH):
        yield source.deal(rng.integers(0, 1 << 64, min(_BATCH, deals - first), np.uint64))

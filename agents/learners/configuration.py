"""How learners learn: a frozen record for each, its numbers from the papers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from agents.learners.betting_counts import betting_counts
from agents.learners.encoder import ACTIONS, Encoder
from agents.learners.grouped_game import layout_of
from agents.learners.memories import CHOICE, TRANSITION, advantage_row
from protocol.gamedef import format_gamedef

if TYPE_CHECKING:
    from agents.blueprint_model.grouped_holdem import Groups
    from protocol.gamedef import GameDef

_DECISION_BYTES: Final = 128
"""Of a decision in a batch of policy gradients, beside the row of what is seen."""
_FLOAT_BYTES: Final = 4
_SAMPLED_BYTES: Final = 256
"""Of a decision whose advantages a traversal measures, with its way into the reservoir."""


@dataclass(frozen=True, slots=True)
class NfspSettings:
    """Neural fictitious self-play.

    Source: Heinrich, Silver, "Deep reinforcement learning from self-play in imperfect-information
    games", 2016; the numbers are those of its Leduc hold'em.
    """

    hands: int = 128
    """Hands played by one policy."""
    hidden: tuple[int, ...] = (64,)
    anticipatory: float = 0.1
    """Share of hands in which a player plays its best response."""
    batch: int = 128
    every: int = 64
    """Decisions of a player between two steps of descent of both its networks."""
    value_rate: float = 0.1
    average_rate: float = 0.005
    target_every: int = 300
    """Steps of descent between two refits of the target network."""
    explored: float = 0.06
    """Share of random actions of the best response at first; falls as 1 / sqrt(rounds)."""
    ring: int = 200_000
    """Transitions that a player remembers."""
    reservoir: int = 2_000_000
    """Best-response actions that a player remembers."""
    alternating: int = 0
    """Decisions for which one player learns and the others stay; 0: all learn at once."""


@dataclass(frozen=True, slots=True)
class PolicyGradientSettings:
    """Proximal policy optimization in self-play; with `kl`, magnetic mirror descent.

    Sources: Rudolph, Lichtle, Mohammadpour, Bayen, Kolter, Zhang, Farina, Vinitsky, Sokota,
    "Reevaluating policy gradient methods for imperfect-information games", 2025; Sokota, D'Orazio,
    Kolter, Loizou, Lanctot, Mitliagkas, Brown, Kroer, "A unified approach to reinforcement
    learning, quantal response equilibria, and two-player zero-sum games", ICLR 2023.
    """

    hands: int = 256
    """Hands between two changes of the policy."""
    hidden: int = 64
    """Width of both hidden layers."""
    epochs: int = 4
    part: int = 1024
    """Decisions of a step of descent."""
    rate: float = 2e-3
    """Of Adam; falls to 0 in a line."""
    clip: float = 0.2
    lam: float = 0.95
    entropy: float = 0.2
    """Weight of the entropy at first."""
    entropy_end: float = 0.05
    """At the end; in between in a line."""
    kl: float = 0.0
    """Weight of the divergence from the policy before."""
    newest: float = 0.003
    """Share of the newest weights in the running mean that is played."""


PPO: Final = PolicyGradientSettings()
MMD: Final = PolicyGradientSettings(kl=0.5)


@dataclass(frozen=True, slots=True)
class SampledCfrSettings:
    """Single deep CFR.

    Sources: Brown, Lerer, Gross, Sandholm, "Deep counterfactual regret minimization", ICML 2019;
    Steinberger, "Single deep counterfactual regret minimization", 2019.
    """

    traversals: int = 100
    """Of each player in an iteration."""
    hidden: tuple[int, ...] = (64, 64)
    steps: int = 100
    """Of descent in an iteration."""
    rate: float = 3e-3
    """Of Adam."""
    reservoir: int = 1_000_000
    """Advantages that a player remembers."""
    tabular: bool = False
    """Whether a table takes the networks' part, which is external-sampling CFR."""


Settings = NfspSettings | PolicyGradientSettings | SampledCfrSettings


@dataclass(frozen=True, slots=True)
class LearnerConfig:
    """What is learned, and how."""

    algorithm: str
    """Its name."""
    name: str
    """Of the game, as it was asked for."""
    game: GameDef
    seed: int
    steps: int
    """Decisions of all players in all."""
    settings: Settings
    groups: Groups | None = None
    """Of hold'em's buckets; None: the game is written out."""
    bets: str | None = None
    """Of no-limit in groups, see `agents.learners.grouped_game.bets_of`; None: the usual ones."""

    def facts(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "algorithm": self.algorithm,
            "game": format_gamedef(self.game),
            "seed": self.seed,
            "steps": self.steps,
            **asdict(self.settings),
            **({} if self.groups is None else self.groups.facts()),
            **({} if self.bets is None else {"bets": self.bets}),
        }


def memory_bytes(config: LearnerConfig) -> int:
    """Return how many bytes the memories of all players take at most, and what a round meets.

    Those of single deep CFR hold the networks of all iterations, too; those of a game in groups
    what is seen of all its information sets, once as it is and once by player.

    Raises:
        ArtifactMismatch, GameNotPlayed, InvalidGame, ValueError: as from `layout_of`.
    """
    settings, game, seen_bytes = config.settings, config.game, 0
    if config.groups is None:
        counts, width, actions = betting_counts(game), Encoder(game).width, len(ACTIONS)
    else:
        info_sets, width, actions, counts = layout_of(game, config.groups, config.bets)
        seen_bytes = 2 * info_sets * width * _FLOAT_BYTES
    if isinstance(settings, NfspSettings):
        row = settings.ring * TRANSITION.itemsize + settings.reservoir * CHOICE.itemsize
        return seen_bytes + game.players * row
    if isinstance(settings, PolicyGradientSettings):
        seen = width * _FLOAT_BYTES
        return seen_bytes + settings.hands * counts.most_of_hand * (seen + _DECISION_BYTES)
    round_bytes = settings.traversals * max(counts.most_own) * _SAMPLED_BYTES
    reservoirs = game.players * settings.reservoir * advantage_row(actions).itemsize
    if settings.tabular:
        return seen_bytes + round_bytes + reservoirs
    iterations = -(-config.steps // (settings.traversals * sum(counts.least_met)))
    widths = (width, *settings.hidden, actions)
    weights = sum((inputs + 1) * outputs for inputs, outputs in pairwise(widths))
    networks = iterations * game.players * weights * _FLOAT_BYTES
    return seen_bytes + round_bytes + reservoirs + networks

"""Neural fictitious self-play: a best response by Q-learning, and the average of what it plays.

Each player has two networks.  One values actions, and is fitted to transitions out of a ring; the
other one imitates what the best response did, out of a reservoir.  In each hand a player plays its
best response with the anticipatory chance, else its average policy, which is what it learns.

Of a player's decision at information set s by action a, with its next one at s' or result r,

    loss of the values    (Q(s, a) - r - max over legal b of Q'(s', b))^2
    loss of the average   -log of the chance of a at s

Q' is an older copy of Q.  Source: see `agents.learners.configuration`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch

from agents.learners.memories import CHOICE, TRANSITION, ReservoirMemory, RingMemory
from agents.learners.model import SOFTMAX, LearnedNetworks
from agents.learners.train.player_nets import PlayerNets, SeatScores, descend

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from agents.learners.configuration import NfspSettings
    from agents.learners.learned_game import LearnedGame
    from agents.learners.memories import LearnerMemory
    from agents.learners.self_play_kernels import PlayedDecisions

_AVERAGE: Final = 0
_RESPONSE: Final = 1
_IMPOSSIBLE: Final = -1e9
_ROUNDS: Final = 0
_DECISIONS: Final = 1
_STEPS: Final = 2
_WAITING: Final = 3
"""PlayedDecisions since the last step of descent, of players that learn."""
_COUNTS: Final = 4


def value_loss(
    nets: PlayerNets,
    target: PlayerNets,
    x: torch.Tensor,
    taken: torch.Tensor,
    won: torch.Tensor,
    behind: tuple[torch.Tensor, torch.Tensor, torch.Tensor],
) -> torch.Tensor:
    """Return (P,) the mean squared error of the values of each player's batch.

    Args:
        x: (P, B, F)
        taken: (P, B) int64 columns of actions.
        won: (P, B)
        behind: of the next decision (P, B, F) what is seen, (P, B, A) whether an action is legal,
            and (P, B) whether there is one.
    """
    following, legal, goes_on = behind
    with torch.no_grad():
        worth = target.scores(following).masked_fill(~legal, _IMPOSSIBLE).amax(2)
        wanted = won + torch.where(goes_on, worth, 0.0)
    values = nets.scores(x).gather(2, taken[..., None])[..., 0]
    return (values - wanted).square().mean(1)


def average_loss(
    nets: PlayerNets, x: torch.Tensor, legal: torch.Tensor, taken: torch.Tensor
) -> torch.Tensor:
    """Return (P,) the mean of -log of the chance of what was taken; shapes as above."""
    logs = torch.log_softmax(nets.scores(x).masked_fill(~legal, _IMPOSSIBLE), 2)
    return -logs.gather(2, taken[..., None])[..., 0].mean(1)


class NfspLearner:
    """A `agents.learners.train.learner.SelfPlayLearner`."""

    def __init__(self, game: LearnedGame, settings: NfspSettings, rng: np.random.Generator) -> None:
        """Draw networks; remember nothing yet."""
        self._game: Final = game
        self._settings: Final = settings
        self._rng: Final = rng
        self._players: Final = game.players
        widths = (game.features.shape[1], *settings.hidden, game.legal.shape[1])
        self._values: Final = PlayerNets.drawn(self._players, widths, rng)
        self._average: Final = PlayerNets.drawn(self._players, widths, rng)
        self._target: Final = self._values.copy()
        seats = range(self._players)
        self._transitions: Final = [RingMemory(settings.ring, TRANSITION) for _ in seats]
        self._choices: Final = [ReservoirMemory(settings.reservoir, CHOICE) for _ in seats]
        self._nets: Final = {
            "values": self._values,
            "average": self._average,
            "target": self._target,
        }
        self._memories: Final = {
            **{f"ring{seat}": self._transitions[seat] for seat in seats},
            **{f"reservoir{seat}": self._choices[seat] for seat in seats},
        }
        self._seats: Final = SeatScores(game)
        self._features: Final = torch.from_numpy(game.features)
        self._legal: Final = torch.from_numpy(game.legal)
        self._counts: Final = np.zeros(_COUNTS, np.int64)

    def learn(self, done: float, limit: int) -> int:
        """Play some hands, remember them, and take the steps of descent that are due."""
        active = self._active()
        self._counts[_ROUNDS] += 1
        decisions, responses = self._play(active, limit)
        self._remember(decisions, responses, active)
        met = len(decisions.hand)
        self._counts[_DECISIONS] += met
        self._counts[_WAITING] += int(np.isin(decisions.player, active).sum())
        due, waiting = divmod(int(self._counts[_WAITING]), self._settings.every * len(active))
        self._counts[_WAITING] = waiting
        for _ in range(due):
            self._descend(active)
        return met

    def profile(self) -> NDArray[np.float64]:
        """Return the average policy, a flat profile."""
        return self._game.profile(self._seats.softmax(self._average))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return networks, memories and counts."""
        arrays = {"counts": self._counts.copy()}
        for name, nets in self._nets.items():
            arrays |= nets.arrays(name)
        for name, memory in self._memories.items():
            arrays |= memory.arrays(name)
        return arrays

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take them.  Raises KeyError, ValueError: they are of another learner."""
        if arrays["counts"].shape != self._counts.shape:
            raise ValueError("counts of another learner")
        for name, nets in self._nets.items():
            nets.restore(name, arrays)
        for name, memory in self._memories.items():
            memory.restore(name, arrays)
        self._counts[:] = arrays["counts"]

    def networks(self) -> LearnedNetworks:
        """Return the average policy's networks, one for each position."""
        seats = tuple(self._average.dense(player) for player in range(self._players))
        return LearnedNetworks(SOFTMAX, (seats,), (1.0,))

    def _active(self) -> list[int]:
        """Return the players that learn now."""
        if not self._settings.alternating:
            return list(range(self._players))
        return [int(self._counts[_DECISIONS]) // self._settings.alternating % self._players]

    def _play(self, active: Sequence[int], limit: int) -> tuple[PlayedDecisions, NDArray[np.bool_]]:
        """Play hands; say which decisions were best responses.

        Who does not learn plays its average policy in all hands.
        """
        settings, game = self._settings, self._game
        explored = settings.explored / float(self._counts[_ROUNDS]) ** 0.5
        policies = np.stack(
            [self._seats.softmax(self._average), self._seats.greedy(self._values, explored)]
        )
        chosen = np.full((settings.hands, self._players), _AVERAGE, np.int8)
        for player in active:
            responds = self._rng.random(settings.hands) < settings.anticipatory
            chosen[responds, player] = _RESPONSE
        decisions = game.play(game.profile(policies), chosen, self._rng, limit)
        return decisions, chosen[decisions.hand, decisions.player] == _RESPONSE

    def _remember(
        self, decisions: PlayedDecisions, responses: NDArray[np.bool_], active: Sequence[int]
    ) -> None:
        game = self._game
        rows = np.zeros(len(decisions.hand), TRANSITION)
        rows["info_set"] = decisions.info_set
        rows["action"] = game.columns[decisions.action]
        rows["won"] = decisions.won / game.scale
        behind = decisions.following
        rows["following"] = np.where(behind < 0, -1, decisions.info_set[behind])
        for player in active:
            mine = decisions.player == player
            self._transitions[player].add(rows[mine], self._rng)
            answers = rows[mine & responses][["info_set", "action"]]
            self._choices[player].add(answers.astype(CHOICE), self._rng)

    def _descend(self, active: Sequence[int]) -> None:
        """Take a step with both networks of the players that learn."""
        if not all(len(self._choices[player]) for player in active):
            return
        settings = self._settings
        learns = torch.zeros(self._players)
        learns[list(active)] = 1
        rows = self._batch(self._transitions, active)
        info_sets, following = _indices(rows["info_set"]), _indices(rows["following"])
        goes_on = following >= 0
        following = following.clamp(min=0)
        loss = value_loss(
            self._values,
            self._target,
            self._features[info_sets],
            _indices(rows["action"]),
            torch.from_numpy(rows["won"].copy()),
            (self._features[following], self._legal[following], goes_on),
        )
        descend((loss * learns).sum(), self._values.parameters, settings.value_rate)
        rows = self._batch(self._choices, active)
        info_sets = _indices(rows["info_set"])
        loss = average_loss(
            self._average,
            self._features[info_sets],
            self._legal[info_sets],
            _indices(rows["action"]),
        )
        descend((loss * learns).sum(), self._average.parameters, settings.average_rate)
        self._counts[_STEPS] += 1
        if self._counts[_STEPS] % settings.target_every == 0:
            self._target.copy_from(self._values)

    def _batch(self, memories: Sequence[LearnerMemory], active: Sequence[int]) -> NDArray[Any]:
        """Return (P, B) rows; those of players that do not learn are empty."""
        size = self._settings.batch
        return np.stack(
            [
                memory.sample(size, self._rng) if player in active else memory.empty(size)
                for player, memory in enumerate(memories)
            ]
        )


def _indices(numbers: NDArray[Any]) -> torch.Tensor:
    return torch.from_numpy(numbers.astype(np.int64))

"""Our games as environments of PettingZoo, in which agents take turns.

A hand is an episode.  Agents are seats, `player_0` on; what they see, do and get is told in
`environment_kernels`, `observations` and `episodes`.  All have their rewards when the hand is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from agents.bridges.episodes import BIG_BLINDS, Episodes
from agents.bridges.libraries import library
from engine.play.environment import DEFAULT_RAISE_POTS
from protocol.cards import format_cards

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from protocol.gamedef import GameDef

_pettingzoo: Any = library("pettingzoo")


class PokerAEC(_pettingzoo.AECEnv):  # type: ignore[misc]
    """A game of ours; agents act one at a time."""

    metadata: ClassVar[Mapping[str, Any]] = {
        "name": "acpc_poker_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: GameDef,
        *,
        observation: str = "vector",
        rewards: str = BIG_BLINDS,
        pots: Sequence[float] = DEFAULT_RAISE_POTS,
        render_mode: str | None = None,
    ) -> None:
        """Set up a table; arguments and errors are those of `Episodes`."""
        super().__init__()
        self.render_mode = render_mode
        self.episodes: Final = Episodes(game, observation, rewards, pots)
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self._seats: Final = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        spaces = {agent: self.episodes.spaces() for agent in self.possible_agents}
        self.observation_spaces = {agent: shown for agent, (shown, _) in spaces.items()}
        self.action_spaces = {agent: actions for agent, (_, actions) in spaces.items()}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal the next hand; a seed begins anew with the deals of a match of that seed."""
        self.episodes.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[0]
        self._select()

    def step(self, action: int | None) -> None:
        """Take the selected agent's action; one that is not legal is a call."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.episodes.table.step(int(action))  # type: ignore[arg-type]
        self._select()

    def _select(self) -> None:
        """Select who acts next, or end the hand."""
        episodes = self.episodes
        if (actor := episodes.table.actor) >= 0:
            self.agent_selection = self.possible_agents[episodes.seat_in(actor)]
            return
        self.rewards = dict(zip(self.agents, episodes.rewards(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees: "observation" and "action_mask", all 0 out of turn."""
        return self.episodes.shown(self._seats[agent])

    def render(self) -> str:
        """Return the hand in a line: betting, all hole cards, the board as far as it is seen."""
        table = self.episodes.table
        views = [table.view(position) for position in range(table.game.players)]
        holes = "|".join(format_cards(view.hole) for view in views)
        return f"{views[0].state.betting}:{holes}/{format_cards(views[0].board)}"

    def close(self) -> None:
        """Do nothing: no window and no process is open."""

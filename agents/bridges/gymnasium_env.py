"""Our games as an environment of Gymnasium: one learner against bots that are chosen.

A hand is an episode; what the learner sees, does and gets is told in `environment_kernels`,
`observations` and `episodes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from agents.bot import Bot
from agents.bridges.episodes import BIG_BLINDS, Episodes
from agents.bridges.libraries import library
from agents.roster.bots import find_agent
from engine.play.budget import without_budget
from engine.play.environment import DEFAULT_RAISE_POTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

_gymnasium: Any = library("gymnasium")

LEARNER_SEAT: Final = 0


class PokerEnv(_gymnasium.Env):  # type: ignore[misc]
    """A game of ours against bots."""

    metadata: ClassVar[Mapping[str, Any]] = {"render_modes": []}

    def __init__(
        self,
        game: GameDef,
        bots: Sequence[Bot | str],
        *,
        observation: str = "vector",
        rewards: str = BIG_BLINDS,
        pots: Sequence[float] = DEFAULT_RAISE_POTS,
    ) -> None:
        """Seat the bots.

        Args:
            bots: the learner's opponents, one fewer than there are players: bots, or names as
                `arena agent` takes them.  A raise of theirs is the number of chips they say.
            observation: this and what follows are those of `Episodes`, and so are the errors.

        Raises:
            UnknownAgent: nothing plays under a name.
            ValueError: there are not as many bots as places for them.
        """
        if len(bots) != game.players - 1:
            raise ValueError(f"{len(bots)} bots: want {game.players - 1}")
        self.episodes: Final = Episodes(game, observation, rewards, pots)
        self.observation_space, self.action_space = self.episodes.spaces()
        self._bots: Final = [
            find_agent(bot).build() if isinstance(bot, str) else bot for bot in bots
        ]
        self._acts: Final = [without_budget(bot.act) for bot in self._bots]
        self._watchers: Final = [
            (number, bot)
            for number, bot in enumerate(self._bots, start=1)
            if type(bot).observe is not Bot.observe
        ]
        for bot in self._bots:
            bot.warm_up()
        self._started = False

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Deal the next hand, and let the bots act until the learner is to act.

        A seed begins a new match, with the deals of that seed; bots are started anew with it.
        Hands that end before the learner has acted are played, and another is dealt.
        """
        super().reset(seed=seed)
        if seed is not None or not self._started:
            self._started = True
            for number, bot in enumerate(self._bots, start=1):
                bot.start_match(self.episodes.table.game, (seed or 0) + number)
        while True:
            self.episodes.begin(seed)
            seed = None
            if self._let_bots_act():
                return self._told()

    def step(
        self, action: int
    ) -> tuple[dict[str, NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """Take the learner's action, one that is not legal as a call; let the bots act."""
        self.episodes.table.step(int(action))
        over = not self._let_bots_act()
        won = self.episodes.rewards()[LEARNER_SEAT] if over else 0.0
        shown, info = self._told()
        return shown, won, over, False, info

    def action_masks(self) -> NDArray[np.int8]:
        """Return (A,) the actions that are legal, as sb3-contrib's MaskablePPO asks for them."""
        return self.episodes.table.legal()

    def _told(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return what the learner sees, and its mask once more."""
        shown = self.episodes.shown(LEARNER_SEAT)
        return shown, {"action_mask": shown["action_mask"]}

    def _let_bots_act(self) -> bool:
        """Let bots act until the learner is to act; return False once the hand is over."""
        episodes = self.episodes
        table = episodes.table
        while table.actor >= 0:
            seat = episodes.seat_in(table.actor)
            for number, bot in self._watchers:
                if number != seat:
                    bot.observe(table.view(episodes.position_of(number)))
            if seat == LEARNER_SEAT:
                return True
            table.take(self._acts[seat - 1](table.view(table.actor)))
        for number, bot in enumerate(self._bots, start=1):
            bot.end_hand(table.view(episodes.position_of(number)))
        return False

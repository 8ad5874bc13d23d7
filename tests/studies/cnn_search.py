"""What a look one step ahead adds to the network in limit hold'em, against those of figure 7.

    make study NAME="cnn-search runs/cnn/cnn.network"

The network is one of `arena train cnn --values`.  All meet the same deals, from both seats, in
matches of 500 deals with who learns.  What the look adds is the mean difference over deals, so the
luck of the cards is out of it where both play alike.  A core for about an hour: a look takes a
hundredth of a second, and a decision of `statistical` a tenth.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from time import process_time
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.opponents.pool_logs import pool_seed
from agents.roster.words import chosen_bot
from engine.console.arguments import count
from engine.console.options import seed_option
from engine.console.output import tell
from engine.estimates.winrate import win_rate
from engine.play.learners import play_tables, rotations
from protocol.gamedefs import load_builtin
from tests.studies.cnn_duels import LEARNERS, LIMIT, LIMIT_OPPONENTS
from tests.studies.duels import MATCH, Duel, play_duel
from tests.studies.frame import finite
from tests.studies.pool import samples_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from agents.bot import Bot
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

SEARCHER: Final = "cnn --search"
WITHOUT: Final = ("cnn", "cnn --greedy 1")
SMALL: Final = {"deals": 3, "opponents": ["rule"]}


def add_options(parser: ArgumentParser) -> None:
    """Add whom it meets, and how often."""
    add = parser.add_argument
    add("model", metavar="FILE", help="network that knows what hands are worth")
    add("--opponents", metavar="BOT", nargs="+", default=list(LIMIT_OPPONENTS), help="(all)")
    add("--weight", metavar="X", type=float, default=3.0, help="of the look (%(default)s)")
    add("--deals", metavar="N", type=count, default=1000, help="of each match (%(default)s)")
    seed_option().add_to(parser)


def result_name(_: Namespace) -> str:
    """Return the file beside the other results of the network."""
    return "cnn/search.json"


def run(options: Namespace) -> dict[str, Any]:
    """Return what each way to play wins from each opponent, and what the look adds."""
    model = f" --model {options.model}"
    rows = {}
    for opponent in options.opponents:
        clock = _Clock()
        duel = _duel(f"{SEARCHER} {options.weight:g}{model}", opponent, options)
        won = _searched(load_builtin(LIMIT), duel, clock)
        row: dict[str, Any] = {SEARCHER: _rate(won)}
        for agent in WITHOUT:
            without = play_duel(load_builtin(LIMIT), _duel(agent + model, opponent, options))
            row[agent] = _rate(without)
            row[f"beyond {agent}"] = _rate(won - without)
        rows[opponent] = row | {"milliseconds": 1000 * clock.seconds / max(clock.decisions, 1)}
        tell(f"{opponent}: {rows[opponent]}")
    return {
        "weight": options.weight,
        "deals": options.deals,
        "seed": options.seed,
        "opponents": rows,
    }


def _duel(agent: str, opponent: str, options: Namespace) -> Duel:
    match = MATCH if opponent in LEARNERS and options.deals >= MATCH else 0
    deals = options.deals - options.deals % match if match else options.deals
    return Duel(agent, opponent, deals, options.seed, match, LIMIT)


def _rate(won: NDArray[np.float64]) -> dict[str, float | None]:
    """Return a win rate of (2, H) chips won, a sample being a deal from both seats."""
    game = load_builtin(LIMIT)
    rate = win_rate(samples_of(won, 1), game.big_blind, hands_per_sample=2)
    return {"mbb_per_hand": rate.mbb_per_hand, "ci95": finite(rate.ci95)}


class _Clock:
    """How long decisions take."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.decisions = 0

    def timed(self, build: Callable[[], Bot]) -> Callable[[], Bot]:
        """Return a builder of the same bot whose decisions are timed."""

        def build_timed() -> Bot:
            bot = build()
            bot.warm_up()
            act = bot.act

            def timed_act(view: PlayerView) -> Action:
                begun = process_time()
                action = act(view)
                self.seconds += process_time() - begun
                self.decisions += 1
                return action

            bot.act = timed_act  # type: ignore[method-assign]
            return bot

        return build_timed


def _searched(game: GameDef, duel: Duel, clock: _Clock) -> NDArray[np.float64]:
    """Play what `play_duel` plays, with the first one's decisions timed."""
    length = duel.match or duel.deals
    names = [f"{duel.other} {number}" for number in range(1, duel.deals // length)]
    begun = [pool_seed(duel.seed, name) >> 1 for name in (duel.other, *names)]
    tables = rotations([clock.timed(chosen_bot(duel.one).build), chosen_bot(duel.other).build])
    return np.concatenate(
        [play_tables(game, seed, length, tables)[:, :, 0].T for seed in begun], axis=1
    )

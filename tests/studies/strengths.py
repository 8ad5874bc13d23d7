"""What hands two modellers hold when they play each other, and how often each strength wins.

    make study NAME="strengths --hands 100000 --seed 1"
    make study NAME="strengths --hands 10000 --preset patent"

    decisions  (4, 100) int64   decisions by street and by strength of the hand, 100 equal bins
    hands      (4, 100) int64   hands that reached a street, both players', by their strength there
    wins       (4, 100) int64   how many of `hands` won the pot, in whatever way
    ties       (4, 100) int64   how many shared it

Strengths are those that the modellers go by (`engine.equity.strength`).  These are the counts
behind the patent's figures: the histogram of strengths, and the chance to win against strength.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.bot import Bot
from agents.seat.game_validator import describe
from agents.statistical.bot import Settings
from agents.statistical.counting.situations import STREETS
from agents.statistical.departures import preset
from agents.statistical.variants import bot_with, reader_of
from engine.console.arguments import count
from engine.console.options import game_option, jobs_option, seed_option
from engine.console.output import tell
from engine.hands.cards import combo_of
from engine.parallel.processes import in_order
from engine.play.learners import play_learning_match
from engine.showdown.evaluator import strength
from tests.studies.frame import resumed
from tests.studies.trials import add_preset

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.equity.strength import StrengthReader
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

GAME: Final = "hulhe"
BINS: Final = 100
STREET_NAMES: Final = ("before the flop", "flop", "turn", "river")
_PLAYERS: Final = 2
COUNTS: Final = ("decisions", "hands", "wins", "ties")


SMALL: Final = {"hands": 6, "match": 3, "jobs": 1}


def add_options(parser: ArgumentParser) -> None:
    """Add the game and how much is played."""
    add = parser.add_argument
    game_option(GAME).add_to(parser)
    add("--hands", metavar="N", type=count, default=10_000, help="deals in all (%(default)s)")
    add(
        "--match",
        metavar="N",
        type=count,
        default=2000,
        help="deals of a match; both begin each knowing nothing (%(default)s)",
    )
    add_preset(parser)
    seed_option().add_to(parser)
    jobs_option().add_to(parser)


def result_name(options: Namespace) -> str:
    """Return the file of the default or of a preset."""
    return f"strengths-{options.preset}.json" if options.preset else "strengths.json"


def run(options: Namespace) -> dict[str, Any]:
    """Play everything that the work folder lacks; return the counts."""
    settings = preset(options.preset)
    study = Study(options.game, options.hands, options.match, options.seed, settings)
    return {
        "complete": True,
        "deals_wanted": study.hands,
        "game": describe(study.game),
        "match": study.match,
        "preset": options.preset,
        "seed": study.seed,
        "deals": study.hands,
        "bins": BINS,
        **dict(zip(COUNTS, count_strengths(study, options).tolist(), strict=True)),
    }


def count_strengths(study: Study, options: Namespace) -> NDArray[np.int64]:
    """Return the sums of COUNTS, (4, 4, 100), which do not depend on `options.jobs`.

    Raises:
        ValueError: no two modellers play the game.
    """
    if study.game.players != _PLAYERS:
        raise ValueError("want hold'em for two")
    bot_with(study.settings).start_match(study.game, 0)
    parts = study.parts()
    facts = [describe(study.game), asdict(study.settings)]
    player = study.game, study.settings

    def play(missing: list[int]) -> Iterator[NDArray[np.int64]]:
        chosen = [parts[number] for number in missing]
        return in_order(_StudyPlayer, player, chosen, max(min(options.jobs, len(chosen)), 1))

    sums = np.zeros((len(COUNTS), STREETS, BINS), np.int64)
    keys = [f"{facts} {part}" for part in parts]
    for done, counts in enumerate(resumed(options.work, keys, play), 1):
        sums += counts
        tell(f"{done} of {len(parts)} matches")
    return sums


def _zeros() -> NDArray[np.int64]:
    return np.zeros((STREETS, BINS), np.int64)


@dataclass(slots=True)
class StrengthCounts:
    """The counts of the module, of some deals."""

    deals: int = 0
    decisions: NDArray[np.int64] = field(default_factory=_zeros)
    hands: NDArray[np.int64] = field(default_factory=_zeros)
    wins: NDArray[np.int64] = field(default_factory=_zeros)
    ties: NDArray[np.int64] = field(default_factory=_zeros)


class Study(NamedTuple):
    """What is played."""

    game: GameDef
    hands: int
    """Deals in all."""
    match: int = 2000
    """Deals of a match; both modellers begin each knowing nothing."""
    seed: int = 1
    settings: Settings = Settings()
    """Of both modellers; strengths are those that they go by."""

    def parts(self) -> list[tuple[int, int]]:
        """Return the seed and the deals of each match."""
        whole, rest = divmod(self.hands, self.match)
        lengths = [self.match] * whole + [rest] * (rest > 0)
        words = np.random.SeedSequence(self.seed).generate_state(len(lengths))
        return [(int(word) >> 1, length) for word, length in zip(words, lengths, strict=True)]


class _StudyPlayer:
    """Plays matches in one process."""

    def __init__(self, game: GameDef, settings: Settings) -> None:
        self._game = game
        self._settings = settings
        self._strengths = reader_of(settings)()

    def __call__(self, part: tuple[int, int]) -> NDArray[np.int64]:
        seed, deals = part
        counts = StrengthCounts(deals)
        bots = [
            Witness(bot_with(self._settings, strengths=self._strengths), self._strengths, counts)
            for _ in range(_PLAYERS)
        ]
        play_learning_match(self._game, seed, deals, bots)
        return np.stack([getattr(counts, name) for name in COUNTS])


class Witness(Bot):
    """Plays as another bot does, and counts the strengths of its hands."""

    def __init__(self, bot: Bot, strengths: StrengthReader, counts: StrengthCounts) -> None:
        """Watch a bot; what it holds goes into `counts`."""
        self._bot = bot
        self._strengths = strengths
        self._counts = counts

    def start_match(self, game: GameDef, seed: int) -> None:
        """Start the bot's match."""
        self._bot.start_match(game, seed)

    def act(self, view: PlayerView) -> Action:
        """Return the bot's action."""
        self._counts.decisions[view.street, self._bin(view, view.street)] += 1
        return self._bot.act(view)

    def end_hand(self, view: PlayerView) -> None:
        """Count the hand on each street that it reached, and whether it won."""
        share = _share(view)
        for street in range(view.street + 1):
            place = street, self._bin(view, street)
            self._counts.hands[place] += 1
            self._counts.wins[place] += share == 1
            self._counts.ties[place] += 0 < share < 1
        self._bot.end_hand(view)

    def _bin(self, view: PlayerView, street: int) -> int:
        found = self._strengths.read(view.board[: view.game.board_seen(street)])
        return min(int(found[combo_of(*view.hole)] * BINS), BINS - 1)


def _share(view: PlayerView) -> float:
    """Return the share of the pot, 0, 1/2 or 1, that a player for two gets at the end."""
    state, position = view.state, view.position
    if not state.showdown:
        return float(not state.folded[position])
    own, other = (strength((*view.shown[one], *view.board)) for one in (position, 1 - position))
    return (float(own > other) + float(own >= other)) / 2

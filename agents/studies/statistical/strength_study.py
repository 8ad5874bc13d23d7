"""What hands two modellers hold when they play each other, and how often each strength wins.

    decisions  (4, 100) int64   decisions by street and by strength of the hand, 100 equal bins
    hands      (4, 100) int64   hands that reached a street, both players', by their strength there
    wins       (4, 100) int64   how many of `hands` won the pot, in whatever way
    ties       (4, 100) int64   how many shared it

Strengths are those that the modellers go by (`engine.equity.strength`).  These are the counts
behind the patent's figures: the histogram of strengths, and the chance to win against strength.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.bot import Bot
from agents.statistical.bot import Settings
from agents.statistical.counting.situations import STREETS
from agents.statistical.variants import bot_with, reader_of
from engine.hands.cards import combo_of
from engine.parallel.processes import in_order
from engine.play.learners import play_learning_match
from engine.showdown.evaluator import strength

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.equity.strength import StrengthReader
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

BINS: Final = 100
STREET_NAMES: Final = ("before the flop", "flop", "turn", "river")
_PLAYERS: Final = 2
_COUNTS: Final = ("decisions", "hands", "wins", "ties")


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

    def add(self, other: StrengthCounts) -> None:
        """Count what another one has counted too."""
        self.deals += other.deals
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def win_chances(self, street: int | None = None, bins: int = BINS) -> WinChances:
        """Return how often each strength won, on one street or on all, in fewer bins."""
        streets = slice(None) if street is None else slice(street, street + 1)
        hands, wins, ties = (
            merged_bins(getattr(self, name)[streets].sum(axis=0), bins)
            for name in ("hands", "wins", "ties")
        )
        return WinChances.of(hands, wins + ties / 2)

    def plain(self) -> dict[str, Any]:
        """Return everything as plain values, to be kept in a file."""
        return {"deals": self.deals, "bins": BINS} | {
            name: getattr(self, name).tolist() for name in _COUNTS
        }


def merged_bins(counts: NDArray[np.int64], bins: int) -> NDArray[np.int64]:
    """Return (..., bins) sums of neighbouring bins of (..., B) counts."""
    sums: NDArray[np.int64] = counts.reshape(*counts.shape[:-1], bins, -1).sum(axis=-1)
    return sums


class WinChances(NamedTuple):
    """Shares of hands that won, B bins; nan where there is no hand."""

    hands: NDArray[np.int64]
    chance: NDArray[np.float64]
    low: NDArray[np.float64]
    """Lower ends of 95 % intervals (Wilson, "Probable inference, the law of succession, and
    statistical inference", JASA 22, 1927)."""
    high: NDArray[np.float64]

    @classmethod
    def of(cls, hands: NDArray[np.int64], won: NDArray[np.float64]) -> WinChances:
        """Return it for counts of hands and of those won; one shared counts half.

        A shared pot makes the true interval narrower: these are on the safe side.
        """
        z = 1.96
        with np.errstate(invalid="ignore", divide="ignore"):
            chance = won / hands
            middle = (won + z * z / 2) / (hands + z * z)
            half = z * np.sqrt(hands * chance * (1 - chance) + z * z / 4) / (hands + z * z)
        return cls(hands, chance, middle - half, middle + half)


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


def count_strengths(study: Study, jobs: int = 1) -> Iterator[StrengthCounts]:
    """Yield the counts of each match as soon as it is played; they do not depend on `jobs`.

    Raises:
        ValueError: no two modellers play the game.
    """
    bot_with(study.settings).start_match(study.game, 0)
    parts = study.parts()
    player = study.game, study.settings
    yield from in_order(_StudyPlayer, player, parts, min(jobs, len(parts)))


class _StudyPlayer:
    """Plays matches in one process."""

    def __init__(self, game: GameDef, settings: Settings) -> None:
        self._game = game
        self._settings = settings
        self._strengths = reader_of(settings)()

    def __call__(self, part: tuple[int, int]) -> StrengthCounts:
        seed, deals = part
        counts = StrengthCounts(deals)
        bots = [
            Witness(bot_with(self._settings, strengths=self._strengths), self._strengths, counts)
            for _ in range(_PLAYERS)
        ]
        play_learning_match(self._game, seed, deals, bots)
        return counts


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

"""The statistical modeller: plays tables while it counts, then exploits what it has counted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.bot import Bot
from agents.statistical.action_chances import ActionChances, CountedChances
from agents.statistical.base_strategy import Rotation, action_of, base_fraction, draw_kind
from agents.statistical.contexts import plays
from agents.statistical.counters import OpponentCounters
from agents.statistical.decision import (
    BLUFF_FRACTION,
    bluff_value,
    call_value,
    compare,
    equity_against,
    value_fraction,
)
from agents.statistical.habits import CALL, FOLD, RAISE
from agents.statistical.memory import load_opponents, save_opponents
from agents.statistical.range_reader import SCALES, RangeReader, Reading
from agents.statistical.strength import StrengthReader
from engine.cards import combo_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_PLAYERS: Final = 2
ANYBODY: Final = "anybody"


@dataclass(frozen=True, slots=True)
class Settings:
    """How the modeller models and decides."""

    modelling: bool = True
    """False: phase 1 for ever."""
    tolerance: float = 0.05
    """Difference of strengths within which hands count as equal."""
    mirrored: bool = True
    """Whether a call also lowers the hands that would have raised."""
    scale: str = "relative"
    """"relative" or "absolute", see `range_reader`."""
    candidates: bool = False
    """Compare with the mean of the hands of highest weight only, not with that of all by weight."""
    pot_odds: bool = True
    """Whether to call where the share of the pot pays for it, whatever the comparison says."""
    bluffs: bool = True
    """Whether to raise where the opponent folds often enough, whatever the comparison says."""
    bin_samples: int = 3
    """Own decisions that each strength bin must hold before phase 2."""
    confidence: float = 0.5
    """n / (n + 5) for n decisions counted in the cells of the opponent's actions in this hand (the
    smallest of them): below it phase 1 decides."""
    rotate_every: int = 50
    """Hands after which another table is played."""

    def check(self) -> None:
        """Raise ValueError where a setting is out of range."""
        if not 0 <= self.tolerance <= 1:
            raise ValueError(f"tolerance {self.tolerance}: want 0 to 1")
        if not 0 <= self.confidence < 1:
            raise ValueError(f"confidence {self.confidence}: want 0 or more, less than 1")
        if self.bin_samples < 0:
            raise ValueError(f"{self.bin_samples} samples a bin: want 0 or more")
        if self.scale not in SCALES:
            raise ValueError(f"scale {self.scale!r}: want one of {', '.join(SCALES)}")


CONFIDENCE_PRIOR: Final = 5.0


class Statistical(Bot):
    """Plays any hold'em for two, limit or no-limit.

    Attributes:
        settings: as given.
        counters: what is known of the opponent; made anew by `start_match` unless a file holds it.
        phase: 1 or 2, of the last decision.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        memory: Path | None = None,
        opponent: str = ANYBODY,
        strengths: StrengthReader | None = None,
    ) -> None:
        """Set up the bot.

        Args:
            settings: how it plays.
            memory: a file of opponents, to be read at the start and written after each hand.
            opponent: the name under which that file keeps whoever is played against.
            strengths: shared with other bots of one process, who see the same boards.

        Raises:
            ValueError: a setting is out of range.
        """
        self.settings: Final = settings or Settings()
        self.settings.check()
        self._memory: Final = memory
        self._opponent: Final = opponent
        self._known: dict[str, OpponentCounters] = {}
        self._strengths: Final = strengths or StrengthReader()
        self._reading: Final = Reading(self.settings.scale, self.settings.mirrored)
        self._reader: RangeReader | None = None
        self.counters = OpponentCounters()
        self.phase = 1
        self._begin(0)

    def warm_up(self) -> None:
        """Compile, or load from the cache, what finds strengths and shares of the pot."""
        board = [0, 5, 10, 15, 20]
        for seen in (0, 3, 5):
            self._strengths.read(board[:seen])
            equity_against((50, 51), board[:seen], np.ones(1326))

    def start_match(self, game: GameDef, seed: int) -> None:
        """Forget the opponent, or read it from the file, and start the random choices from `seed`.

        Raises:
            ValueError: the game is no hold'em for two.
            MemoryDamaged: the file of opponents is none.
        """
        if game.players != _PLAYERS or not plays(game):
            raise ValueError("the statistical modeller plays hold'em for two only")
        self._known = load_opponents(self._memory) if self._memory else {}
        self.counters = self._known.setdefault(self._opponent, OpponentCounters())
        self._begin(seed)

    def act(self, view: PlayerView) -> Action:
        """Return the action of phase 2 where enough is known, otherwise that of phase 1."""
        reader = self._follow(view)
        own = float(self._strengths.read(view.board)[combo_of(*view.hole)])
        self.phase = 2 if self._confident(reader) else 1
        kind, fraction = (self._exploit if self.phase == 2 else self._base)(view, reader, own)
        self.counters.add_own(own)
        return action_of(view, kind, fraction)

    def end_hand(self, view: PlayerView) -> None:
        """Count the rest of the hand, and the hand that was shown."""
        reader = self._follow(view)
        hole = view.shown[1 - view.position]
        if hole:
            self._learn_shown(reader, hole, view)
        self.counters.hands += 1
        self._hand += 1
        self._reader = None
        if self._memory is not None:
            save_opponents(self._memory, self._known)

    def chances(self) -> ActionChances:
        """Return what tells how likely the opponent is to do what: its counters."""
        return CountedChances(self.counters)

    def _begin(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._rotation = Rotation(every=self.settings.rotate_every)
        self._hand = 0
        self._reader = None

    def _follow(self, view: PlayerView) -> RangeReader:
        """Follow the hand up to a view; a new one where the view is not of the hand so far."""
        reader = self._reader
        if reader is None or not reader.goes_on(view):
            reader = self._reader = RangeReader(view, self._strengths, self._reading)
        for deed in reader.follow(view, self.chances()):
            self.counters.add(deed.button, deed.cell, deed.action)
        return reader

    def _confident(self, reader: RangeReader) -> bool:
        settings = self.settings
        if not settings.modelling or not self.counters.full_bins(settings.bin_samples):
            return False
        seen = min((self.counters.seen(deed.cell) for deed in reader.deeds), default=None)
        return seen is None or seen / (seen + CONFIDENCE_PRIOR) >= settings.confidence

    def _base(self, view: PlayerView, reader: RangeReader, own: float) -> tuple[int, float]:
        table = self._rotation.table(self._hand, self._rng)
        return draw_kind(table, own, self._rng), base_fraction(view, self._rng)

    def _exploit(self, view: PlayerView, reader: RangeReader, own: float) -> tuple[int, float]:
        settings, weights = self.settings, reader.weights
        among = weights.candidates() if settings.candidates else None
        opponent = weights.mean_strength(self._strengths.read(view.board), among)
        kind = compare(own, opponent, settings.tolerance)
        if kind == RAISE:
            return kind, value_fraction(own, opponent, settings.tolerance)
        if not (settings.pot_odds or settings.bluffs):
            return kind, 0.0
        equity = equity_against(view.hole, view.board, weights.weights)
        calling = call_value(equity, view.pot, view.to_call)
        if settings.bluffs and view.can_raise and self._bluff_value(view, reader) > max(calling, 0):
            return RAISE, BLUFF_FRACTION
        if settings.pot_odds and kind == FOLD and calling >= 0:
            kind = CALL
        return kind, 0.0

    def _bluff_value(self, view: PlayerView, reader: RangeReader) -> float:
        """Return what a raise would win if it lost whenever the opponent does not fold."""
        raising = action_of(view, RAISE, BLUFF_FRACTION)
        spot = reader.answer_to(raising)
        if spot is None:
            return 0.0
        fold_share = self.chances().shares(spot)[FOLD]
        cost = spot.hand.state.spent[view.position] - view.state.spent[view.position]
        return bluff_value(fold_share, view.pot, cost)

    def _learn_shown(self, reader: RangeReader, hole: Sequence[int], view: PlayerView) -> None:
        combo = combo_of(*hole)
        for deed in reader.deeds:
            board = view.board[: view.game.board_seen(deed.street)]
            strength = float(self._strengths.read(board)[combo])
            self.counters.add_shown(deed.cell, deed.action, strength)
        self.counters.showdowns += 1


def build(**options: Any) -> Statistical:
    """Return the bot for the options of the command line, see `agents.roster`.

    Args:
        options: `tolerance` and `confidence` as in `Settings`; `modelling`, `mirrored` 1 or 0;
            `memory` the path of a file, `opponent` a name in it.

    Raises:
        ValueError: an option is out of range.
    """
    default = Settings()
    settings = Settings(
        modelling=_switch("modelling", options.get("modelling", 1)),
        tolerance=float(options.get("tolerance", default.tolerance)),
        mirrored=_switch("mirrored", options.get("mirrored", 1)),
        confidence=float(options.get("confidence", default.confidence)),
    )
    memory = options.get("memory")
    return Statistical(
        settings,
        memory=Path(str(memory)) if memory else None,
        opponent=str(options.get("opponent") or ANYBODY),
    )


def _switch(name: str, value: object) -> bool:
    if value not in (0, 1):
        raise ValueError(f"{name} {value}: want 1 or 0")
    return bool(value)
